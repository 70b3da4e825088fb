import {
  useId,
  useRef,
  useState,
  type ComponentType,
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
} from 'react';

import {
  getParamState,
  withSent,
  withText,
  type ParamControl,
  type ParamRow,
  type Params,
} from '../../../conversation/setup/params.ts';
import { classes } from '../../../ui/cn.ts';
import { Button, textButtonLook } from '../../../ui/controls/button.tsx';
import { FieldError, Hint, lineLook } from '../../../ui/controls/field.tsx';
import { Lamp } from '../../../ui/display/square-checkbox.tsx';
import { TierMark } from '../../../ui/display/tier-mark.tsx';
import { Tooltip } from '../../../ui/overlays/tooltip.tsx';
import { useTooltip } from '../../../ui/overlays/use-tooltip.ts';
import { parameterRow } from '../playground-focus-targets.ts';
import { ToolsControl } from '../tool-editor/tools-control.tsx';
import {
  ConstantControl,
  LaneConstant,
  ResponseFormatControl,
  SwitchControl,
  ToolChoiceControl,
  WordsControl,
} from './choice-controls.tsx';
import { knownFields, withFieldAdded } from './extra-fields.ts';
import type { FieldRemark } from './field-remarks.ts';
import { aboutRow, TIER_MARKS } from './format-row.ts';
import { LaneBoxes, LaneValuesLine } from './lane-flags.tsx';
import { differsWords, laneValues, mixedWords, type EditParams, type LaneParams } from './lane-values.ts';
import { LaneNumber, LanesRuler, NumberControl, NumberRuler } from './number-control.tsx';
import type { RowControl } from './row-control.ts';
import { JsonControl, LinesControl } from './text-controls.tsx';

const controls: Record<ParamControl['type'], ComponentType<RowControl>> = {
  number: NumberControl,
  switch: SwitchControl,
  lines: LinesControl,
  words: WordsControl,
  'response-format': ResponseFormatControl,
  'tool-choice': ToolChoiceControl,
  tools: ToolsControl,
  json: JsonControl,
  constant: ConstantControl,
};
/** In the small box of a lane. */
const laneControlsByType = { ...controls, number: LaneNumber, constant: LaneConstant };

const rowLook = classes(
  'group/parameter grid min-h-(--row) grid-cols-[16px_1fr_auto] items-center gap-x-2 border-line',
  'max-phone:gap-x-2.5 max-phone:border-b max-phone:px-4',
);
const nameLook = classes(
  'flex h-6 min-w-0 cursor-pointer items-center gap-1.75 whitespace-nowrap max-phone:h-12',
);
/** A row that is its own group has a heading for a name. */
const groupNameLook = classes(nameLook, 'text-11 tracking-[0.004em] text-ink-3 [word-spacing:0.06em]');
const fieldNameLook = classes(nameLook, 'font-mono text-mono-12 max-phone:text-[14px]');
const addLook = classes(
  'text-11 leading-6 text-ink-3 underline decoration-line-2 underline-offset-2',
  'hover:text-ink hover:decoration-current',
);
/** Under the name, and under the lamp too where the row is its own group. */
const underName = classes('col-start-2 -col-end-1');
const underAll = 'col-span-full';

interface ParameterRowProps {
  row: ParamRow;
  params: Params;
  /** All lanes, where there are several. */
  lanes: readonly LaneParams[];
  /** Letters of the lanes that an edit writes to. */
  inScope: readonly string[];
  onEdit: EditParams;
  /** Remark on how the models treat the field. */
  remark?: FieldRemark | undefined;
  /** Sends the field again to the models that refused it. */
  onAllow?: (() => void) | undefined;
}

/** One request field: is it sent, its name, its value, and what is to be said about it. */
export function ParameterRow(props: ParameterRowProps) {
  const { row, params, lanes, inScope, remark, onAllow } = props;
  // A value that the user edits is sent, even if the model refused the field before.
  const onEdit: EditParams = (edit, letter) => {
    if (remark?.isOmitted) onAllow?.();
    props.onEdit(edit, letter);
  };
  const id = useId();
  const label = useRef<HTMLLabelElement>(null);
  const tooltip = useTooltip();
  const [isAdding, setAdding] = useState(false);
  // What is typed or dragged in one lane may come by the value of another: its box stays.
  const [isHeld, setHeld] = useState(false);
  const isGroup = row.name === row.group;
  const hasRuler = row.control.type === 'number' && row.control.ruler !== undefined;
  const place = isGroup ? underAll : underName;
  const values = laneValues(lanes, row.name);
  const differs = values.length > 1;
  const isMixed = differs && inScope.length > 1;
  const isApart = isMixed || (isHeld && inScope.length > 1);

  const said = lanes.map(({ params: of }) => remarkOn(getParamState(of, row.name)));
  const saysOne = said.every((words) => words === said[0]);
  const saidIn = (letter?: string) => `${id}said${saysOne ? '' : (letter ?? '')}`;

  const controlOf = (of: Params, letter?: string) => {
    const setting = of[row.name];
    const state = getParamState(of, row.name);
    const isSent = state.state !== 'unset';
    const ids = [
      ...(remarkOn(state) === undefined ? [] : [saidIn(letter)]),
      ...(differs && letter === undefined ? [`${id}lanes`] : []),
      ...(remark === undefined ? [] : [`${id}remark`]),
    ];
    return {
      row,
      label: letter === undefined ? row.name : `Lane ${letter} ${row.name}`,
      isBoxed: letter !== undefined,
      params: of,
      text: isSent ? (setting?.text ?? '') : '',
      lastText: setting?.text ?? '',
      isSent,
      state,
      describedBy: ids.length > 0 ? ids.join(' ') : undefined,
      onText: (text: string) => onEdit((now) => withText(now, row.name, text), letter),
      onUnset: () => onEdit((now) => withSent(now, row.name, false), letter),
    };
  };

  const own: RowControl = controlOf(params);
  const control: RowControl = isMixed
    ? {
        ...own,
        text: '',
        lastText: '',
        isSent: true,
        state: { state: 'unset' },
        mixed: mixedWords(row, lanes),
        describedBy: own.describedBy,
        onUnset: () => undefined,
      }
    : own;
  const sentCount = isMixed
    ? lanes.filter((lane) => getParamState(lane.params, row.name).state !== 'unset').length
    : 0;
  const Control = controls[row.control.type];
  const LaneControl = laneControlsByType[row.control.type];
  const laneControls = isApart
    ? new Map(lanes.map(({ letter, params: of }) => [letter, controlOf(of, letter)]))
    : undefined;
  const hold = {
    onFocus: () => setHeld(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      setHeld(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  };

  return (
    <div className={rowLook} {...parameterRow(row.name).here}>
      <span className="contents" {...tooltip.anchorProps}>
        <Lamp
          id={`${id}lamp`}
          label={`Send ${row.name}`}
          lit={isMixed ? sentCount === lanes.length : own.isSent}
          mixed={isMixed && sentCount < lanes.length}
          onChange={(lit) => onEdit((now) => withSent(now, row.name, lit))}
          describedBy={`${id}about`}
        />
        <label
          ref={label}
          className={isGroup ? groupNameLook : classes(fieldNameLook, !control.isSent && 'text-ink-2')}
          htmlFor={`${id}lamp`}
        >
          <span>{row.name}</span>
          <TierMark {...TIER_MARKS[row.tier]} />
        </label>
      </span>
      <span id={`${id}about`} hidden>
        {aboutRow(row)}
      </span>
      <Tooltip anchor={label} tooltip={tooltip}>
        {aboutRow(row)}
      </Tooltip>
      {isGroup && (
        <button
          type="button"
          className={addLook}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          Add a field
        </button>
      )}
      {isAdding && (
        <AddField
          texts={(isMixed ? lanes.map((lane) => lane.params) : [params]).map(
            (of) => of[row.name]?.text ?? '',
          )}
          onAdd={(name, value) =>
            onEdit((now) => {
              const added = withFieldAdded(now[row.name]?.text ?? '', name, value);
              return added === undefined ? now : withText(now, row.name, added);
            })
          }
          onClose={() => setAdding(false)}
        />
      )}
      <Control {...control} />
      {laneControls ? (
        <div className={classes(place, 'min-w-0', !hasRuler && 'pb-1.5')} {...hold}>
          <p id={`${id}lanes`} className="sr-only">
            {differsWords(values)}
          </p>
          <LaneBoxes
            letters={[...laneControls.keys()]}
            type={row.control.type}
            isWrong={(letter) => laneControls.get(letter)?.state.state === 'problem'}
          >
            {(letter) => {
              const of = laneControls.get(letter);
              return of && <LaneControl {...of} />;
            }}
          </LaneBoxes>
          <LanesRuler
            row={row}
            lanes={lanes}
            describedBy={(letter) => laneControls.get(letter)?.describedBy}
            onEdit={onEdit}
          />
        </div>
      ) : (
        <>
          <NumberRuler control={control} values={differs ? values : undefined} />
          {differs && <LaneValuesLine values={values} id={`${id}lanes`} />}
        </>
      )}
      {laneControls && !saysOne ? (
        [...laneControls].map(([letter, { state }]) => (
          <Words key={letter} id={saidIn(letter)} state={state} letter={letter} className={place} />
        ))
      ) : (
        <Words id={saidIn()} state={own.state} className={place} />
      )}
      {remark && (
        <RemarkLine id={`${id}remark`} className={place} name={row.name} remark={remark} onAllow={onAllow} />
      )}
    </div>
  );
}

interface RemarkLineProps {
  id: string;
  className: string;
  name: string;
  remark: FieldRemark;
  onAllow: (() => void) | undefined;
}

/** Shows below a row the name that its field is sent under, or the models that do not accept it. */
function RemarkLine({ id, className, name, remark, onAllow }: RemarkLineProps) {
  const { words, isError, allowWords } = remark;
  const Remark = isError ? FieldError : Hint;
  return (
    <div
      className={classes(
        className,
        'flex flex-wrap items-baseline gap-x-2',
        allowWords ? 'pb-0.5' : 'pb-1.5',
      )}
    >
      <Remark id={id}>{words}</Remark>
      {allowWords !== undefined && onAllow && (
        <button
          type="button"
          className={classes(textButtonLook, 'text-12')}
          aria-label={`${allowWords}: ${name}`}
          onClick={onAllow}
        >
          {allowWords}
        </button>
      )}
    </div>
  );
}

interface WordsProps {
  id: string;
  state: RowControl['state'];
  letter?: string;
  className: string;
}

/** What is wrong with a value, or worth knowing about it. */
function Words({ id, state, letter, className }: WordsProps) {
  const words = remarkOn(state);
  if (words === undefined) return null;
  const Remark = state.state === 'problem' ? FieldError : Hint;
  return (
    <Remark className={classes(className, 'pb-1.5')} id={id}>
      {letter === undefined ? words : `Lane ${letter}: ${words}`}
    </Remark>
  );
}

function remarkOn(state: RowControl['state']): string | undefined {
  if (state.state === 'problem') return state.problem;
  return state.state === 'sent' ? state.hint : undefined;
}

interface AddFieldProps {
  /** The JSON objects so far, of each lane that it goes into. */
  texts: readonly string[];
  onAdd: (name: string, value: string) => void;
  onClose: () => void;
}

const focusAtFirst = (field: HTMLInputElement | null) => {
  field?.focus();
  field?.form?.scrollIntoView({ block: 'nearest' });
};

/** One more field by name and value; a value that is not JSON goes in as a string. */
function AddField({ texts, onAdd, onClose }: AddFieldProps) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const isBlocked = texts.some((text) => withFieldAdded(text, name, value) === undefined);
  const complaint = isBlocked ? 'The JSON below is not an object yet. Fix it first.' : undefined;
  const valueField = useRef<HTMLInputElement>(null);
  const knownField = knownFields.find((field) => field.name === name);
  const aboutId = useId();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBlocked || name === '') return;
    onAdd(name, value);
    onClose();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };

  return (
    <form className={classes(underAll, 'pb-1.5')} onSubmit={onSubmit}>
      <div className="flex gap-1">
        <input
          className={classes('w-26 flex-none', lineLook)}
          aria-label="Field name"
          placeholder="name"
          ref={focusAtFirst}
          required
          onKeyDown={onKeyDown}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <input
          className={classes('flex-1', lineLook)}
          ref={valueField}
          aria-label="Field value"
          aria-describedby={knownField && aboutId}
          placeholder="value, as JSON or text"
          required
          onKeyDown={onKeyDown}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <Button size="small" type="submit">
          Add
        </Button>
      </div>
      {knownField ? (
        <Hint id={aboutId} className="mt-1">
          {knownField.about} Its value is {knownField.type}.
        </Hint>
      ) : (
        <ul aria-label="Known fields" className="mt-1 flex flex-wrap gap-x-2">
          {knownFields.map((field) => (
            <li key={field.name}>
              <button
                type="button"
                className={classes(textButtonLook, 'font-mono text-mono-11')}
                title={field.about}
                onKeyDown={onKeyDown}
                onClick={() => {
                  setName(field.name);
                  setValue(field.start);
                  valueField.current?.focus();
                }}
              >
                {field.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {complaint && (
        <FieldError icon={false} className="mt-1">
          {complaint}
        </FieldError>
      )}
    </form>
  );
}
