import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createSentenceQueue } from './live-region.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('announces the first sentence immediately and merges sentences that follow within 1.5 s', () => {
  const announcements: string[] = [];
  const queue = createSentenceQueue((text) => announcements.push(text));
  queue.add('Sent to 3 lanes.');
  queue.add('Lane A done.');
  queue.add('Lane C failed.');
  queue.add('Lane A done.');
  expect(announcements).toEqual(['Sent to 3 lanes.']);
  vi.advanceTimersByTime(1499);
  expect(announcements).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(announcements).toEqual(['Sent to 3 lanes.', 'Lane A done. Lane C failed.']);
});

it('announces a sentence immediately after a quiet period', () => {
  const announcements: string[] = [];
  const queue = createSentenceQueue((text) => announcements.push(text));
  queue.add('One.');
  vi.advanceTimersByTime(3000);
  queue.add('Two.');
  expect(announcements).toEqual(['One.', 'Two.']);
});

it('announces nothing after the sentence queue is stopped', () => {
  const announcements: string[] = [];
  const queue = createSentenceQueue((text) => announcements.push(text));
  queue.add('One.');
  queue.add('Two.');
  queue.stop();
  vi.advanceTimersByTime(5000);
  expect(announcements).toEqual(['One.']);
});
