import { describe, expect, it } from 'vitest';

import {
  matchLaneResults,
  type PendingResultsRow,
  type DraftToolResults,
} from '../../conversation/request/pending-tool-results.ts';
import { formatMissingResults } from './format-missing-results.ts';
import { formatToolJson } from './tool-call-card.tsx';

function createRow(...lanes: string[][]): PendingResultsRow {
  return {
    promptId: 'p',
    lanes: lanes.map((names, index) => ({
      laneId: `lane${index}`,
      turnId: `turn${index}`,
      calls: names.map((name, slot) => ({
        id: `c${slot}`,
        type: 'function',
        function: { name, arguments: `{"n":${slot}}` },
      })),
    })),
  };
}

function formatMissing(
  pendingRow: PendingResultsRow,
  draftResults: DraftToolResults = {},
): string | undefined {
  return formatMissingResults(
    matchLaneResults(pendingRow, draftResults),
    pendingRow.lanes.map(({ laneId }) => laneId),
  );
}

const createKey = (name: string, slot: number) => JSON.stringify([name, `{"n":${slot}}`, 0]);

describe('description of missing results', () => {
  it('lists missing tool results by lane and call, grouping lanes that need the same results', () => {
    expect(formatMissing(createRow(['a', 'b'], ['a', 'b'], ['c']))).toBe(
      'Lanes A and B still need a result for a and b. Lane C still needs a result for c.',
    );
    expect(formatMissing(createRow(['a', 'a'], ['b']), { [createKey('b', 0)]: { text: 'x' } })).toBe(
      'Lane A still needs a result for a (2).',
    );
  });

  it('counts the missing tool results of a single lane, and returns undefined if none are missing', () => {
    expect(formatMissing(createRow(['a', 'b']))).toBe('Add 2 results first.');
    expect(formatMissing(createRow(['a']), { [createKey('a', 0)]: { text: 'x' } })).toBeUndefined();
  });
});

describe('formatted tool JSON', () => {
  it('returns tool JSON unchanged if it is nested too deeply', () => {
    const text = '['.repeat(3000) + ']'.repeat(3000);
    expect(formatToolJson(text)).toBe(text);
  });

  it('formats short tool JSON on one line and preserves digits and duplicate keys', () => {
    expect(formatToolJson('{"order_id":"48213"}')).toBe('{ "order_id": "48213" }');
    expect(formatToolJson('{"a":"x\\n  y"}')).toBe('{ "a": "x\\n  y" }');
    expect(formatToolJson('{"id": 9007199254740993, "id": 1.0}')).toBe(
      '{ "id": 9007199254740993, "id": 1.0 }',
    );
    expect(formatToolJson('{"order_id":"48213","include_position":true}')).toBe(
      '{\n  "order_id": "48213",\n  "include_position": true\n}',
    );
  });
});
