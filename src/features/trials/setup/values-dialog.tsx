import { useState } from 'react';

import { PARAMS, getParamRow, type ParamName } from '../../../conversation/setup/params.ts';
import { pluralize } from '../../../lib/format.ts';
import { getColumnLetter, trialLimits } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';

const selectableParams = PARAMS.filter(
  ({ control }) => control.type === 'number' || control.type === 'switch',
);

/** Dialog that creates one column for each value of a parameter. */
export function ValuesDialog() {
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data } = useFullTrialState();
  const [param, setParam] = useState<ParamName>('temperature');
  const [sourceColumnId, setSourceColumnId] = useState(data.baseline);
  const [text, setText] = useState('0, 0.7, 1.2');
  const close = () => view.setState({ dialog: undefined });
  const { values, problem } = parseParamValues(param, text, data.columns.length);
  return (
    <Dialog
      title="Values of a parameter"
      onClose={close}
      footer={
        <>
          <span className="grow" />
          <Button
            variant="primary"
            disabled={problem !== undefined}
            onClick={() => {
              trial.addValueColumns(sourceColumnId, param, values);
              close();
            }}
          >
            Add {pluralize(values.length, 'column')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3">
        <span>Parameter</span>
        <Select
          label="Parameter"
          value={param}
          options={selectableParams.map(({ name }) => ({ value: name, label: name }))}
          onChange={setParam}
        />
        <span>Based on</span>
        <Select
          label="Based on"
          value={sourceColumnId}
          options={data.columns.map(({ id, setup }, index) => ({
            value: id,
            label: `${getColumnLetter(index)} ${setup.model}`,
          }))}
          onChange={setSourceColumnId}
        />
        <span>Values</span>
        <TextField
          aria-label="Values"
          aria-invalid={problem !== undefined}
          aria-describedby="values-problem"
          className="max-w-none"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <p
        id="values-problem"
        className={`mt-3 text-12 ${problem === undefined ? 'text-ink-3' : 'text-err-ink'}`}
      >
        {problem ??
          'Separate values with commas. Each value becomes a column. With many columns, the best looks better than it is.'}
      </p>
    </Dialog>
  );
}

/** Parses a list of values for a parameter. If they are invalid, `problem` contains the reason. */
export function parseParamValues(
  param: ParamName,
  text: string,
  columnCount: number,
): { values: string[]; problem?: string } {
  const values = [
    ...new Set(
      text
        .split(/[,\n;]/)
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    ),
  ];
  if (values.length === 0) return { values, problem: 'Enter at least one value.' };
  const invalidValue = values.find((value) => !getParamRow(param).read(value).ok);
  if (invalidValue !== undefined) {
    const parsed = getParamRow(param).read(invalidValue);
    return {
      values,
      problem: `${invalidValue}: ${parsed.ok ? '' : parsed.problem.replace(' Not sent.', '')}`,
    };
  }
  if (columnCount + values.length > trialLimits.columns)
    return { values, problem: `At most ${trialLimits.columns} columns; there are ${columnCount} already.` };
  return { values };
}
