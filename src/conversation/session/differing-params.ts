import { PARAMS, type ParamName, type Params } from '../setup/params.ts';

/** The rows that are not sent alike in all lanes: sent in one and not in another, or with other values. */
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
