import { clsx } from 'clsx';
import {
  useId,
  useRef,
  useState,
  type ComponentProps,
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
} from '../../conversation/setup/params.ts';
import { getHelpLink } from '../../lib/help-link.ts';
import { Button, TextButton } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { FieldError, Hint, TextField } from '../../ui/controls/field.tsx';
import { TierMark } from '../../ui/display/tier-mark.tsx';
import { getParameterRowTarget } from '../workspace/playground-focus-targets.ts';
import {
  ConstantControl,
  LaneConstant,
  ResponseFormatControl,
  SwitchControl,
  ToolChoiceControl,
  WordsControl,
} from './choice-controls.tsx';
import { knownFields, withExtraField } from './extra-fields.ts';
import type { FieldRemark } from './field-remarks.ts';
import { describeRow, TIER_MARKS } from './format-row.ts';
import { LaneBoxes, LaneValuesLine } from './lane-flags.tsx';
import {
  describeDifferingValues,
  groupLaneValues,
  formatMixedValues,
  type EditParams,
  type LaneParams,
} from './lane-values.ts';
import { LaneNumber, LanesRuler, NumberControl, NumberRuler } from './number-control.tsx';
import type { RowControlProps } from './row-control.ts';
import { JsonControl, LinesControl } from './text-controls.tsx';
import { ToolsControl } from './tool-editor/tools-control.tsx';

const controls: Record<ParamControl['type'], ComponentType<RowControlProps>> = {
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
/** Controls for the small boxes of lanes. */
const laneControlsByType = { ...controls, number: LaneNumber, constant: LaneConstant };

interface ParameterRowProps {
  row: ParamRow;
  params: Params;
  /** All lanes, if there are several. */
  lanes: readonly LaneParams[];
  /** Letters of the lanes changed by an edit. */
  scopeLetters: readonly string[];
  onEdit: EditParams;
  /** Remark on how the models treat the field. */
  remark?: FieldRemark | undefined;
  /** Sends the field again to models that rejected it. */
  onAllow?: (() => void) | undefined;
}

/** Row of a request field: a checkbox for sending the field, its name, value and remarks. */
export function ParameterRow(props: ParameterRowProps) {
  const { row, params, lanes, scopeLetters, remark, onAllow } = props;
  // A value edited by the user is sent, even if the model rejected the field before.
  const onEdit: EditParams = (edit, letter) => {
    if (remark?.isOmitted) onAllow?.();
    props.onEdit(edit, letter);
  };
  const id = useId();
  const [isAddingField, setIsAddingField] = useState(false);
  // Editing one lane may make its value equal to that of another lane. The boxes stay while one of them has the focus.
  const [hasFocusWithin, setHasFocusWithin] = useState(false);
  const isGroup = row.name === row.group;
  const hasRuler = row.control.type === 'number' && row.control.ruler !== undefined;
  const values = groupLaneValues(lanes, row.name);
  const valuesDiffer = values.length > 1;
  const isMixed = valuesDiffer && scopeLetters.length > 1;
  const showsLaneControls = isMixed || (hasFocusWithin && scopeLetters.length > 1);

  const messages = lanes.map(({ params: laneParams }) =>
    getStateMessage(getParamState(laneParams, row.name)),
  );
  const isSameMessage = messages.every((message) => message === messages[0]);
  const getMessageId = (letter?: string) => `${id}said${isSameMessage ? '' : (letter ?? '')}`;

  const createControl = (laneParams: Params, letter?: string) => {
    const setting = laneParams[row.name];
    const state = getParamState(laneParams, row.name);
    const isSent = state.state !== 'unset';
    const ids = [
      ...(getStateMessage(state) === undefined ? [] : [getMessageId(letter)]),
      ...(valuesDiffer && letter === undefined ? [`${id}lanes`] : []),
      ...(remark === undefined ? [] : [`${id}remark`]),
    ];
    return {
      row,
      label: letter === undefined ? row.name : `Lane ${letter} ${row.name}`,
      isBoxed: letter !== undefined,
      params: laneParams,
      text: isSent ? (setting?.text ?? '') : '',
      lastText: setting?.text ?? '',
      isSent,
      state,
      describedBy: ids.length > 0 ? ids.join(' ') : undefined,
      onText: (text: string) => onEdit((current) => withText(current, row.name, text), letter),
      onUnset: () => onEdit((current) => withSent(current, row.name, false), letter),
    };
  };

  const baseControl: RowControlProps = createControl(params);
  const control: RowControlProps = isMixed
    ? {
        ...baseControl,
        text: '',
        lastText: '',
        isSent: true,
        state: { state: 'unset' },
        mixedText: formatMixedValues(row, lanes),
        describedBy: baseControl.describedBy,
        onUnset: () => undefined,
      }
    : baseControl;
  const sentCount = isMixed
    ? lanes.filter((lane) => getParamState(lane.params, row.name).state !== 'unset').length
    : 0;
  const Control = controls[row.control.type];
  const LaneControl = laneControlsByType[row.control.type];
  const laneControls = showsLaneControls
    ? new Map(lanes.map(({ letter, params: laneParams }) => [letter, createControl(laneParams, letter)]))
    : undefined;
  const focusHandlers = {
    onFocus: () => setHasFocusWithin(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      setHasFocusWithin(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  };

  return (
    <div
      className="group/parameter grid min-h-(--row) grid-cols-[16px_1fr_auto] items-center gap-x-2 border-line max-phone:gap-x-2.5 max-phone:border-b max-phone:px-4"
      data-help={getHelpLink('Parameters', row.name)}
      {...getParameterRowTarget(row.name).attributes}
    >
      <Checkbox
        id={`${id}lamp`}
        label={`Send ${row.name}`}
        checked={isMixed ? sentCount === lanes.length : baseControl.isSent}
        isMixed={isMixed && sentCount < lanes.length}
        onChange={(isChecked) => onEdit((current) => withSent(current, row.name, isChecked))}
        describedBy={`${id}about`}
      />
      <label
        className={clsx(
          'flex h-6 min-w-0 cursor-pointer items-center gap-1.75 whitespace-nowrap max-phone:h-12',
          // The name of a row that forms a group by itself looks like a heading.
          isGroup
            ? 'text-11 tracking-[0.004em] text-ink-3 [word-spacing:0.06em]'
            : 'font-mono text-mono-12 max-phone:text-[14px]',
          !isGroup && !control.isSent && 'text-ink-2',
        )}
        htmlFor={`${id}lamp`}
        data-tooltip={`${describeRow(row)} ${TIER_MARKS[row.tier].label}.`}
      >
        <span>{row.name}</span>
        <TierMark {...TIER_MARKS[row.tier]} />
      </label>
      <span id={`${id}about`} hidden>
        {describeRow(row)}
      </span>
      {isGroup && (
        <button
          type="button"
          className="text-11 leading-6 text-ink-3 underline decoration-line-2 underline-offset-2 hover:text-ink hover:decoration-current"
          aria-expanded={isAddingField}
          onClick={() => setIsAddingField(!isAddingField)}
        >
          Add a field
        </button>
      )}
      {isAddingField && (
        <AddField
          texts={(isMixed ? lanes.map((lane) => lane.params) : [params]).map(
            (laneParams) => laneParams[row.name]?.text ?? '',
          )}
          onAdd={(name, value) =>
            onEdit((current) => {
              const newText = withExtraField(current[row.name]?.text ?? '', name, value);
              return newText === undefined ? current : withText(current, row.name, newText);
            })
          }
          onClose={() => setIsAddingField(false)}
        />
      )}
      <Control {...control} />
      {laneControls ? (
        <UnderName isGroup={isGroup} className={clsx('min-w-0', !hasRuler && 'pb-1.5')} {...focusHandlers}>
          <p id={`${id}lanes`} className="sr-only">
            {describeDifferingValues(values)}
          </p>
          <LaneBoxes
            letters={[...laneControls.keys()]}
            type={row.control.type}
            isWrong={(letter) => laneControls.get(letter)?.state.state === 'problem'}
          >
            {(letter) => {
              const laneControl = laneControls.get(letter);
              return laneControl && <LaneControl {...laneControl} />;
            }}
          </LaneBoxes>
          <LanesRuler
            row={row}
            lanes={lanes}
            describedBy={(letter) => laneControls.get(letter)?.describedBy}
            onEdit={onEdit}
          />
        </UnderName>
      ) : (
        <>
          <NumberRuler control={control} values={valuesDiffer ? values : undefined} />
          {valuesDiffer && <LaneValuesLine values={values} id={`${id}lanes`} />}
        </>
      )}
      {laneControls && !isSameMessage ? (
        [...laneControls].map(([letter, { state }]) => (
          <StateMessage
            key={letter}
            id={getMessageId(letter)}
            state={state}
            letter={letter}
            isGroup={isGroup}
          />
        ))
      ) : (
        <StateMessage id={getMessageId()} state={baseControl.state} isGroup={isGroup} />
      )}
      {remark && (
        <RemarkLine id={`${id}remark`} isGroup={isGroup} name={row.name} remark={remark} onAllow={onAllow} />
      )}
    </div>
  );
}

/** Content below the name, or below the checkbox in rows that form a group by themselves. */
function UnderName({ isGroup, className, ...rest }: ComponentProps<'div'> & { isGroup: boolean }) {
  return <div className={clsx(isGroup ? 'col-span-full' : 'col-start-2 -col-end-1', className)} {...rest} />;
}

interface RemarkLineProps {
  id: string;
  isGroup: boolean;
  name: string;
  remark: FieldRemark;
  onAllow: (() => void) | undefined;
}

/** Line below a row with the name under which the field is sent, or the models that do not accept the field. */
function RemarkLine({ id, isGroup, name, remark, onAllow }: RemarkLineProps) {
  const { text, isError, allowLabel } = remark;
  const MessageComponent = isError ? FieldError : Hint;
  return (
    <UnderName
      isGroup={isGroup}
      className={clsx('flex flex-wrap items-baseline gap-x-2', allowLabel ? 'pb-0.5' : 'pb-1.5')}
    >
      <MessageComponent id={id}>{text}</MessageComponent>
      {allowLabel !== undefined && onAllow && (
        <TextButton className="text-12" aria-label={`${allowLabel}: ${name}`} onClick={onAllow}>
          {allowLabel}
        </TextButton>
      )}
    </UnderName>
  );
}

interface StateMessageProps {
  id: string;
  state: RowControlProps['state'];
  letter?: string;
  isGroup: boolean;
}

/** Error or hint about a value. */
function StateMessage({ id, state, letter, isGroup }: StateMessageProps) {
  const message = getStateMessage(state);
  if (message === undefined) return null;
  const MessageComponent = state.state === 'problem' ? FieldError : Hint;
  return (
    <UnderName isGroup={isGroup} className="pb-1.5">
      <MessageComponent id={id}>
        {letter === undefined ? message : `Lane ${letter}: ${message}`}
      </MessageComponent>
    </UnderName>
  );
}

function getStateMessage(state: RowControlProps['state']): string | undefined {
  if (state.state === 'problem') return state.problem;
  return state.state === 'sent' ? state.hint : undefined;
}

interface AddFieldProps {
  /** Current JSON text of each lane in scope. */
  texts: readonly string[];
  onAdd: (name: string, value: string) => void;
  onClose: () => void;
}

const focusOnMount = (field: HTMLInputElement | null) => {
  field?.focus();
  field?.form?.scrollIntoView({ block: 'nearest' });
};

/** Form for an additional field; a value that is not JSON is added as a string. */
function AddField({ texts, onAdd, onClose }: AddFieldProps) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const isBlocked = texts.some((text) => withExtraField(text, name, value) === undefined);
  const blockedReason = isBlocked ? 'Enter a valid JSON object below first.' : undefined;
  const valueField = useRef<HTMLInputElement>(null);
  const knownField = knownFields.find((field) => field.name === name);
  const descriptionId = useId();

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
    <form className="col-span-full pb-1.5" onSubmit={onSubmit}>
      <div className="flex gap-1">
        <TextField
          className="w-26 max-w-none flex-none"
          aria-label="Field name"
          placeholder="name"
          ref={focusOnMount}
          required
          onKeyDown={onKeyDown}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <TextField
          className="max-w-none flex-1"
          ref={valueField}
          aria-label="Field value"
          aria-describedby={knownField && descriptionId}
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
        <Hint id={descriptionId} className="mt-1">
          {knownField.description} Its value is {knownField.type}.
        </Hint>
      ) : (
        <ul aria-label="Known fields" className="mt-1 flex flex-wrap gap-x-2">
          {knownFields.map((field) => (
            <li key={field.name}>
              <TextButton
                className="font-mono text-mono-11"
                title={field.description}
                onKeyDown={onKeyDown}
                onClick={() => {
                  setName(field.name);
                  setValue(field.initialText);
                  valueField.current?.focus();
                }}
              >
                {field.name}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      {blockedReason && (
        <FieldError icon={false} className="mt-1">
          {blockedReason}
        </FieldError>
      )}
    </form>
  );
}
