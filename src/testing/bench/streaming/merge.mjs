import { growthExponent } from './cost.mjs';

/** What was measured before with what was measured now, so that a long benchmark can be run in slices. */
export function merged(before, now) {
  return {
    ...before,
    ...now,
    ...(before.cost && now.cost ? { cost: mergedRows(before.cost, now.cost) } : {}),
    ...(before.shapes && now.shapes ? { shapes: mergedShapes(before.shapes, now.shapes) } : {}),
    ...(before.lanes && now.lanes ? { lanes: byName(before.lanes, now.lanes, (_, row) => row) } : {}),
  };
}

function mergedShapes(before, now) {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(kinds.map((kind) => [kind, mergedRows(before[kind] ?? [], now[kind] ?? [])]));
}

function mergedRows(before, now) {
  return byName(before, now, (known, row) => {
    const measured = new Set(row.sizes.map(({ tokens }) => tokens));
    const kept = known.sizes.filter(({ tokens }) => !measured.has(tokens));
    const sizes = [...kept, ...row.sizes].toSorted((one, other) => one.tokens - other.tokens);
    const points = sizes.map(({ tokens, taskMs }) => [tokens, taskMs]);
    const exponent = points.length > 1 ? growthExponent(points) : undefined;
    return { ...row, sizes, exponent, against: { ...known.against, ...row.against } };
  });
}

function byName(before, now, join) {
  const names = [...new Set([...before, ...now].map(({ name }) => name))];
  return names.map((name) => {
    const known = before.find((row) => row.name === name);
    const row = now.find((each) => each.name === name);
    return known && row ? join(known, row) : (row ?? known);
  });
}
