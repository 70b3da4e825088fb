import { describe, expect, it } from 'vitest';

import { demoGatewayId } from '../../lib/channel-frames.ts';
import { createTestGatewayStatus } from '../../testing/builders.ts';
import type { ErrorReport } from '../errors/errors.ts';
import { getModelsFailure, getGatewayState } from './gateway-state.ts';
import type { HealthReading } from './health.ts';
import { diagnoseGatewaySetup } from './setup-diagnosis.ts';
import { defaultRequestsPerMinute, replaceWithDemoGateway, type GatewayStatus } from './status.ts';

const gatewayStatus = createTestGatewayStatus();
const offlineError: ErrorReport = { source: 'network', kind: 'offline', message: 'No network.' };
const downReading: HealthReading = {
  latencyMs: 9,
  body: '',
  ok: false,
  hasNoRoute: false,
  error: offlineError,
};

/** Returns the failures of all checks for this model list error. */
const listFailures = (modelsError: ErrorReport) =>
  diagnoseGatewaySetup({ status: gatewayStatus, modelsError }).checks.map(({ failure }) => failure ?? '');

describe('set-up card', () => {
  it.each<[string, ErrorReport, string]>([
    ['an offline browser', offlineError, 'offline'],
    [
      'an unreachable Bench server',
      { source: 'network', kind: 'proxy-unreachable', message: 'Gone.' },
      'no response',
    ],
    [
      'a redirect of the gateway',
      { source: 'gateway', kind: 'redirected', status: 308, message: 'Moved.' },
      '308 redirect',
    ],
    [
      'a redirect reported by the Bench server',
      { source: 'proxy', kind: 'redirected', status: 502, message: 'Moved.' },
      'redirect',
    ],
  ])('shows the failed check for %s', (_, report, failure) => {
    expect(listFailures(report)[0]).toBe(failure);
  });

  it('shows the message of a connection that failed for an unknown reason', () => {
    const modelsError = { source: 'proxy', kind: 'unreachable', message: 'Odd (EWHATEVER).' } as const;
    const { fix, checks } = diagnoseGatewaySetup({ status: gatewayStatus, modelsError });
    expect(checks[0]?.failure).toBe('no connection');
    expect(fix).toMatchObject({ instruction: expect.stringContaining('address'), note: 'Odd (EWHATEVER).' });
  });

  it.each<[string, Partial<GatewayStatus> | undefined, string | undefined]>([
    ['local gateway without a key', { host: 'localhost:8080', keyConfigured: false }, 'does not need a key'],
    ['local gateway with a key', { host: 'localhost:8080' }, undefined],
    ['remote gateway', { keyConfigured: false }, undefined],
    ['unknown gateway', undefined, undefined],
  ])('mentions an unnecessary key only for a local gateway without one: %s', (_, changes, note) => {
    const modelsError = { source: 'proxy', kind: 'unreachable', message: 'No (ECONNREFUSED).' } as const;
    const inputs =
      changes === undefined ? { modelsError } : { status: { ...gatewayStatus, ...changes }, modelsError };
    const { fix } = diagnoseGatewaySetup(inputs);
    if (note === undefined) expect(fix?.note).toBeUndefined();
    else expect(fix?.note).toContain(note);
  });

  it('shows a status only once if the error type repeats it', () => {
    const rejected = { source: 'gateway', kind: 'key-rejected', status: 401, message: 'Wrong key.' } as const;
    expect(listFailures({ ...rejected, type: '401' })).toContain('401');
    expect(listFailures({ ...rejected, code: '401' })).toContain('401');
    expect(listFailures({ ...rejected, type: 'invalid_api_key' })).toContain('401 invalid_api_key');
  });

  it('cuts long gateway messages and shows the URL', () => {
    const modelsError = {
      source: 'gateway',
      kind: 'failed',
      status: 500,
      code: 'x',
      message: 'w'.repeat(300),
    } as const;
    const { checks } = diagnoseGatewaySetup({ status: gatewayStatus, modelsError });
    expect(checks.map(({ reason }) => reason)).toEqual(expect.arrayContaining([`${'w'.repeat(239)}…`]));
    expect(checks[0]?.reason).toContain('https://g.example/v1/models');
    expect(
      diagnoseGatewaySetup({ status: { ...gatewayStatus, host: '', address: '' }, modelsError }).checks[0]
        ?.reason,
    ).toContain('the gateway');
  });

  it('ignores a rejected key while the demo gateway is used, which does not need a key', () => {
    const inputs = { isKeyRejected: true, modelCount: 3 };
    expect(getGatewayState({ ...inputs, status: gatewayStatus })).toBe('gateway');
    expect(getGatewayState({ ...inputs, status: { ...gatewayStatus, demo: true } })).toBe('usable');
  });

  it('trusts a model list even if the health route is unreachable', () => {
    expect(getModelsFailure({ status: gatewayStatus, health: downReading })).toBe(offlineError);
    expect(getModelsFailure({ status: gatewayStatus, health: downReading, modelCount: 3 })).toBeUndefined();
  });
});

describe('gateways replaced with the demo gateway', () => {
  const listReplaced = (...gateways: GatewayStatus[]) =>
    replaceWithDemoGateway(gateways).map(({ name, replacedLabel }) => [name, replacedLabel]);
  const demo = createTestGatewayStatus({ name: 'default', demo: true });
  const other = createTestGatewayStatus({ name: 'staging' });

  it('names the gateway or gateways that it replaces, and replaces no demo gateway alone', () => {
    expect(listReplaced(gatewayStatus)).toEqual([['demo', 'g.example']]);
    expect(listReplaced(gatewayStatus, other)).toEqual([['demo', 'the configured gateways']]);
    expect(listReplaced(demo, other)).toEqual([['demo', 'the configured gateways']]);
    expect(listReplaced(demo)).toEqual([['default', undefined]]);
  });

  it('has no key and keeps the limit of the first gateway', () => {
    expect(replaceWithDemoGateway([{ ...gatewayStatus, requestsPerMinute: 7 }, other])).toEqual([
      expect.objectContaining({ id: demoGatewayId, demo: true, keyConfigured: false, requestsPerMinute: 7 }),
    ]);
    // The server reports nothing before the login.
    expect(replaceWithDemoGateway([])).toMatchObject([{ requestsPerMinute: defaultRequestsPerMinute }]);
  });
});
