import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { createRedaction } from './redaction.ts';
import type { Redactor } from './redactor.ts';

const KEY = 'fk-canary/aab"aab-1234';
const redaction = createRedaction([
  {
    apiKey: KEY,
    extraHeaders: [
      ['x-api-key', 'Bearer second-secret'],
      ['x-team', 'blue-team'],
    ],
  },
]);

function redactAll(redactor: Redactor | undefined, pieces: readonly string[]): string {
  if (redactor === undefined) throw new Error('The redactor is missing');
  const out = pieces.map((piece) => redactor.push(Buffer.from(piece)));
  return Buffer.concat([...out, redactor.flush()]).toString();
}

describe('redaction of an answer', () => {
  it('removes every form of the key and credentials in extra headers, and nothing else', () => {
    const text = `a ${KEY}${KEY} b ${JSON.stringify(KEY)} c ${encodeURIComponent(KEY)} d second-secret e blue-team f fk-canary g`;
    expect(redactAll(redaction.createAnswerRedactor(), [text])).toBe(
      'a [redacted][redacted] b "[redacted]" c [redacted] d [redacted] e blue-team f fk-canary g',
    );
  });

  it('handles long text that repeats only the beginning of a key, and redacts a key after it', () => {
    const beginnings = 'fk-ab '.repeat(20_000);
    expect(redactAll(redaction.createErrorRedactor(), [beginnings, `${beginnings}fk-12345678`])).toBe(
      `${beginnings}${beginnings}[redacted]`,
    );
    expect(redactAll(redaction.createErrorRedactor(), ['x'.repeat(9000), 'fk-1234', '5678 end'])).toBe(
      `${'x'.repeat(9000)}[redacted] end`,
    );
  });

  it('searches only the end of a chunk for a cut key', () => {
    const execSpy = vi.spyOn(RegExp.prototype, 'exec');
    redactAll(redaction.createErrorRedactor(), ['fk-'.repeat(20_000), 'fk-'.repeat(20_000)]);
    const lengths = execSpy.mock.calls.flatMap(([text], index) => {
      const regex: unknown = execSpy.mock.contexts[index];
      return regex instanceof RegExp && regex.source.endsWith('$') ? text.length : [];
    });
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(515);
  });

  it('gives the same result however the bytes are split into packets', () => {
    const text = `é${KEY}fk-canary/aab"aab-123${KEY}x fk-fk-canary/aab"aab-1234 second-secresecond-secret fk`;
    const expected = redactAll(redaction.createAnswerRedactor(), [text]);
    expect(expected).not.toContain(KEY);
    const bytes = Buffer.from(text);
    assert(
      property(array(integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const redactor = redaction.createAnswerRedactor();
        if (redactor === undefined) return false;
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const out = edges.slice(1).map((end, index) => redactor.push(bytes.subarray(edges[index], end)));
        return Buffer.concat([...out, redactor.flush()]).toString() === expected;
      }),
    );
    expect(redactAll(redaction.createAnswerRedactor(), text.split(''))).toBe(expected);
  });

  it('holds back only the possible beginning of a key', () => {
    const redactor = redaction.createAnswerRedactor();
    expect(redactor?.push(Buffer.from('data: x fk-can')).toString()).toBe('data: x ');
    expect(redactor?.push(Buffer.from('dle\n\n')).toString()).toBe('fk-candle\n\n');
    expect(redactor?.push(Buffer.from('data: y\n\n')).toString()).toBe('data: y\n\n');
    expect(redactor?.push(Buffer.from(`data: ${KEY}`)).toString(), 'a complete key').toBe('data: [redacted]');
  });
});

describe('redaction of encoded secrets', () => {
  const secret = `fk-a/b+c=d&e<f>g"h'i-1`;
  const { createAnswerRedactor, createErrorRedactor, redactText } = createRedaction([
    {
      apiKey: secret,
      extraHeaders: [],
    },
  ]);
  const writtenForms: [by: string, as: string][] = [
    ['JSON', `fk-a/b+c=d&e<f>g\\"h'i-1`],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['JSON by PHP', `fk-a\\/b+c=d&e<f>g\\"h'i-1`],
    ['JSON by Go', `fk-a/b+c=d\\u0026e\\u003cf\\u003eg\\"h'i-1`],
    ['JSON by .NET', `fk-a/b\\u002Bc=d\\u0026e\\u003Cf\\u003Eg\\u0022h\\u0027i-1`],
    [
      'JSON with every character escaped',
      Array.from(secret, (character) => `\\u${toHexCode(character, 4)}`).join(''),
    ],
    [
      'JSON with every character escaped, inside JSON',
      Array.from(secret, (character) => `\\\\u${toHexCode(character, 4)}`).join(''),
    ],
    ['encodeURIComponent', encodeURIComponent(secret)],
    ['encodeURIComponent twice', encodeURIComponent(encodeURIComponent(secret))],
    ['URL encoding by Java', `fk-a%2Fb%2Bc%3Dd%26e%3Cf%3Eg%22h%27i-1`],
    ['URL encoding by older .NET versions', `fk-a%2fb%2bc%3dd%26e%3cf%3eg%22h%27i-1`],
    [
      'URL encoding with every character escaped',
      Array.from(secret, (character) => `%${toHexCode(character, 2)}`).join(''),
    ],
    ['HTML by PHP', `fk-a/b+c=d&amp;e&lt;f&gt;g&quot;h&#39;i-1`],
    ['HTML by Handlebars', `fk-a/b+c&#x3D;d&amp;e&lt;f&gt;g&quot;h&#x27;i-1`],
    ['HTML by Mustache', `fk-a&#x2F;b+c&#x3D;d&amp;e&lt;f&gt;g&quot;h&#39;i-1`],
    ['HTML by Python', `fk-a/b+c=d&amp;e&lt;f&gt;g&quot;h&#x27;i-1`],
    ['HTML by Go', `fk-a/b+c=d&amp;e&lt;f&gt;g&#34;h&#39;i-1`],
    ['XML', `fk-a/b+c=d&amp;e&lt;f&gt;g&quot;h&apos;i-1`],
    [
      'decimal character references',
      Array.from(secret, (character) => `&#${character.charCodeAt(0)};`).join(''),
    ],
    [
      'hexadecimal character references',
      Array.from(secret, (character) => `&#x${toHexCode(character, 2)};`).join(''),
    ],
    [
      'decimal character references for symbols only',
      secret.replace(/\W/g, (character) => `&#${character.charCodeAt(0)};`),
    ],
    [
      'hexadecimal character references for symbols only',
      secret.replace(/\W/g, (character) => `&#x${toHexCode(character, 2)};`),
    ],
    ['named character references', `fk-a&sol;b&plus;c&equals;d&amp;e&lt;f&gt;g&quot;h&apos;i-1`],
    ['JavaScript', `fk\\x2Da\\x2Fb\\x2bc\\x3dd\\x26e\\x3cf\\x3eg\\x22h\\x27i\\x2D1`],
    [
      'JavaScript with every character escaped, inside JSON',
      Array.from(secret, (character) => `\\\\x${toHexCode(character, 2)}`).join(''),
    ],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['uppercase hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
    ['UTF-16', Buffer.from(secret, 'utf16le').toString('latin1')],
    ['big-endian UTF-16', Buffer.from(secret, 'utf16le').swap16().toString('latin1')],
  ];

  it.each(writtenForms)('removes the secret in this encoding: %s', (_by, text) => {
    const clean = 'before [redacted] and after';
    expect(redactAll(createAnswerRedactor(), [`before ${text} and after`])).toBe(clean);
    expect(redactAll(createErrorRedactor(), `before ${text} and after`.split(''))).toBe(clean);
    expect(redactText(`before ${text} and after`)).toBe(clean);
  });

  it.each(['', 'B', 'Be', 'Bearer ', 'Authorization: Bearer '])(
    'removes the secret from base64 after "%s" in both alphabets',
    (prefix) => {
      const bytes = Buffer.from(`${prefix}${secret} and so on`);
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = bytes.toString(encoding);
        const clean = redactAll(createAnswerRedactor(), text.match(/.{1,3}/g) ?? []);
        expect(clean).toContain('[redacted]');
        const leftover = Buffer.from(clean.split('[redacted]')[0] ?? '', encoding).toString('latin1');
        expect(leftover.length).toBeLessThanOrEqual(prefix.length + 1);
        expect(clean.length).toBeLessThan(text.length - Math.floor((secret.length * 8) / 6) + 12);
      }
    },
  );

  it('removes the longer of two secrets with the same beginning, however they are split', () => {
    const redactionOfBoth = createRedaction([
      {
        apiKey: 'secret-key',
        extraHeaders: [['x-key', 'secret-key-of-more']],
      },
    ]);
    const text = 'secret-key-of-more secret-key-of-mor secret-keysecret-key-of-more';
    const clean = '[redacted] [redacted]-of-mor [redacted][redacted]';
    expect(redactAll(redactionOfBoth.createAnswerRedactor(), [text])).toBe(clean);
    expect(redactAll(redactionOfBoth.createAnswerRedactor(), text.split(''))).toBe(clean);
  });

  it('gives the same result for encoded secrets however the bytes are split into packets', () => {
    const bytes = Buffer.from(
      `é${writtenForms.map(([, text]) => text + text.slice(0, -1)).join('é')}fk`,
      'latin1',
    );
    const expected = redactAll(createAnswerRedactor(), [bytes.toString()]);
    assert(
      property(array(integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const redactor = createAnswerRedactor();
        if (redactor === undefined) return false;
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const out = edges.slice(1).map((end, index) => redactor.push(bytes.subarray(edges[index], end)));
        return Buffer.concat([...out, redactor.flush()]).toString() === expected;
      }),
    );
  });

  it('holds back at most the longest encoding and releases other escapes immediately', () => {
    const redactor = createAnswerRedactor();
    expect(redactor?.push(Buffer.from('a \\u0066\\u00')).toString()).toBe('a ');
    expect(redactor?.push(Buffer.from('e9\\n\\/')).toString()).toBe('\\u0066\\u00e9\\n\\/');
    const flood = Buffer.from('\\'.repeat(100_000));
    expect(redactor?.push(flood).length).toBeGreaterThan(flood.length - 10);
  });

  it('finds a secret that itself contains escapes', () => {
    for (const apiKey of ['a%2Fb\\u0041c-123', '%41%42%43%44%45%46', 'back\\slash\\key', '.*+?^${}()|[]/']) {
      const ownRedaction = createRedaction([{ apiKey, extraHeaders: [] }]);
      for (const form of [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])
        expect(redactAll(ownRedaction.createAnswerRedactor(), [`x ${form} y`])).toBe('x [redacted] y');
    }
  });
});

function toHexCode(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}

describe('secrets among the extra headers', () => {
  const redactHeaderValue = (name: string, value: string, text: string) =>
    redactAll(
      createRedaction([{ apiKey: 'unrelated-key', extraHeaders: [[name, value]] }]).createAnswerRedactor(),
      [text],
    );

  it('redacts headers with a credential name and long values, with and without a scheme', () => {
    for (const [name, value] of [
      ['x-api-key', 'abc-123'],
      ['authorization', 'Api-Key abc-123'],
      ['proxy-authorization', 'Basic abc-123'],
      ['x-portkey-virtual-key', 'abc-123'],
      ['x-accesstoken', 'abc-123'],
      ['key-of-team', 'abc-123'],
      ['x-jwt-assertion', 'Token abc-123'],
      ['x-session', 'Bearer abc-123'],
      ['x-signature', 'sha256 abc-123'],
      ['x-pat', 'pat abc-123 abc-123'],
    ] as const)
      expect(redactHeaderValue(name, value, 'you sent abc-123.'), name).toBe('you sent [redacted].');
    expect(redactHeaderValue('x-organization', 'a-long-organization', 'a-long-organization')).toBe(
      '[redacted]',
    );
  });

  it('keeps short header values and ordinary words', () => {
    expect(redactHeaderValue('x-portkey-provider', 'anthropic', 'made by anthropic')).toBe(
      'made by anthropic',
    );
    expect(redactHeaderValue('x-team', 'blue-team', 'the blue-team')).toBe('the blue-team');
    expect(redactHeaderValue('user-agent', 'Research platform', 'a platform for Research')).toBe(
      'a platform for Research',
    );
  });

  it('redacts header values from 12 characters, or from 6 with a credential name', () => {
    expect(redactHeaderValue('x-team', 'eleven-abcd', 'eleven-abcd')).toBe('eleven-abcd');
    expect(redactHeaderValue('x-team', 'twelve-abcde', 'twelve-abcde')).toBe('[redacted]');
    expect(redactHeaderValue('x-team', 'of elevenabcde', 'elevenabcde')).toBe('elevenabcde');
    expect(redactHeaderValue('x-team', 'of twelveabcdef', 'twelveabcdef')).toBe('[redacted]');
    expect(redactHeaderValue('x-key', 'fiveX', 'fiveX')).toBe('fiveX');
    expect(redactHeaderValue('x-key', 'sixSix', 'sixSix')).toBe('[redacted]');
  });
});

describe('redaction of a text', () => {
  it('detects a secret in lower case, as in header names and hosts', () => {
    const { redactText } = createRedaction([{ apiKey: 'Sk-MIXED-case', extraHeaders: [] }]);
    expect(redactText('x-sk-mixed-case, Sk-MIXED-case, sk%2Dmixed%2dcase')).toBe(
      'x-[redacted], [redacted], [redacted]',
    );
  });
});

describe('redaction of an error', () => {
  it('removes anything that looks like a gateway key from an error', () => {
    const text = 'Incorrect key fk-0123456789abcdef provided; keys begin with fk- here. é';
    const clean = 'Incorrect key [redacted] provided; keys begin with fk- here. é';
    expect(redactAll(redaction.createErrorRedactor(), [text])).toBe(clean);
    expect(redactAll(redaction.createErrorRedactor(), text.split(/(?<=[a-f0-9])/))).toBe(clean);
    expect(redaction.redactText(text)).toBe(clean);
  });
});

it('removes anything that looks like a key from an error even if no gateway is configured', () => {
  const { createErrorRedactor, createAnswerRedactor, redactText } = createRedaction([]);
  expect(createAnswerRedactor()).toBeUndefined();
  expect(redactAll(createErrorRedactor(), ['a fk-0123', '45678 b'])).toBe('a [redacted] b');
  expect(redactText('a fk-012345678 b')).toBe('a [redacted] b');
});

it('keeps ordinary words that local servers use as a key', () => {
  for (const apiKey of ['ollama', 'none', 'lm-studio', 'x']) {
    expect(createRedaction([{ apiKey, extraHeaders: [] }]).createAnswerRedactor()).toBeUndefined();
  }
});
