import { expect, it } from 'vitest';

import { createCompletionDetector } from './completion-detector.ts';
import type { StreamEvent } from './stream-events.ts';

const createText = (choice = 0): StreamEvent => ({ type: 'text-delta', choice, text: 'a' });
const createEnd = (choice = 0): StreamEvent => ({ type: 'choice-end', choice, reason: 'stop' });

it.each([
  ['the text and finish reason of one candidate', 1, [createText(), createEnd()], true],
  ['text alone', 1, [createText()], false],
  ['one of two candidates', 2, [createText(), createText(1), createEnd()], false],
  ['both of two candidates', 2, [createText(), createEnd(1), createText(), createEnd()], true],
  ['a second finish reason', 1, [createText(), createEnd(), createEnd()], true],
  ['a finish reason in every chunk', 1, [createText(), createEnd(), createText(), createEnd()], false],
  [
    'an error',
    2,
    [createText(), { type: 'error', report: { source: 'provider', kind: 'failed', message: 'm' } }],
    true,
  ],
] satisfies [string, number, StreamEvent[], boolean][])(
  'detects whether an answer is complete with %s',
  (_, candidateCount, events, expected) => {
    const detector = createCompletionDetector(candidateCount);
    for (const event of events) detector.add(event);
    expect(detector.isComplete()).toBe(expected);
  },
);
