import { getParamRow, type ParamName } from '../../../conversation/setup/params.ts';
import { limits } from '../../../trials/trial.ts';

/** The values of a list for a parameter, and why they cannot be used. */
export function readValues(
  param: ParamName,
  text: string,
  columns: number,
): { values: string[]; problem?: string } {
  const values = [
    ...new Set(
      text
        .split(/[,\n;]/)
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    ),
  ];
  if (values.length === 0) return { values, problem: 'Write at least one value.' };
  const wrong = values.find((value) => !getParamRow(param).read(value).ok);
  if (wrong !== undefined) {
    const reading = getParamRow(param).read(wrong);
    return { values, problem: `${wrong}: ${reading.ok ? '' : reading.problem.replace(' Not sent.', '')}` };
  }
  if (columns + values.length > limits.columns)
    return { values, problem: `At most ${limits.columns} columns; there are ${columns} already.` };
  return { values };
}
