import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRedaction } from './redaction.ts';
import type { Redactor } from './redaction.ts';

const KEY = 'fk-canary/aab"aab-1234';
const redaction = createRedaction({
  apiKey: KEY,
  extraHeaders: [
    ['x-api-key', 'Bearer second-secret'],
    ['x-team', 'blue-team'],
  ],
});

function through(redactor: Redactor | undefined, pieces: readonly string[]): string {
  if (redactor === undefined) throw new Error('nothing is redacted');
  const out = pieces.map((piece) => redactor.push(Buffer.from(piece)));
  return Buffer.concat([...out, redactor.flush()]).toString();
}

describe('redaction of an answer', () => {
  it('takes every form of the key out, and credentials in further headers, and nothing else', () => {
    const text = `a ${KEY}${KEY} b ${JSON.stringify(KEY)} c ${encodeURIComponent(KEY)} d second-secret e blue-team f fk-canary g`;
    expect(through(redaction.ofAnswer(), [text])).toBe(
      'a [redacted][redacted] b "[redacted]" c [redacted] d [redacted] e blue-team f fk-canary g',
    );
  });

  it('gives the same result however the bytes are cut into packets', () => {
    const text = `é${KEY}fk-canary/aab"aab-123${KEY}x fk-fk-canary/aab"aab-1234 second-secresecond-secret fk`;
    const whole = through(redaction.ofAnswer(), [text]);
    expect(whole).not.toContain(KEY);
    const bytes = Buffer.from(text);
    assert(
      property(array(integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const redactor = redaction.ofAnswer();
        if (redactor === undefined) return false;
        const edges = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const out = edges.slice(1).map((to, index) => redactor.push(bytes.subarray(edges[index], to)));
        return Buffer.concat([...out, redactor.flush()]).toString() === whole;
      }),
    );
    expect(through(redaction.ofAnswer(), text.split(''))).toBe(whole);
  });

  it('keeps back only what may be the beginning of a key', () => {
    const redactor = redaction.ofAnswer();
    expect(redactor?.push(Buffer.from('data: x fk-can')).toString()).toBe('data: x ');
    expect(redactor?.push(Buffer.from('dle\n\n')).toString()).toBe('fk-candle\n\n');
    expect(redactor?.push(Buffer.from('data: y\n\n')).toString()).toBe('data: y\n\n');
  });
});

describe('redaction of an error', () => {
  it('also takes out whatever looks like a key of the gateway', () => {
    const text = 'Incorrect key fk-0123456789abcdef provided; keys begin with fk- here. é';
    const clean = 'Incorrect key [redacted] provided; keys begin with fk- here. é';
    expect(through(redaction.ofError(), [text])).toBe(clean);
    expect(through(redaction.ofError(), text.split(/(?<=[a-f0-9])/))).toBe(clean);
    expect(redaction.ofText(text)).toBe(clean);
  });
});

it('leaves words alone that local servers take for a key', () => {
  for (const apiKey of ['ollama', 'none', 'lm-studio', 'x']) {
    expect(createRedaction({ apiKey, extraHeaders: [] }).ofAnswer()).toBeUndefined();
  }
});
