import type { WireFinding } from '../../gateway/embeddings/embeddings-reading.ts';

/** A finding over all requests of a job. */
export interface JobFinding extends Omit<WireFinding, 'items'> {
  /** Which inputs of the job, ascending; empty where it concerns whole answers. */
  inputs: readonly number[];
  /** In how many answers. */
  answers: number;
}

/** Adds the findings of one answer, whose items were these inputs of the job. */
export function mergedFindings(
  known: readonly JobFinding[],
  found: readonly WireFinding[],
  inputs: readonly number[],
): readonly JobFinding[] {
  if (found.length === 0) return known;
  const merged = [...known];
  for (const { items, ...finding } of found) {
    const concerned = items.flatMap((item) => inputs[item] ?? []);
    const at = merged.findIndex(({ kind, weight }) => kind === finding.kind && weight === finding.weight);
    const before = merged[at];
    if (!before) merged.push({ ...finding, inputs: concerned, answers: 1 });
    else {
      const all = [...before.inputs, ...concerned].toSorted((one, other) => one - other);
      merged[at] = { ...before, inputs: all, answers: before.answers + 1 };
    }
  }
  return merged;
}
