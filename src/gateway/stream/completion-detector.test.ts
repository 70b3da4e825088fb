import { expect, it } from 'vitest';

import { createAnsweredMark } from './completion-detector.ts';
import type { StreamEvent } from './stream-events.ts';

const text = (choice = 0): StreamEvent => ({ type: 'text-delta', choice, text: 'a' });
const end = (choice = 0): StreamEvent => ({ type: 'choice-end', choice, reason: 'stop' });

it.each([
  ['one candidate and its finish reason', 1, [text(), end()], true],
  ['text alone', 1, [text()], false],
  ['one of two candidates', 2, [text(), text(1), end()], false],
  ['two of two candidates', 2, [text(), end(1), text(), end()], true],
  ['another finish reason', 1, [text(), end(), end()], true],
  ['a finish reason in every chunk', 1, [text(), end(), text(), end()], false],
  [
    'an error',
    2,
    [text(), { type: 'error', report: { source: 'provider', kind: 'failed', message: 'm' } }],
    true,
  ],
] satisfies [string, number, StreamEvent[], boolean][])('with %s', (_, asked, events, expected) => {
  const mark = createAnsweredMark(asked);
  for (const event of events) mark.see(event);
  expect(mark.isAnswered()).toBe(expected);
});
