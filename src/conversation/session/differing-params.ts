import { PARAMS, type ParamName, type Params } from '../setup/params.ts';

/** Returns the parameters that differ between lanes, in value or in whether they are sent. */
export function findDifferingParams(laneParams: readonly Params[]): ParamName[] {
  const [first = {}, ...rest] = laneParams;
  return PARAMS.map((row) => row.name).filter((name) =>
    rest.some((params) => !isSentAlike(first, params, name)),
  );
}

function isSentAlike(a: Params, b: Params, name: ParamName): boolean {
  const [first, second] = [a[name], b[name]];
  if (!first?.sent && !second?.sent) return true;
  return first?.sent === second?.sent && first?.text === second?.text;
}
