import { describe, expect, it } from 'vitest';

import type { WireFinding } from '../../gateway/embeddings/parse-embeddings.ts';
import type { JobFinding } from './embedding-job-types.ts';
import { mergeFindings } from './embedding-job.ts';

describe('the findings of a job', () => {
  const zero: WireFinding = { kind: 'zero', severity: 'fault', items: [1] };

  it('returns the same findings if a response has none', () => {
    const previous: JobFinding[] = [];
    expect(mergeFindings(previous, [], [4, 5])).toBe(previous);
  });

  it('lists affected inputs of the job in order and counts responses', () => {
    const firstMerge = mergeFindings([], [zero], [7, 9]);
    expect(firstMerge).toEqual([{ kind: 'zero', severity: 'fault', inputs: [9], responseCount: 1 }]);
    const secondMerge = mergeFindings(firstMerge, [{ ...zero, items: [0, 1] }], [2, 10]);
    expect(secondMerge).toEqual([{ kind: 'zero', severity: 'fault', inputs: [2, 9, 10], responseCount: 2 }]);
    expect(firstMerge[0]?.responseCount).toBe(1);
  });

  it('distinguishes findings by kind and severity, and keeps the first expected and received values', () => {
    const ignored: WireFinding = {
      kind: 'format-ignored',
      severity: 'repaired',
      items: [],
      expected: 'a',
      received: 'b',
    };
    const first = mergeFindings([], [zero, ignored], [0, 1]);
    const newFindings: WireFinding[] = [
      { ...ignored, received: 'c' },
      { kind: 'zero', severity: 'note', items: [5] },
    ];
    expect(mergeFindings(first, newFindings, [0, 1])).toEqual([
      { kind: 'zero', severity: 'fault', inputs: [1], responseCount: 1 },
      {
        kind: 'format-ignored',
        severity: 'repaired',
        expected: 'a',
        received: 'b',
        inputs: [],
        responseCount: 2,
      },
      { kind: 'zero', severity: 'note', inputs: [], responseCount: 1 },
    ]);
  });
});
