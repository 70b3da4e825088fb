import { RotateCcw } from 'lucide-react';

import { IconButton } from '../../../ui/icon-button.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Ruler } from '../../../ui/ruler.tsx';
import type { NumberSteps } from '../../../ui/stepped-number.ts';
import { RulerFlags } from './lane-flags.tsx';
import type { RowControl } from './row-control.ts';
import { defaultWords, unsetWords } from './row-words.ts';

/** A number with its ruler beneath where it has a range. */
export function NumberControl({
  row,
  text,
  isSent,
  state,
  describedBy,
  differing,
  onText,
  onUnset,
}: RowControl) {
  if (row.control.type !== 'number') return null;
  const { step, ruler, min, max } = row.control;
  const steps: NumberSteps = {
    step,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
  const home = row.gatewayDefault ?? row.start;
  const note = isSent ? defaultWords(row, text) : undefined;
  const value = Number(text);

  return (
    <>
      <span className="vl">
        {isSent && text !== home && (
          <IconButton
            size="small"
            className="reset"
            label={`Reset ${row.name} to ${home}`}
            onClick={() => onText(home)}
          >
            <RotateCcw className="i s" aria-hidden />
          </IconButton>
        )}
        {note && <span className="note">{note}</span>}
        <NumberField
          label={row.name}
          text={text}
          start={home}
          onChange={onText}
          onUnset={onUnset}
          placeholder={isSent ? '' : unsetWords(row)}
          bare={!isSent}
          invalid={state.state === 'problem'}
          describedBy={describedBy}
          {...steps}
        />
      </span>
      {isSent && ruler && (
        <div className="sub">
          <Ruler
            label={row.name}
            value={text.trim() !== '' && Number.isFinite(value) ? value : Number(home)}
            onChange={(moved) => onText(String(moved))}
            ruler={ruler}
            steps={steps}
            defaultValue={row.gatewayDefault === undefined ? undefined : Number(row.gatewayDefault)}
            onReset={() => onText(home)}
            describedBy={describedBy}
          >
            {differing && <RulerFlags values={differing} ruler={ruler} />}
          </Ruler>
        </div>
      )}
    </>
  );
}
