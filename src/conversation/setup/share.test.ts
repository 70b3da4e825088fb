import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getOwnProperty } from '../../lib/json.ts';
import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { defaultParams, PARAMS } from './params.ts';
import { shareHashPrefix } from './share-hash-prefix.ts';
import { encodeShareHash, decodeShareHash } from './share.ts';

const encodeHash = (content: unknown) =>
  shareHashPrefix + Buffer.from(JSON.stringify(content)).toString('base64url');
const decodeShared = (hash: string) => {
  const result = decodeShareHash(hash);
  if (!result.ok) throw new Error(result.problem);
  return result.sharedSetup;
};
const getProblem = (hash: string) => {
  const result = decodeShareHash(hash);
  return result.ok ? undefined : result.problem;
};

describe('share link', () => {
  it('restores model, system prompt and sent parameters of every lane', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 20 });
    const params = fc
      .array(fc.tuple(fc.constantFrom(...PARAMS.map((row) => row.name)), fc.boolean(), texts), {
        maxLength: 6,
      })
      .map((settings) => Object.fromEntries(settings.map(([name, sent, text]) => [name, { sent, text }])));
    const setups = fc.array(
      fc.record({ model: texts.filter((text) => text.length <= 500), system: texts, params }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(setups, texts, (inputSetups, draft) => {
        const decoded = decodeShared(encodeShareHash({ setups: inputSetups, draft }));
        const sentSetups = inputSetups.map((setup) => ({
          ...setup,
          params: Object.fromEntries(Object.entries(setup.params).filter(([, setting]) => setting.sent)),
        }));
        expect(decoded.setups).toEqual(sentSetups);
        expect(decoded.draft ?? '').toBe(draft);
      }),
    );
  });

  it('contains only URL-safe characters', () => {
    const hash = encodeShareHash({
      setups: [createTestSetup({ system: 'Grüße? + / & = #', params: createTickedParams({ stop: 'a b' }) })],
    });
    expect(hash).toMatch(/^#setup=[A-Za-z0-9_-]+$/);
  });

  it('includes the role of the system prompt and rejects unknown roles', () => {
    const setup = createTestSetup({ system: 'Be brief', systemRole: 'developer' });
    expect(decodeShared(encodeShareHash({ setups: [setup] })).setups).toEqual([setup]);
    expect(getProblem(encodeHash({ version: 1, lanes: [{ model: 'm', systemRole: 'user' }] }))).toBeDefined();
  });

  it('stays below 200 characters for a default setup', () => {
    expect(encodeShareHash({ setups: [createTestSetup({ params: defaultParams })] }).length).toBeLessThan(
      200,
    );
  });
});

describe('version of a share link', () => {
  const readVersion = (hash: string): unknown =>
    getOwnProperty(
      JSON.parse(Buffer.from(hash.slice(shareHashPrefix.length), 'base64url').toString()),
      'version',
    );

  it('is 2 with the name of a gateway, and 1 without one', () => {
    const setup = createTestSetup({ gateway: 'staging' });
    const hash = encodeShareHash({ setups: [setup] });
    expect(readVersion(hash)).toBe(2);
    expect(decodeShareHash(hash)).toMatchObject({ ok: true, sharedSetup: { setups: [setup] } });
    expect(readVersion(encodeShareHash({ setups: [createTestSetup()] }))).toBe(1);
  });

  it('is 3 with values of variables, because an earlier Bench would drop them', () => {
    const sharedSetup = { setups: [createTestSetup()], draft: 'Hi {{name}}', variables: { name: 'Ada' } };
    const hash = encodeShareHash(sharedSetup);
    expect(readVersion(hash)).toBe(3);
    expect(decodeShared(hash)).toEqual(sharedSetup);
    expect(readVersion(encodeShareHash({ ...sharedSetup, variables: {} }))).toBe(1);
  });
});

describe('invalid share link', () => {
  it.each([
    ['an empty link', shareHashPrefix],
    ['invalid base64', `${shareHashPrefix}%%%`],
    ['a truncated link', encodeShareHash({ setups: [createTestSetup()] }).slice(0, -9)],
    ['invalid JSON', shareHashPrefix + Buffer.from('hello').toString('base64url')],
    ['invalid UTF-8', shareHashPrefix + Buffer.from([0xff, 0xfe]).toString('base64url')],
  ])('rejects damaged content: %s', (_, hash) => {
    expect(getProblem(hash)).toBe('This link cannot be read. It was cut off or altered. Ask for a new one.');
  });

  it.each([
    ['a list instead of an object', []],
    ['no lanes', { version: 1, lanes: [] }],
    ['seven lanes', { version: 1, lanes: Array.from({ length: 7 }, () => ({ model: 'm' })) }],
    ['a model that is not text', { version: 1, lanes: [{ model: 7 }] }],
    ['a variable that is not text', { version: 3, lanes: [{ model: 'm' }], variables: { name: 1 } }],
    ['a parameter that is not text', { version: 1, lanes: [{ model: 'm', params: { temperature: 1 } }] }],
  ])('rejects content with %s', (_, content) => {
    expect(getProblem(encodeHash(content))).toContain('It contains no setup.');
  });

  it('rejects newer versions and excessive lengths', () => {
    expect(getProblem(encodeHash({ version: 4, lanes: [{ model: 'm' }] }))).toContain(
      'It was created by a newer version of Bench.',
    );
    expect(getProblem(shareHashPrefix + 'A'.repeat(500_000))).toContain('too long');
    const params = { stop: 'x'.repeat(20_001) };
    expect(getProblem(encodeHash({ version: 1, lanes: [{ model: 'm', params }] }))).toContain(
      'contains no setup',
    );
  });

  it('ignores everything except models, system prompts, known parameters and the draft', () => {
    const content = {
      version: 1,
      gateway: 'https://evil.test',
      apiKey: 'fk-1',
      draft: 'Hello',
      lanes: [
        {
          model: 'm',
          system: 's',
          baseUrl: 'https://evil.test',
          params: { temperature: '0.4', base_url: 'x', ['__proto__']: 'y' },
        },
      ],
    };
    const setup = { model: 'm', system: 's', params: { temperature: { sent: true, text: '0.4' } } };
    expect(decodeShareHash(encodeHash(content))).toEqual({
      ok: true,
      sharedSetup: { setups: [setup], draft: 'Hello' },
    });
  });
});
