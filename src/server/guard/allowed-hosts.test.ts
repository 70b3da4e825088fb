import { expect, it } from 'vitest';

import { parseListenHost } from '../listen-host.ts';
import { createGuardSettings } from './allowed-hosts.ts';

function createTestSettings(host: string, allowedHosts: string[], port: number) {
  const listenHost = parseListenHost(host);
  if (listenHost === undefined) throw new Error('The host must be rejected');
  const { originsByHost, ...rest } = createGuardSettings({ listenHost, allowedHosts }, port);
  return { ...rest, origins: Object.fromEntries(originsByHost) };
}

it('accepts names of this machine with the port, and other hosts with or without it', () => {
  expect(createTestSettings('192.0.2.7', ['bench.example', 'other.example:8443', 'localhost'], 4780)).toEqual(
    {
      canonicalOrigin: 'http://192.0.2.7:4780',
      redirectedHost: 'localhost:4780',
      origins: {
        'bench.example': ['http://bench.example', 'https://bench.example'],
        'bench.example:4780': ['http://bench.example:4780', 'https://bench.example:4780'],
        'other.example:8443': ['http://other.example:8443', 'https://other.example:8443'],
        localhost: ['http://localhost', 'https://localhost'],
        'localhost:4780': ['http://localhost:4780', 'https://localhost:4780'],
        '127.0.0.1:4780': ['http://127.0.0.1:4780'],
        '[::1]:4780': ['http://[::1]:4780'],
        '192.0.2.7:4780': ['http://192.0.2.7:4780'],
      },
    },
  );
});

it('accepts hosts without a port for port 80, and IPv6 addresses in brackets', () => {
  expect(createTestSettings('2001:db8::7', [], 80)).toEqual({
    canonicalOrigin: 'http://[2001:db8::7]',
    redirectedHost: 'localhost',
    origins: {
      localhost: ['http://localhost'],
      '127.0.0.1': ['http://127.0.0.1'],
      '[::1]': ['http://[::1]'],
      '[2001:db8::7]': ['http://[2001:db8::7]'],
    },
  });
});
