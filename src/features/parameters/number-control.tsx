import { getParamState, withText, type ParamRow } from '../../conversation/setup/params.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import type { NumberSteps } from '../../ui/controls/step-number.ts';
import { RotateCcw } from '../../ui/late-icons.tsx';
import { describeDefault, describeUnset } from './format-row.ts';
import { RulerFlags } from './lane-flags.tsx';
import { parseOptionalNumber, type EditParams, type LaneParams, type LaneValue } from './lane-values.ts';
import type { RowControlProps } from './row-control.ts';
import { RowNote, RowValue } from './row-value.tsx';
import { toPosition } from './ruler-scale.ts';
import { RulerTile } from './ruler-tile.tsx';
import { Ruler, RulerFace } from './ruler.tsx';

function getSteps({ control }: ParamRow): NumberSteps {
  if (control.type !== 'number') return { step: 1 };
  const { step, min, max } = control;
  return { step, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Control for a number as text. */
export function NumberControl(control: RowControlProps) {
  const { row, label, text, isSent, state, mixedText, describedBy, onText, onUnset } = control;
  const resetValue = row.initialText;
  const hasValue = isSent && mixedText === undefined;
  const note = hasValue ? describeDefault(row, text) : undefined;

  return (
    <RowValue control={control}>
      {hasValue && text !== resetValue && (
        <IconButton
          size="small"
          // Shown while its row is hovered or focused; on touch screens always, except in rows with space only for the
          // name.
          className="group-not-[:hover,:focus-within]/parameter:not-pointer-coarse:phone:opacity-0 max-phone:@max-[360px]/parameters:hidden"
          label={`Reset ${row.name} to ${resetValue}`}
          onClick={() => onText(resetValue)}
        >
          <RotateCcw className="icon-14" aria-hidden />
        </IconButton>
      )}
      {note && <RowNote>{note}</RowNote>}
      <NumberField
        label={label}
        text={text}
        startText={resetValue}
        onChange={onText}
        onUnset={onUnset}
        placeholder={mixedText ?? (isSent ? '' : describeUnset(row))}
        isBorderless={!isSent}
        isMixed={mixedText !== undefined}
        isUndoneByApp
        invalid={state.state === 'problem'}
        describedBy={describedBy}
        {...getSteps(row)}
      />
    </RowValue>
  );
}

/** Number field in the small box of a lane. */
export function LaneNumber({ row, label, text, state, describedBy, onText, onUnset }: RowControlProps) {
  return (
    <NumberField
      label={label}
      text={text}
      startText={row.initialText}
      onChange={onText}
      onUnset={onUnset}
      placeholder="not sent"
      isBoxed
      isUndoneByApp
      invalid={state.state === 'problem'}
      describedBy={describedBy}
      {...getSteps(row)}
    />
  );
}

interface NumberRulerProps {
  control: RowControlProps;
  /** Values of the lanes, if they differ. */
  values: readonly LaneValue[] | undefined;
}

/** Slider below a number that has a range. */
export function NumberRuler({ control, values }: NumberRulerProps) {
  const { row, text, isSent, describedBy, onText } = control;
  const ruler = row.control.type === 'number' ? row.control.ruler : undefined;
  if (!isSent || !ruler) return null;
  const resetValue = row.initialText;
  return (
    <div className="col-start-2 -col-end-1 mt-px pb-1.75">
      <Ruler
        label={row.name}
        value={parseOptionalNumber(text) ?? Number(resetValue)}
        onChange={(next) => onText(String(next))}
        ruler={ruler}
        steps={getSteps(row)}
        defaultValue={getDefaultValue(row)}
        onReset={() => onText(resetValue)}
        describedBy={describedBy}
      >
        {values && <RulerFlags values={values} ruler={ruler} />}
      </Ruler>
    </div>
  );
}

function getDefaultValue({ demoDefault }: ParamRow): number | undefined {
  return demoDefault === undefined ? undefined : Number(demoDefault);
}

interface LanesRulerProps {
  row: ParamRow;
  lanes: readonly LaneParams[];
  describedBy: (letter: string) => string | undefined;
  onEdit: EditParams;
}

/** Slider for a number that differs between lanes: one draggable tile per lane. */
export function LanesRuler({ row, lanes, describedBy, onEdit }: LanesRulerProps) {
  const ruler = row.control.type === 'number' ? row.control.ruler : undefined;
  if (!ruler) return null;
  const steps = getSteps(row);
  const tiles = lanes.flatMap(({ letter, params }) => {
    const setting = params[row.name];
    const value = setting?.sent ? parseOptionalNumber(setting.text) : undefined;
    const isWrong = getParamState(params, row.name).state === 'problem';
    return value === undefined ? [] : [{ letter, value, isWrong }];
  });
  return (
    <div className="pt-1 pb-1.75">
      <div className="relative mr-1.75 h-[41px]">
        <RulerFace ruler={ruler} step={steps.step} defaultValue={getDefaultValue(row)} />
        {/* Tiles may overlap each other's margins, but nothing may overlap the tiles. */}
        <div className="absolute inset-x-1.5 inset-y-0 isolate">
          {tiles.map(({ letter, value, isWrong }) => {
            // Tiles with the same value are placed side by side.
            const position = toPosition(ruler, value);
            const tilesAtPosition = tiles.filter((tile) => toPosition(ruler, tile.value) === position);
            const offset =
              tilesAtPosition.findIndex((tile) => tile.letter === letter) - (tilesAtPosition.length - 1) / 2;
            return (
              <RulerTile
                key={letter}
                letter={letter}
                label={`Lane ${letter} ${row.name}`}
                value={value}
                tileOffset={offset}
                ruler={ruler}
                steps={steps}
                invalid={isWrong}
                describedBy={describedBy(letter)}
                onChange={(next) => onEdit((current) => withText(current, row.name, String(next)), letter)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
