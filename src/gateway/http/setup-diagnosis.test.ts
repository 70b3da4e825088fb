import { describe, expect, it } from 'vitest';

import { demoGatewayId } from '../../lib/channel/frames.ts';
import type { ErrorReport } from '../errors/errors.ts';
import { failureOf, gatewayStateOf } from './gateway-state.ts';
import type { HealthReading } from './health.ts';
import { gatewaySetupOf } from './setup-diagnosis.ts';
import { inDemo, type PlaygroundStatus } from './status.ts';

const status: PlaygroundStatus = {
  id: '1f',
  name: 'G',
  host: 'g.example',
  address: 'https://g.example/v1',
  demo: false,
  keyConfigured: true,
  requestsPerMinute: 50,
  version: '1',
};
const offline: ErrorReport = { source: 'network', kind: 'offline', message: 'No network.' };
const down: HealthReading = { latencyMs: 9, body: '', ok: false, noRoute: false, error: offline };

/** The marks of the checks where the list failed with this. */
const marks = (modelsError: ErrorReport) =>
  gatewaySetupOf({ status, modelsError }).checks.map(({ mark }) => mark ?? '');

describe('the set-up card', () => {
  it.each<[string, ErrorReport, string]>([
    ['a browser without a network', offline, 'offline'],
    [
      'a server of ours that is gone',
      { source: 'network', kind: 'proxy-unreachable', message: 'Gone.' },
      'no answer',
    ],
    [
      'a redirect of the gateway',
      { source: 'gateway', kind: 'redirected', status: 308, message: 'Moved.' },
      '308 redirect',
    ],
    [
      'a redirect that our server met',
      { source: 'proxy', kind: 'redirected', status: 502, message: 'Moved.' },
      'redirect',
    ],
  ])('marks %s', (_, report, mark) => {
    expect(marks(report)[0]).toBe(mark);
  });

  it('says of a connection that failed in no known way what the gateway or the network said', () => {
    const modelsError = { source: 'proxy', kind: 'unreachable', message: 'Odd (EWHATEVER).' } as const;
    const { fix, checks } = gatewaySetupOf({ status, modelsError });
    expect(checks[0]?.mark).toBe('no connection');
    expect(fix).toMatchObject({ lead: expect.stringContaining('address'), note: 'Odd (EWHATEVER).' });
  });

  it.each<[string, Partial<PlaygroundStatus> | undefined, string | undefined]>([
    ['a server on the same machine', { host: 'localhost:8080', keyConfigured: false }, 'often needs no key'],
    ['one that was given a key', { host: 'localhost:8080' }, undefined],
    ['one elsewhere', { keyConfigured: false }, undefined],
    ['one of which nothing is known yet', undefined, undefined],
  ])('says that a key may be needless for %s, or nothing', (_, changes, note) => {
    const modelsError = { source: 'proxy', kind: 'unreachable', message: 'No (ECONNREFUSED).' } as const;
    const facts =
      changes === undefined ? { modelsError } : { status: { ...status, ...changes }, modelsError };
    const { fix } = gatewaySetupOf(facts);
    if (note === undefined) expect(fix?.note).toBeUndefined();
    else expect(fix?.note).toContain(note);
  });

  it('says a status once, where the type of the error is the same', () => {
    const rejected = { source: 'gateway', kind: 'key-rejected', status: 401, message: 'Wrong key.' } as const;
    expect(marks({ ...rejected, type: '401' })).toContain('401');
    expect(marks({ ...rejected, code: '401' })).toContain('401');
    expect(marks({ ...rejected, type: 'invalid_api_key' })).toContain('401 invalid_api_key');
  });

  it('cuts long words of the gateway, and names the address that was reached', () => {
    const modelsError = {
      source: 'gateway',
      kind: 'failed',
      status: 500,
      code: 'x',
      message: 'w'.repeat(300),
    } as const;
    const { checks } = gatewaySetupOf({ status, modelsError });
    expect(checks.map(({ reason }) => reason)).toEqual(expect.arrayContaining([`${'w'.repeat(239)}…`]));
    expect(checks[0]?.reason).toContain('https://g.example/v1/models');
    expect(
      gatewaySetupOf({ status: { ...status, host: '', address: '' }, modelsError }).checks[0]?.reason,
    ).toContain('the gateway');
  });

  it('is not for a rejected key where the demo gateway needs none', () => {
    const facts = { isKeyRejected: true, modelCount: 3 };
    expect(gatewayStateOf({ ...facts, status })).toBe('gateway');
    expect(gatewayStateOf({ ...facts, status: { ...status, demo: true } })).toBe('usable');
  });

  it('takes a list that is there for more than a health route that cannot be reached', () => {
    expect(failureOf({ status, health: down })).toBe(offline);
    expect(failureOf({ status, health: down, modelCount: 3 })).toBeUndefined();
  });
});

it('the demo gateway stands in for a configured one, not for itself and not before the password', () => {
  expect(inDemo(status)).toMatchObject({
    id: demoGatewayId,
    demo: true,
    insteadOf: 'g.example',
    keyConfigured: false,
  });
  const demo = { ...status, demo: true };
  expect(inDemo(demo)).toBe(demo);
  const locked = { ...status, loginRequired: true };
  expect(inDemo(locked)).toBe(locked);
});
