import { CircleAlert } from 'lucide-react';
import { useId, useRef, useState, type ComponentType } from 'react';

import {
  paramState,
  withSent,
  withText,
  type ParamControl,
  type ParamRow,
  type Params,
} from '../../../conversation/params.ts';
import { Lamp } from '../../../ui/lamp.tsx';
import { TierMark } from '../../../ui/tier-mark.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { useTooltip } from '../../../ui/use-tooltip.ts';
import { AddField } from './add-field.tsx';
import {
  ConstantControl,
  ResponseFormatControl,
  SwitchControl,
  ToolChoiceControl,
} from './choice-controls.tsx';
import { LaneValuesLine } from './lane-flags.tsx';
import { laneValues, type LaneParams } from './lane-values.ts';
import { NumberControl } from './number-control.tsx';
import type { RowControl } from './row-control.ts';
import { TIER_MARKS } from './row-words.ts';
import { JsonControl, LinesControl } from './text-controls.tsx';
import { ToolsControl } from './tools-control.tsx';

const controls: Record<ParamControl['type'], ComponentType<RowControl>> = {
  number: NumberControl,
  switch: SwitchControl,
  lines: LinesControl,
  'response-format': ResponseFormatControl,
  'tool-choice': ToolChoiceControl,
  tools: ToolsControl,
  json: JsonControl,
  constant: ConstantControl,
};

interface ParameterRowProps {
  row: ParamRow;
  params: Params;
  onChange: (next: Params) => void;
  lanes: readonly LaneParams[];
}

/** One request field: is it sent, its name, its value, and what is to be said about it. */
export function ParameterRow({ row, params, onChange, lanes }: ParameterRowProps) {
  const id = useId();
  const label = useRef<HTMLLabelElement>(null);
  const tooltip = useTooltip();
  const [isAdding, setAdding] = useState(false);
  const setting = params[row.name];
  const isSent = setting?.sent === true;
  const state = paramState(params, row.name);
  const isGroup = row.name === row.group;
  const values = laneValues(lanes, row.name);
  const differs = values.length > 1;
  const hint = state.state === 'sent' ? state.hint : undefined;
  const Control = controls[row.control.type];
  const lastText = setting?.text ?? '';
  const onText = (text: string) => onChange(withText(params, row.name, text));

  return (
    <div className={`pr${isSent ? '' : ' unset'}${isGroup ? ' whole' : ''}`}>
      <span className="named" {...tooltip.anchorProps}>
        <Lamp
          id={`${id}lamp`}
          label={`Send ${row.name}`}
          lit={isSent}
          onChange={(lit) => onChange(withSent(params, row.name, lit))}
          describedBy={`${id}about`}
        />
        <label ref={label} className="nm" htmlFor={`${id}lamp`}>
          <span>{row.name}</span>
          <TierMark {...TIER_MARKS[row.tier]} />
        </label>
      </span>
      <span id={`${id}about`} hidden>
        {row.about}
      </span>
      <Tooltip anchor={label} tooltip={tooltip}>
        {row.about}
      </Tooltip>
      {isGroup && (
        <button type="button" className="link" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          Add a field
        </button>
      )}
      {isAdding && <AddField text={lastText} onText={onText} onClose={() => setAdding(false)} />}
      <Control
        row={row}
        params={params}
        text={isSent ? lastText : ''}
        lastText={lastText}
        isSent={isSent}
        state={state}
        describedBy={describedBy(state.state === 'problem' || hint !== undefined, differs, id)}
        differing={differs ? values : undefined}
        onText={onText}
        onUnset={() => onChange(withSent(params, row.name, false))}
      />
      {differs && <LaneValuesLine values={values} id={`${id}lanes`} />}
      {state.state === 'problem' && (
        <p className="er" id={`${id}said`}>
          <CircleAlert className="i s" aria-hidden />
          {state.problem}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}said`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function describedBy(hasWords: boolean, differs: boolean, id: string): string | undefined {
  const ids = [hasWords ? `${id}said` : '', differs ? `${id}lanes` : ''].filter((each) => each !== '');
  return ids.length > 0 ? ids.join(' ') : undefined;
}
