import { PARAMS, type ParamName, type Params } from '../setup/params.ts';

/** The rows that are not sent alike in all lanes: sent in one and not in another, or with other values. */
export function differingParams(lanes: readonly Params[]): ParamName[] {
  const [first = {}, ...rest] = lanes;
  return PARAMS.map((row) => row.name).filter((name) =>
    rest.some((params) => !isSentAlike(first, params, name)),
  );
}

function isSentAlike(one: Params, other: Params, name: ParamName): boolean {
  const [first, second] = [one[name], other[name]];
  if (!first?.sent && !second?.sent) return true;
  return first?.sent === second?.sent && first?.text === second?.text;
}
