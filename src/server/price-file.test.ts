import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { getNumberProperty, getOwnProperty } from '../lib/json.ts';
import { ConfigurationError } from './configuration-error.ts';
import { listGatewayPrices, readPriceFile } from './price-file.ts';
import { startTestPlayground } from './testing/test-playground.ts';

/** Writes a file of prices and returns its path. */
function writePriceFile(content: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-prices-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'prices.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const readPrices = (file: string, gateways = ['production', 'staging']) =>
  readPriceFile((name) => (name === 'GATEWAY_PRICES' ? file : undefined), gateways);

const one = { model: 'north/one', input: 3, output: 15, currency: 'USD' };

describe('file of prices', () => {
  it('has no entries if GATEWAY_PRICES is unset', () => {
    expect(readPriceFile(() => undefined, ['default'])).toEqual([]);
  });

  it('reads every field, also after a byte order mark', () => {
    const all = { ...one, gateway: 'staging', cached_input: 0, reasoning: 20.5, currency: 'EUR' };
    expect(readPrices(writePriceFile(`\uFEFF${JSON.stringify([one, all])}`))).toEqual([
      { model: 'north/one', inputPerMillion: 3, outputPerMillion: 15, currency: 'USD' },
      {
        gateway: 'staging',
        model: 'north/one',
        inputPerMillion: 3,
        outputPerMillion: 15,
        cachedInputPerMillion: 0,
        reasoningPerMillion: 20.5,
        currency: 'EUR',
      },
    ]);
  });

  it('finds a relative path from the current folder', () => {
    expect(readPrices(path.relative(process.cwd(), writePriceFile([one])))).toHaveLength(1);
  });

  it('uses an entry that names the gateway instead of one for all gateways', () => {
    const entries = readPrices(
      writePriceFile([{ ...one, gateway: 'staging', input: 1 }, one, { ...one, model: 'north/two' }]),
    );
    const listInputPrices = (gateway: string) =>
      listGatewayPrices(entries, gateway).map(({ model, inputPerMillion }) => [model, inputPerMillion]);
    expect(listInputPrices('staging')).toEqual([
      ['north/one', 1],
      ['north/two', 3],
    ]);
    expect(listInputPrices('production')).toEqual([
      ['north/one', 3],
      ['north/two', 3],
    ]);
    expect(listGatewayPrices(entries, 'staging')[0]).not.toHaveProperty('gateway');
  });

  it.each<[string, unknown, string]>([
    ['other text', '[{', 'is not valid JSON:'],
    ['an object', one, 'must contain a JSON list.'],
    ['a text as entry', [one, 'north/two'], 'entry 2 is not an object.'],
    ['no model', [{ input: 3, output: 15, currency: 'USD' }], 'entry 1 has no "model".'],
    ['an empty model', [{ ...one, model: ' ' }], 'entry 1 has a wrong "model": it is empty.'],
    ['no price of output', [{ model: 'a', input: 3, currency: 'USD' }], 'entry 1 has no "output".'],
    [
      'a price as text',
      [{ ...one, input: '3' }],
      'entry 1 has a wrong "input": it must be a number of 0 or more',
    ],
    [
      'a price of null',
      [{ ...one, cached_input: null }],
      'entry 1 has a wrong "cached_input": it must be a number',
    ],
    [
      'a negative price',
      [{ ...one, reasoning: -1 }],
      'entry 1 has a wrong "reasoning": it must be a number of 0',
    ],
    [
      'an infinite price',
      '[{"model": "a", "input": 1e400, "output": 1, "currency": "USD"}]',
      'entry 1 has a wrong "input": it must be a number of 0 or more',
    ],
    ['an unknown field', [{ ...one, ouput: 3 }], 'entry 1 has the unknown field "ouput".'],
    ['no currency', [{ model: 'a', input: 3, output: 15 }], 'entry 1 has no "currency".'],
    [
      'a symbol as currency',
      [{ ...one, currency: '$' }],
      'entry 1 has a wrong "currency": it must be three capital',
    ],
    [
      'an unknown gateway',
      [one, one, { ...one, gateway: 'test' }],
      'entry 3 has the gateway "test", but there is only production, staging.',
    ],
    [
      'the same model twice',
      [one, { ...one, gateway: 'staging' }, { ...one, input: 4 }],
      'entries 1 and 3 both have the model "north/one" and the same gateway.',
    ],
  ])('refuses to start with %s', (_what, content, message) => {
    const file = writePriceFile(content);
    expect(() => readPrices(file)).toThrow(ConfigurationError);
    expect(() => readPrices(file)).toThrow(/^GATEWAY_PRICES: /);
    expect(() => readPrices(file)).toThrow(message);
  });

  it('refuses to start without the file', () => {
    expect(() => readPrices('/nowhere/prices.json')).toThrow(
      /^GATEWAY_PRICES: the file cannot be read: ENOENT.*\/nowhere\/prices\.json/,
    );
  });
});

describe('prices in the status', () => {
  it('are listed for the gateways that they apply to, after the login', async () => {
    const prices = [one, { ...one, model: 'demo/guide', gateway: 'demo' }];
    const password = 'a-long-password';
    const playground = await startTestPlayground({
      GATEWAYS: 'one,demo',
      GATEWAY_ONE_BASE_URL: 'http://127.0.0.1:9',
      GATEWAY_PRICES: writePriceFile(prices),
      PLAYGROUND_PASSWORD: password,
    });
    onTestFinished(() => playground.close());
    const refusal = await playground.get('/playground/status');
    expect([refusal.status, await refusal.text()]).toEqual([401, expect.not.stringContaining('north/one')]);
    const login = await playground.post('/playground/login', { password });
    const cookie = login.headers.get('set-cookie') ?? '';
    const response = await playground.get('/playground/status', { cookie });
    const status: unknown = await response.json();
    const gateways = getOwnProperty(status, 'gateways');
    const lists = (Array.isArray(gateways) ? gateways : []).map((gateway) =>
      getOwnProperty(gateway, 'prices'),
    );
    const common = { model: 'north/one', inputPerMillion: 3, outputPerMillion: 15, currency: 'USD' };
    expect(lists).toEqual([[common], [common, { ...common, model: 'demo/guide' }]]);
    expect(getOwnProperty(status, 'prices')).toEqual([common]);
    expect(getNumberProperty(status, 'requestsPerMinute')).toBe(50);
  });
});
