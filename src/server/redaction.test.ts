import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRedaction } from './redaction.ts';
import type { Redactor } from './redactor.ts';

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

  it('reads much text that only begins like keys, and the key behind it', () => {
    const beginnings = 'fk-ab '.repeat(20_000);
    expect(through(redaction.ofError(), [beginnings, `${beginnings}fk-12345678`])).toBe(
      `${beginnings}${beginnings}[redacted]`,
    );
    expect(through(redaction.ofError(), ['x'.repeat(9000), 'fk-1234', '5678 end'])).toBe(
      `${'x'.repeat(9000)}[redacted] end`,
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

/** Every character as JSON may escape it, in turns so that all forms meet all neighbours. */
function escaped(text: string, form: number): string {
  return Array.from(text, (character, index) => {
    const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
    const forms = [
      `\\u${hex}`,
      `\\u${hex.toUpperCase()}`,
      /["/\\]/.test(character) ? `\\${character}` : character,
      `\\\\u${hex}`,
      `%${hex.slice(2)}`,
    ];
    return forms[(index + form) % forms.length];
  }).join('');
}

describe('redaction of a secret with escapes in it', () => {
  it.each([0, 1, 2, 3, 4])('takes it out whichever characters are escaped (turn %d)', (form) => {
    const text = `"a\\n ${escaped(KEY, form)} b\\\\${escaped('second-secret', form)}\\" 100% \\u00e9 c"`;
    const clean = '"a\\n [redacted] b[redacted]\\" 100% \\u00e9 c"';
    expect(through(redaction.ofAnswer(), [text])).toBe(clean);
    expect(through(redaction.ofAnswer(), text.split(''))).toBe(clean);
    expect(through(redaction.ofError(), [text])).toBe(clean);
    expect(redaction.ofText(text)).toBe(clean);
  });

  it('gives the same result however the bytes are cut into packets', () => {
    const text = `é\\${escaped(KEY, 0)}fk\\u002dcan%fk\\u002dcanary\\/aab\\"aab-123${escaped(KEY, 2)}\\u00e9${KEY}\\`;
    const whole = through(redaction.ofAnswer(), [text]);
    expect(whole).toBe(
      'é[redacted]fk\\u002dcan%fk\\u002dcanary\\/aab\\"aab-123[redacted]\\u00e9[redacted]\\',
    );
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
  });

  it('finds a secret that follows what may be the beginning of an escape', () => {
    const { ofAnswer } = createRedaction({ apiKey: 'abc123-xyz', extraHeaders: [] });
    for (const before of ['%', '\\u', '\\', '\\\\', '%2', '\\u00', '\\'.repeat(40)])
      expect(through(ofAnswer(), [`${before}abc123-xyz`])).not.toContain('abc123-xyz');
  });

  it('takes no letters beyond f and no signs for digits of an escape', () => {
    const { ofAnswer } = createRedaction({ apiKey: 'jklmno', extraHeaders: [] });
    for (const text of ['%6gklmno', '%6`klmno', '%6:klmno', '%6/klmno', '\\u006gjklmn', '%6Gklmno'])
      expect(through(ofAnswer(), [text])).toBe(text);
    for (const text of ['%6ajklmno', '%6Aklmno', '\\u006Aklmno', '%6aklmno'])
      expect(through(ofAnswer(), [text])).toContain('[redacted]');
  });

  it('finds a secret that holds escapes itself', () => {
    for (const apiKey of ['a%2Fb\\u0041c-123', '%41%42%43%44%45%46', 'back\\slash\\key']) {
      const { ofAnswer } = createRedaction({ apiKey, extraHeaders: [] });
      for (const form of [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])
        expect(through(ofAnswer(), [`x ${form} y`])).toBe('x [redacted] y');
    }
  });

  it('keeps back no more than the whole secret escaped, and lets other escapes go at once', () => {
    const redactor = redaction.ofAnswer();
    expect(redactor?.push(Buffer.from('a \\u0066k%2d\\u00')).toString()).toBe('a ');
    expect(redactor?.push(Buffer.from('e9\\n\\/')).toString()).toBe('\\u0066k%2d\\u00e9\\n\\/');
    const flood = Buffer.from('\\'.repeat(100_000));
    expect(redactor?.push(flood).length).toBeGreaterThan(flood.length - 100);
  });
});

describe('redaction of a text', () => {
  it('also knows a secret in lower case, as names of headers and hosts come', () => {
    const { ofText } = createRedaction({ apiKey: 'Sk-MIXED-case', extraHeaders: [] });
    expect(ofText('x-sk-mixed-case, Sk-MIXED-case, sk%2dmixed%2Dcase')).toBe(
      'x-[redacted], [redacted], [redacted]',
    );
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
