import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { readConfig } from './config.ts';
import { createSettingLookup } from './settings-source.ts';

function readTestConfig(settings: Record<string, string>) {
  return readConfig((name) => settings[name], { port: 4780 });
}

/** Returns the address, key and timeouts of the first gateway. */
const readRemote = (settings: Record<string, string>) => readTestConfig(settings).gateways[0].remote;

describe('valid settings', () => {
  it('uses the demo gateway at 127.0.0.1:4780 with 50 requests per minute by default', () => {
    expect(readTestConfig({})).toStrictEqual({
      demoTokensPerSecond: 60,
      hasDemoQuirks: false,
      gateways: [
        { name: 'default', label: 'Demo gateway', requestsPerMinute: 50, limitVariable: 'GATEWAY_RPM' },
      ],
      listenHost: { address: '127.0.0.1', urlHost: '127.0.0.1', isLoopback: true, isWildcard: false },
      port: 4780,
      prices: [],
      allowedHosts: [],
    });
  });

  it.each([
    ['https://gateway.example', '', ['/v1']],
    ['https://gateway.example/', '', ['/v1']],
    ['https://gateway.example/v1', '', ['/v1']],
    ['http://127.0.0.1:11434/v1//', '', ['/v1']],
    ['https://gateway.example/api/v1', '/api', ['/api/v1']],
    ['https://gateway.example/api/paas/v4/', '/api/paas/v4', ['/api/paas/v4']],
    ['https://gateway.example/v1beta/openai', '/v1beta/openai', ['/v1beta/openai', '/v1beta/openai/v1']],
    ['https://gateway.example/inference', '/inference', ['/inference/v1', '/inference']],
    ['https://gateway.example/v1/chat/completions', '', ['/v1']],
    ['https://gateway.example/api/v3/Embeddings//', '/api/v3', ['/api/v3']],
    ['https://gateway.example/chat/completions', '', ['', '/v1']],
    ['https://gateway.example/healthz', '', ['/v1']],
  ])('finds the API of %s', (text, prefix, apiPaths) => {
    const gateway = readRemote({ GATEWAY_BASE_URL: text });
    expect(gateway?.origin).toBe(new URL(text).origin);
    expect(gateway?.path).toMatchObject({ prefix, apiPaths });
  });

  it('drops the query of a pasted endpoint', () => {
    const gateway = readRemote({
      GATEWAY_BASE_URL: 'https://gateway.example/v1/models/?limit=5#top',
    });
    expect(gateway).toMatchObject({ origin: 'https://gateway.example', path: { apiPaths: ['/v1'] } });
  });

  it('sets timeouts of 10 s for a connection and 10 minutes for headers and between events by default', () => {
    expect(readRemote({ GATEWAY_BASE_URL: 'https://g.example' })).toMatchObject({
      connectTimeoutMs: 10_000,
      headersTimeoutMs: 600_000,
      idleTimeoutMs: 600_000,
    });
  });

  it('accepts loopback addresses in every notation without a password', () => {
    const hosts = [
      'localhost',
      '127.0.0.1',
      '127.1',
      '0x7f.0.0.1',
      '2130706433',
      '::1',
      '[::1]',
      '[127.0.0.1]',
      '0:0:0:0:0:0:0:1',
      '::ffff:127.0.0.1',
    ];
    for (const host of hosts) {
      const { listenHost } = readTestConfig({ HOST: host });
      expect(listenHost.isLoopback, host).toBe(true);
      expect(listenHost.address).toMatch(/^(?:127\.0\.0\.1|::1|::ffff:7f00:1)$/);
    }
  });

  it('provides a URL host that a browser can open if HOST means all addresses', () => {
    for (const [host, urlHost] of [
      ['0', '127.0.0.1'],
      ['::', '[::1]'],
      ['::ffff:0.0.0.0', '127.0.0.1'],
      ['fe80::1', '[fe80::1]'],
    ] as const) {
      const { listenHost } = readTestConfig({ HOST: host, PLAYGROUND_PASSWORD: 'twelve chars' });
      expect(listenHost, host).toMatchObject({ urlHost, isWildcard: host !== 'fe80::1' });
    }
  });

  it('accepts extra headers together with a key and trims their values', () => {
    const config = readTestConfig({
      GATEWAY_BASE_URL: 'https://g.example',
      GATEWAY_API_KEY: 'fk-12345678',
      GATEWAY_EXTRA_HEADERS: '{"X-Team":" blue "}',
    });
    expect(config.gateways[0].remote).toMatchObject({
      apiKey: 'fk-12345678',
      extraHeaders: [['x-team', 'blue']],
    });
  });

  it('reads extra headers and allowed hosts', () => {
    const config = readTestConfig({
      GATEWAY_BASE_URL: 'https://g.example',
      GATEWAY_EXTRA_HEADERS: '{"X-Team":"blue","X-Number":7}',
      PLAYGROUND_ALLOWED_HOSTS: 'Bench.example, other.example:8443',
      PLAYGROUND_PASSWORD: 'long enough for others',
    });
    expect(config.gateways[0].remote?.extraHeaders).toEqual([
      ['x-team', 'blue'],
      ['x-number', '7'],
    ]);
    expect(config.allowedHosts).toEqual(['bench.example', 'other.example:8443']);
  });

  it('accepts a credential in the extra headers if there is no key', () => {
    const gateway = readRemote({
      GATEWAY_BASE_URL: 'https://g.example',
      GATEWAY_EXTRA_HEADERS: '{"Authorization":"Basic abc"}',
    });
    expect(gateway?.extraHeaders).toEqual([['authorization', 'Basic abc']]);
  });
});

describe('gateways by name', () => {
  it('reads each gateway from variables with its name, and shares only limit and timeouts', () => {
    const { gateways } = readTestConfig({
      GATEWAYS: 'production, eu-west,demo',
      GATEWAY_RPM: '30',
      GATEWAY_IDLE_TIMEOUT_MS: '5000',
      GATEWAY_PRODUCTION_BASE_URL: 'https://one.example/v1',
      GATEWAY_PRODUCTION_API_KEY: 'fk-one-12345',
      GATEWAY_PRODUCTION_RPM: '600',
      GATEWAY_EU_WEST_BASE_URL: 'https://two.example',
      GATEWAY_EU_WEST_EXTRA_HEADERS: '{"x-team":"blue"}',
      GATEWAY_EU_WEST_LABEL: 'Europe',
    });
    expect(gateways).toMatchObject([
      {
        name: 'production',
        label: 'production',
        requestsPerMinute: 600,
        limitVariable: 'GATEWAY_PRODUCTION_RPM',
        remote: { host: 'one.example', apiKey: 'fk-one-12345', extraHeaders: [], idleTimeoutMs: 5000 },
      },
      {
        name: 'eu-west',
        label: 'Europe',
        requestsPerMinute: 30,
        limitVariable: 'GATEWAY_RPM',
        remote: { host: 'two.example', extraHeaders: [['x-team', 'blue']], idleTimeoutMs: 5000 },
      },
      { name: 'demo', label: 'Demo gateway', requestsPerMinute: 30 },
    ]);
    expect(gateways[1]?.remote).not.toHaveProperty('apiKey');
    expect(gateways[2]).not.toHaveProperty('remote');
  });

  it('calls the only gateway by its host, or by GATEWAY_LABEL', () => {
    const settings = { GATEWAY_BASE_URL: 'https://g.example:8443' };
    expect(readTestConfig(settings).gateways).toMatchObject([{ name: 'default', label: 'g.example:8443' }]);
    expect(readTestConfig({ ...settings, GATEWAY_LABEL: 'Ours' }).gateways[0].label).toBe('Ours');
  });

  const one = { GATEWAY_ONE_BASE_URL: 'https://one.example' };
  it.each<[string, Record<string, string>, string]>([
    ['an empty name', { GATEWAYS: 'one,' }, 'GATEWAYS contains "": a name has'],
    ['a name in capitals', { GATEWAYS: 'One' }, 'GATEWAYS contains "One": a name has'],
    ['a name that begins with a digit', { GATEWAYS: '1one' }, 'GATEWAYS contains "1one"'],
    ['an underscore', { GATEWAYS: 'o_e' }, 'GATEWAYS contains "o_e"'],
    ['a reserved name', { GATEWAYS: 'one,channel' }, 'GATEWAYS contains channel, which is reserved'],
    ['the same name twice', { GATEWAYS: 'one, one' }, 'GATEWAYS contains one twice'],
    ['21 names', { GATEWAYS: Array.from({ length: 21 }, (_, index) => `g${index}`).join() }, 'at most 20'],
    ['a name without an address', { GATEWAYS: 'one' }, 'GATEWAY_ONE_BASE_URL is not set'],
    ['a key without an address', { GATEWAYS: 'one', GATEWAY_ONE_API_KEY: 'k' }, 'set GATEWAY_ONE_BASE_URL'],
    [
      'an address for demo',
      { GATEWAYS: 'demo', GATEWAY_DEMO_BASE_URL: 'https://x.example' },
      'use another name',
    ],
    [
      'GATEWAY_BASE_URL beside it',
      { GATEWAYS: 'one', ...one, GATEWAY_BASE_URL: 'https://g.example' },
      'use GATEWAY_ONE_BASE_URL',
    ],
    [
      'GATEWAY_API_KEY beside it',
      { GATEWAYS: 'one', ...one, GATEWAY_API_KEY: 'k' },
      'use GATEWAY_ONE_API_KEY',
    ],
    [
      'GATEWAY_EXTRA_HEADERS beside it',
      { GATEWAYS: 'one', ...one, GATEWAY_EXTRA_HEADERS: '{}' },
      'use GATEWAY_ONE_EXTRA_HEADERS',
    ],
    [
      'GATEWAY_LOG_URL beside it',
      { GATEWAYS: 'one', ...one, GATEWAY_LOG_URL: 'https://log.example' },
      'use GATEWAY_ONE_LOG_URL',
    ],
    [
      'a wrong address',
      { GATEWAYS: 'one', GATEWAY_ONE_BASE_URL: 'one.example' },
      'GATEWAY_ONE_BASE_URL must be an address',
    ],
    ['a wrong limit', { GATEWAYS: 'one', ...one, GATEWAY_ONE_RPM: 'ten' }, 'GATEWAY_ONE_RPM is "ten"'],
    [
      'wrong headers',
      { GATEWAYS: 'one', ...one, GATEWAY_ONE_EXTRA_HEADERS: '[]' },
      'GATEWAY_ONE_EXTRA_HEADERS must be',
    ],
  ])('rejects %s and names the variable', (_, settings, message) => {
    expect(() => readTestConfig(settings)).toThrow(message);
  });
});

describe('connection to the gateway', () => {
  const readTestGateway = (settings: Record<string, string>) =>
    readRemote({ GATEWAY_BASE_URL: 'https://g.example', ...settings });

  it('uses the proxies from the environment, lower-case names first', () => {
    expect(
      readTestGateway({
        HTTP_PROXY: 'http://one.test:3128',
        HTTPS_PROXY: 'two.test:3128',
        NO_PROXY: '.inside',
      }),
    ).toMatchObject({
      httpProxy: 'http://one.test:3128/',
      httpsProxy: 'http://two.test:3128/',
      noProxy: '.inside',
    });
    expect(
      readTestGateway({
        http_proxy: 'socks5://low.test:1080',
        HTTP_PROXY: 'http://high.test',
        https_proxy: 'https://low.test',
        HTTPS_PROXY: 'http://high.test',
        no_proxy: 'low',
        NO_PROXY: 'high',
      }),
    ).toMatchObject({
      httpProxy: 'socks5://low.test:1080',
      httpsProxy: 'https://low.test/',
      noProxy: 'low',
    });
    const bareGateway = readTestGateway({});
    expect(bareGateway).toMatchObject({ noProxy: '', isLoopback: false });
    for (const name of ['httpProxy', 'httpsProxy', 'apiKey']) expect(bareGateway).not.toHaveProperty(name);
  });

  it('connects directly to a gateway on this machine, whatever its name', () => {
    for (const host of ['localhost:1', '127.0.0.2', '[::1]:8080', 'gateway.localhost'])
      expect(readTestGateway({ GATEWAY_BASE_URL: `http://${host}` }), host).toMatchObject({
        isLoopback: true,
        host,
      });
    expect(readTestGateway({ GATEWAY_BASE_URL: 'http://localhost.example' })?.isLoopback).toBe(false);
  });

  it('uses the configured timeouts up to the maximum timer delay', () => {
    const maxTimerMs = '2147483647';
    expect(
      readTestGateway({
        GATEWAY_CONNECT_TIMEOUT_MS: '1',
        GATEWAY_HEADERS_TIMEOUT_MS: '0',
        GATEWAY_IDLE_TIMEOUT_MS: maxTimerMs,
      }),
    ).toMatchObject({ connectTimeoutMs: 1, headersTimeoutMs: 0, idleTimeoutMs: Number(maxTimerMs) });
    expect(() => readTestGateway({ GATEWAY_IDLE_TIMEOUT_MS: '2147483648' })).toThrow('from 0 to 2147483647');
  });
});

it('accepts numeric settings up to a sensible maximum', () => {
  const settings = { GATEWAY_RPM: '1000000', DEMO_GATEWAY_TOKENS_PER_SECOND: '100000', PORT: '65535' };
  expect(readTestConfig(settings)).toMatchObject({
    gateways: [{ requestsPerMinute: 1_000_000 }],
    demoTokensPerSecond: 100_000,
    port: 65_535,
  });
  for (const [name, value] of Object.entries(settings))
    expect(() => readTestConfig({ [name]: String(Number(value) + 1) })).toThrow(`${name} is `);
});

describe('invalid settings', () => {
  const baseSettings = { GATEWAY_BASE_URL: 'https://g.example' };
  it('rejects an invalid setting in one sentence that names the variable', () => {
    const invalidSettings: [string, Record<string, string>][] = [
      ['GATEWAY_BASE_URL', { GATEWAY_API_KEY: 'fk-12345678' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'gateway.example' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'ftp://gateway.example' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://user:word@gateway.example' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://gateway.example/?key=1' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://gateway.example/#key' }],
      ['DEMO_QUIRKS', { DEMO_QUIRKS: 'yes' }],
      ['GATEWAY_API_KEY', { ...baseSettings, GATEWAY_API_KEY: 'two words' }],
      ['GATEWAY_API_KEY', { ...baseSettings, GATEWAY_API_KEY: 'line\nline' }],
      ['GATEWAY_EXTRA_HEADERS', { ...baseSettings, GATEWAY_EXTRA_HEADERS: '{x: 1}' }],
      ['GATEWAY_EXTRA_HEADERS', { ...baseSettings, GATEWAY_EXTRA_HEADERS: '["x"]' }],
      ['GATEWAY_EXTRA_HEADERS', { ...baseSettings, GATEWAY_EXTRA_HEADERS: '{"x":null}' }],
      ['GATEWAY_EXTRA_HEADERS', { ...baseSettings, GATEWAY_EXTRA_HEADERS: '{"x y":"1"}' }],
      ['GATEWAY_EXTRA_HEADERS', { ...baseSettings, GATEWAY_EXTRA_HEADERS: '{"x":"1\\r\\ny: 2"}' }],
      ['GATEWAY_EXTRA_HEADERS', { ...baseSettings, GATEWAY_EXTRA_HEADERS: '{"Host":"evil.example"}' }],
      [
        'GATEWAY_EXTRA_HEADERS',
        { ...baseSettings, GATEWAY_API_KEY: 'fk-12345678', GATEWAY_EXTRA_HEADERS: '{"Authorization":"x"}' },
      ],
      ['GATEWAY_RPM', { GATEWAY_RPM: '-1' }],
      ['GATEWAY_RPM', { GATEWAY_RPM: 'many' }],
      ['GATEWAY_RPM', { GATEWAY_RPM: '1.5' }],
      ['GATEWAY_CONNECT_TIMEOUT_MS', { ...baseSettings, GATEWAY_CONNECT_TIMEOUT_MS: '10s' }],
      ['GATEWAY_HEADERS_TIMEOUT_MS', { ...baseSettings, GATEWAY_HEADERS_TIMEOUT_MS: '99999999999' }],
      ['GATEWAY_IDLE_TIMEOUT_MS', { ...baseSettings, GATEWAY_IDLE_TIMEOUT_MS: 'Infinity' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://user@gateway.example' }],
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://:word@gateway.example' }],
      ['HTTP_PROXY', { ...baseSettings, http_proxy: 'ftp://x' }],
      ['HTTP_PROXY', { ...baseSettings, HTTP_PROXY: 'http://' }],
      ['HOST', { HOST: 'bench.test:' }],
      ['HOST', { HOST: 'bench.test:8080' }],
      ['HOST', { HOST: '[::1]:80' }],
      ['HOST', { HOST: 'me@bench.test' }],
      ['HOST', { HOST: 'bench.test?x' }],
      ['HOST', { HOST: 'bench.test#x' }],
      ['HOST', { HOST: 'bench.test%20' }],
      ['HOST', { HOST: 'bench.test\\x' }],
      ['PLAYGROUND_ALLOWED_HOSTS', { PLAYGROUND_ALLOWED_HOSTS: 'bench.example, -a' }],
      ['PLAYGROUND_ALLOWED_HOSTS', { PLAYGROUND_ALLOWED_HOSTS: 'bench.example:123456' }],
      ['PORT', { PORT: '65536' }],
      ['PORT', { PORT: '0x10' }],
      ['HTTPS_PROXY', { ...baseSettings, HTTPS_PROXY: 'nonsense://x' }],
      ['PLAYGROUND_ALLOWED_HOSTS', { PLAYGROUND_ALLOWED_HOSTS: 'https://bench.example' }],
      ['HOST', { HOST: 'a b' }],
      ['HOST', { HOST: '127.0.0.1:80' }],
      ['HOST', { HOST: 'x/y' }],
      ['HOST', { HOST: '[::' }],
      ['HOST', { HOST: '[::1x' }],
      ['HOST', { HOST: 'x::1]' }],
    ];
    for (const [name, settings] of invalidSettings) {
      const read = () => readTestConfig(settings);
      expect(read, JSON.stringify(settings)).toThrow(name);
      expect(read).not.toThrow('fk-12345678');
    }
  });

  it('quotes the first 80 characters of an invalid setting', () => {
    const longText = 'x'.repeat(200);
    expect(() => readTestConfig({ HOST: `a ${longText}` })).toThrow(
      `HOST is "a ${'x'.repeat(78)}", which is neither`,
    );
    expect(() =>
      readTestConfig({ ...baseSettings, GATEWAY_EXTRA_HEADERS: JSON.stringify({ [longText]: '1' }) }),
    ).toThrow(`GATEWAY_EXTRA_HEADERS contains "${'x'.repeat(80)}", which is not a header name.`);
  });

  it('rejects a HOST that other machines can reach, in any notation, without PLAYGROUND_PASSWORD', () => {
    const hosts = [
      '0.0.0.0',
      '0',
      '00',
      '0x0',
      '0.0',
      '000.000.000.000',
      '::',
      '[::]',
      '0:0:0:0:0:0:0:0',
      '::ffff:0.0.0.0',
      '127.example.com',
      '192.168.1.5',
      '3232235781',
      'my-laptop',
      'my-laptop.local',
      'localhost.example',
      '169.254.1.1',
      'fe80::1',
      '128.0.0.1',
      '::ffff:10.0.0.1',
      '１９２.168.1.5',
    ];
    for (const host of hosts) {
      expect(() => readTestConfig({ HOST: host }), host).toThrow(
        /^HOST is .*, which other machines can reach: set PLAYGROUND_PASSWORD, or leave HOST at 127\.0\.0\.1\.$/,
      );
      expect(() => readTestConfig({ HOST: host, PLAYGROUND_PASSWORD: 'eleven char' }), host).toThrow(
        /^HOST is .*: PLAYGROUND_PASSWORD must have at least 12 characters\.$/,
      );
      expect(readTestConfig({ HOST: host, PLAYGROUND_PASSWORD: 'twelve chars' }).listenHost.isLoopback).toBe(
        false,
      );
    }
  });
});

describe('access from other machines', () => {
  it('requires a long password if an allowed host is not a name of this machine', () => {
    for (const host of [
      'demo.example.com',
      'lan.test:8080',
      'localhost.example',
      '192.168.1.5',
      '0.0.0.0',
      '[fe80::1]:80',
    ]) {
      const settings = { PLAYGROUND_ALLOWED_HOSTS: `localhost,${host}` };
      expect(() => readTestConfig(settings), host).toThrow(
        `PLAYGROUND_ALLOWED_HOSTS contains ${host}, which other machines can use: set PLAYGROUND_PASSWORD, or remove that name.`,
      );
      expect(() => readTestConfig({ ...settings, PLAYGROUND_PASSWORD: '👍'.repeat(11) }), host).toThrow(
        'PLAYGROUND_PASSWORD must have at least 12 characters',
      );
      expect(readTestConfig({ ...settings, PLAYGROUND_PASSWORD: 'twelve chars' }).password).toBe(
        'twelve chars',
      );
    }
  });

  it('accepts any password, or none, if all allowed hosts refer to this machine', () => {
    const hosts = 'localhost:8080, bench.localhost, 127.0.0.2, 127.1:80, [::1]:4780, [::ffff:7f00:1]';
    expect(readTestConfig({ PLAYGROUND_ALLOWED_HOSTS: hosts }).password).toBeUndefined();
    expect(readTestConfig({ PLAYGROUND_ALLOWED_HOSTS: hosts, PLAYGROUND_PASSWORD: 'short' }).password).toBe(
      'short',
    );
  });
});

describe('sources of settings', () => {
  it('prefers the environment over .env.local over .env and treats empty values as unset', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-settings-'));
    writeFileSync(path.join(folder, '.env'), 'A=env\nB=env\nC=env\nD="quoted # text"\n');
    writeFileSync(path.join(folder, '.env.local'), 'A=local\nB=local\n');
    const getSetting = createSettingLookup({ A: 'shell', C: '', F: '  ', G: ' padded ' }, folder);
    rmSync(folder, { recursive: true });
    const getSettingWithoutFiles = createSettingLookup({ A: 'shell' }, folder);
    expect(['A', 'B'].map(getSettingWithoutFiles)).toEqual(['shell', undefined]);
    expect(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'toString'].map(getSetting)).toEqual([
      'shell',
      'local',
      undefined,
      'quoted # text',
      undefined,
      undefined,
      'padded',
      undefined,
    ]);
  });
});
