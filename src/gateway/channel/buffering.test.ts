import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createBufferingCheck, type BufferingCheck } from './buffering.ts';

let nowMs = 0;
let check: BufferingCheck;

/** So much time passes, with the page's timers on time. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 10) {
    nowMs += 10;
    vi.advanceTimersByTime(10);
  }
}

/** Five events over a second at the server; `apart` ms from each other on the page. */
function stream(from: number, apart: number): void {
  for (let event = 0; event < 5; event += 1) {
    check.heard(1, from + event * 200);
    pass(apart);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  check = createBufferingCheck(() => nowMs);
  // The timer beats from the first frame on.
  check.heard(1, 0);
  pass(1500);
});
afterEach(() => {
  pass(5000);
  vi.useRealTimers();
});

describe('frames that come in clumps', () => {
  it('three times in a minute are held back by something in between', () => {
    for (const from of [1000, 3000]) {
      stream(from, 0);
      pass(1900);
      expect(check.isBuffered()).toBe(false);
    }
    stream(5000, 0);
    expect(check.isBuffered()).toBe(true);
  });

  it('less often are nothing', () => {
    for (const from of [1000, 41_000, 81_000]) {
      stream(from, 0);
      for (let second = 0; second < 40; second += 1) {
        pass(1000);
        check.heard(1, from + 1000 + second * 1000);
      }
    }
    expect(check.isBuffered()).toBe(false);
  });

  it('because the page was busy are its own doing', () => {
    for (const from of [1000, 3000, 5000, 7000]) {
      // The main thread stands still for a second: no timer, no frame.
      nowMs += 1000;
      stream(from, 0);
      pass(1000);
    }
    expect(check.isBuffered()).toBe(false);
  });

  it.each([
    ['a tenth of a second late is still there', 200, true],
    ['later than that is not', 210, false],
  ])('on a page whose timer is %s', (_, ms, isFound) => {
    for (const from of [1000, 3000, 5000]) {
      nowMs += ms;
      stream(from, 0);
      pass(1900);
    }
    expect(check.isBuffered()).toBe(isFound);
  });

  it('after the connection broke were kept for the page', () => {
    for (const from of [1000, 3000, 5000, 7000]) {
      check.reconnected();
      stream(from, 0);
      pass(1900);
    }
    expect(check.isBuffered()).toBe(false);
  });
});

it('frames that come as they left are as they should be, also in bursts of the gateway itself', () => {
  for (const from of [1000, 3000, 5000, 7000]) stream(from, 200);
  for (let burst = 0; burst < 10; burst += 1) {
    for (let event = 0; event < 20; event += 1) check.heard(1, 9000 + burst * 1000 + event);
    pass(1000);
  }
  expect(check.isBuffered()).toBe(false);
});
