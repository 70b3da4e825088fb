import { getParamRow, type ParamName } from '../../../conversation/setup/params.ts';
import { trialLimits } from '../../../trials/trial.ts';

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
