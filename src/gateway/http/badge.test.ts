import { describe, expect, it } from 'vitest';

import { badgeOf, type BadgeFacts } from './badge.ts';
import type { HealthReading } from './health.ts';
import type { PlaygroundStatus } from './status.ts';

const up: HealthReading = { status: 200, latencyMs: 40, body: 'OK', ok: true, noRoute: false };
const slow: HealthReading = { ...up, latencyMs: 1501 };
const degraded: HealthReading = { ...up, degraded: true };
const noRoute: HealthReading = { ...up, status: 404, ok: false, noRoute: true };
const down: HealthReading = {
  latencyMs: 9,
  body: '',
  ok: false,
  noRoute: false,
  error: { source: 'network', kind: 'proxy-unreachable', message: 'Gone.' },
};
const real: PlaygroundStatus = {
  id: '1f',
  name: 'G',
  host: 'g',
  address: 'https://g/v1',
  demo: false,
  keyConfigured: true,
  requestsPerMinute: 50,
  version: '1',
};
const demo: PlaygroundStatus = { ...real, demo: true, keyConfigured: false };

const rows: [string, BadgeFacts, string][] = [
  ['nothing is known yet', { online: true, readings: [] }, 'Checking'],
  ['the last look was well', { online: true, status: real, readings: [up] }, 'Gateway up'],
  ['the answer took over 1,500 ms', { online: true, status: real, readings: [up, slow] }, 'Gateway slow'],
  [
    'the gateway says it is degraded',
    { online: true, status: real, readings: [degraded] },
    'Gateway degraded',
  ],
  ['the first look failed', { online: true, status: real, readings: [down] }, 'Checking'],
  ['one look failed after a good one', { online: true, status: real, readings: [up, down] }, 'Gateway up'],
  ['two looks failed', { online: true, status: real, readings: [up, down, down] }, 'Gateway down'],
  ['it came back', { online: true, status: real, readings: [down, down, up] }, 'Gateway up'],
  [
    'it says degraded twice under 503',
    {
      online: true,
      status: real,
      readings: [
        { ...degraded, ok: false },
        { ...degraded, ok: false },
      ],
    },
    'Gateway degraded',
  ],
  [
    'the key was rejected by models or chat',
    { online: true, status: real, readings: [up], lastUse: 'key-rejected' },
    'Key rejected',
  ],
  [
    'the key was rejected and then the gateway went',
    { online: true, status: real, readings: [down, down], lastUse: 'key-rejected' },
    'Gateway down',
  ],
  ['the browser has no network', { online: false, status: real, readings: [up] }, 'Offline'],
  ['no gateway is configured', { online: true, status: demo, readings: [up] }, 'Demo gateway'],
  [
    'the demo gateway is gone with its server',
    { online: true, status: demo, readings: [down, down] },
    'Gateway down',
  ],
  [
    'there is no health route and models answered',
    { online: true, status: real, readings: [noRoute], lastUse: 'accepted' },
    'Gateway up',
  ],
  [
    'there is no health route and nothing was asked yet',
    { online: true, status: real, readings: [noRoute] },
    'Checking',
  ],
];

describe('badgeOf', () => {
  it.each(rows)('where %s', (_when, facts, text) => {
    expect(badgeOf(facts).text).toBe(text);
  });

  it('says that requests go without a key, and why a gateway is down', () => {
    expect(badgeOf({ online: true, status: { ...real, keyConfigured: false }, readings: [up] }).detail).toBe(
      'Requests are sent without a key: none is configured.',
    );
    expect(badgeOf({ online: true, status: real, readings: [down, down] }).detail).toBe('Gone.');
    const silent: HealthReading = { latencyMs: 9, body: '', ok: false, noRoute: false };
    expect(badgeOf({ online: true, status: real, readings: [silent, silent] }).detail).toBe(
      'Its health route reports that it is down.',
    );
  });

  it('says why the demo gateway answers: none is configured, or a person has chosen it', () => {
    const detailOf = (status: PlaygroundStatus) => badgeOf({ online: true, status, readings: [up] }).detail;
    expect(detailOf(demo)).toBe('No gateway is configured, so the built-in one answers.');
    expect(detailOf({ ...demo, insteadOf: 'g' })).toMatch(/^The built-in one answers in place of g,/);
  });

  it('says no more than that a gateway is up where there is no more to say', () => {
    const known = { online: true, status: real };
    expect(badgeOf({ ...known, readings: [up] })).toStrictEqual({ text: 'Gateway up' });
    expect(badgeOf({ online: true, readings: [up] })).toStrictEqual({ text: 'Gateway up' });
    expect(badgeOf({ ...known, readings: [{ ...up, latencyMs: 1500 }] })).toStrictEqual({
      text: 'Gateway up',
    });
  });

  it('says in the details that there is no health route, and that requests go without a key', () => {
    const facts = { online: true, readings: [noRoute], lastUse: 'accepted' as const };
    expect(badgeOf({ ...facts, status: real }).detail).toBe(
      'This gateway has no health route; its models answer.',
    );
    expect(badgeOf({ ...facts, status: { ...real, keyConfigured: false } }).detail).toBe(
      'This gateway has no health route; its models answer. Requests are sent without a key: none is configured.',
    );
  });
});
