import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createBufferingDetector, type BufferingDetector } from './buffering.ts';

let nowMs = 0;
let detector: BufferingDetector;

/** Advances the clock while all page timers fire on time. */
function advanceClock(ms: number): void {
  for (let remainingMs = ms; remainingMs > 0; remainingMs -= 10) {
    nowMs += 10;
    vi.advanceTimersByTime(10);
  }
}

/** Sends five events that are 200 ms apart at the server and `gapMs` ms apart on the page. */
function streamEvents(startMs: number, gapMs: number): void {
  for (let event = 0; event < 5; event += 1) {
    detector.recordFrame(1, startMs + event * 200);
    advanceClock(gapMs);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  detector = createBufferingDetector(() => nowMs);
  // The heartbeat timer starts with the first frame.
  detector.recordFrame(1, 0);
  advanceClock(1500);
});
afterEach(() => {
  advanceClock(5000);
  vi.useRealTimers();
});

describe('buffering detector', () => {
  it('detects a buffering proxy after three bursts within a minute', () => {
    for (const startMs of [1000, 3000]) {
      streamEvents(startMs, 0);
      advanceClock(1900);
      expect(detector.isBuffered()).toBe(false);
    }
    streamEvents(5000, 0);
    expect(detector.isBuffered()).toBe(true);
  });

  it('ignores bursts that occur less often than three times a minute', () => {
    for (const startMs of [1000, 41_000, 81_000]) {
      streamEvents(startMs, 0);
      for (let second = 0; second < 40; second += 1) {
        advanceClock(1000);
        detector.recordFrame(1, startMs + 1000 + second * 1000);
      }
    }
    expect(detector.isBuffered()).toBe(false);
  });

  it('ignores bursts caused by a busy page', () => {
    for (const startMs of [1000, 3000, 5000, 7000]) {
      // Simulates a main thread blocked for a second: no timer, no frame.
      nowMs += 1000;
      streamEvents(startMs, 0);
      advanceClock(1000);
    }
    expect(detector.isBuffered()).toBe(false);
  });

  it.each([
    ['at most 100 ms late', 200, true],
    ['more than 100 ms late', 210, false],
  ])('counts bursts only on a page with a timely timer: %s', (_, delayMs, isExpected) => {
    for (const startMs of [1000, 3000, 5000]) {
      nowMs += delayMs;
      streamEvents(startMs, 0);
      advanceClock(1900);
    }
    expect(detector.isBuffered()).toBe(isExpected);
  });

  it('ignores bursts after a reconnect', () => {
    for (const startMs of [1000, 3000, 5000, 7000]) {
      detector.recordReconnect();
      streamEvents(startMs, 0);
      advanceClock(1900);
    }
    expect(detector.isBuffered()).toBe(false);
  });
});

it('ignores evenly spaced frames and bursts sent by the gateway itself', () => {
  for (const startMs of [1000, 3000, 5000, 7000]) streamEvents(startMs, 200);
  for (let burst = 0; burst < 10; burst += 1) {
    for (let event = 0; event < 20; event += 1) detector.recordFrame(1, 9000 + burst * 1000 + event);
    advanceClock(1000);
  }
  expect(detector.isBuffered()).toBe(false);
});
