import { describe, expect, it } from 'vitest';

import { createTestGatewayStatus } from '../../testing/builders.ts';
import { getHealthBadge, type BadgeInputs } from './badge.ts';
import type { HealthReading } from './health.ts';
import type { GatewayStatus } from './status.ts';

const healthy: HealthReading = { status: 200, latencyMs: 40, body: 'OK', ok: true, hasNoRoute: false };
const slow: HealthReading = { ...healthy, latencyMs: 1501 };
const degraded: HealthReading = { ...healthy, isDegraded: true };
const noRoute: HealthReading = { ...healthy, status: 404, ok: false, hasNoRoute: true };
const down: HealthReading = {
  latencyMs: 9,
  body: '',
  ok: false,
  hasNoRoute: false,
  error: { source: 'network', kind: 'proxy-unreachable', message: 'Gone.' },
};
const gatewayStatus = createTestGatewayStatus();
const demoStatus = createTestGatewayStatus({ demo: true, keyConfigured: false });

const rows: [string, BadgeInputs, string][] = [
  ['nothing is known yet', { isOnline: true, readings: [] }, 'Checking'],
  ['the last check succeeded', { isOnline: true, status: gatewayStatus, readings: [healthy] }, 'Gateway up'],
  [
    'the last check took more than 1,500 ms',
    { isOnline: true, status: gatewayStatus, readings: [healthy, slow] },
    'Gateway slow',
  ],
  [
    'the gateway reports that it is degraded',
    { isOnline: true, status: gatewayStatus, readings: [degraded] },
    'Gateway degraded',
  ],
  ['the first check failed', { isOnline: true, status: gatewayStatus, readings: [down] }, 'Checking'],
  [
    'one check failed after a successful one',
    { isOnline: true, status: gatewayStatus, readings: [healthy, down] },
    'Gateway up',
  ],
  [
    'two checks failed in a row',
    { isOnline: true, status: gatewayStatus, readings: [healthy, down, down] },
    'Gateway down',
  ],
  [
    'a check succeeds after two failures',
    { isOnline: true, status: gatewayStatus, readings: [down, down, healthy] },
    'Gateway up',
  ],
  [
    'the gateway reports twice with status 503 that it is degraded',
    {
      isOnline: true,
      status: gatewayStatus,
      readings: [
        { ...degraded, ok: false },
        { ...degraded, ok: false },
      ],
    },
    'Gateway degraded',
  ],
  [
    'the key was rejected for models or chat',
    { isOnline: true, status: gatewayStatus, readings: [healthy], lastUse: 'key-rejected' },
    'Key rejected',
  ],
  [
    'the key was rejected and the gateway is down',
    { isOnline: true, status: gatewayStatus, readings: [down, down], lastUse: 'key-rejected' },
    'Gateway down',
  ],
  ['the browser is offline', { isOnline: false, status: gatewayStatus, readings: [healthy] }, 'Offline'],
  ['no gateway is configured', { isOnline: true, status: demoStatus, readings: [healthy] }, 'Demo gateway'],
  [
    'the server of the demo gateway is down',
    { isOnline: true, status: demoStatus, readings: [down, down] },
    'Gateway down',
  ],
  [
    'there is no health route and the model list has loaded',
    { isOnline: true, status: gatewayStatus, readings: [noRoute], lastUse: 'accepted' },
    'Gateway up',
  ],
  [
    'there is no health route and no request has been sent',
    { isOnline: true, status: gatewayStatus, readings: [noRoute] },
    'Checking',
  ],
];

describe('getHealthBadge', () => {
  it.each(rows)('returns the badge text if %s', (_when, inputs, text) => {
    expect(getHealthBadge(inputs).text).toBe(text);
  });

  it('mentions requests without a key and the reason why a gateway is down', () => {
    expect(
      getHealthBadge({
        isOnline: true,
        status: { ...gatewayStatus, keyConfigured: false },
        readings: [healthy],
      }).detail,
    ).toBe('No key is configured, so requests are sent without one.');
    expect(getHealthBadge({ isOnline: true, status: gatewayStatus, readings: [down, down] }).detail).toBe(
      'Gone.',
    );
    const silent: HealthReading = { latencyMs: 9, body: '', ok: false, hasNoRoute: false };
    expect(getHealthBadge({ isOnline: true, status: gatewayStatus, readings: [silent, silent] }).detail).toBe(
      'Its health route reports that it is down.',
    );
  });

  it('explains why the demo gateway is used: none is configured, or the user has chosen it', () => {
    const getDetail = (status: GatewayStatus) =>
      getHealthBadge({ isOnline: true, status, readings: [healthy] }).detail;
    expect(getDetail(demoStatus)).toBe('No gateway is configured, so Bench uses its built-in one.');
    expect(getDetail({ ...demoStatus, replacedLabel: 'g' })).toMatch(/^Used instead of g until/);
  });

  it('omits the detail if there is nothing to add to "Gateway up"', () => {
    const knownInputs = { isOnline: true, status: gatewayStatus };
    expect(getHealthBadge({ ...knownInputs, readings: [healthy] })).toStrictEqual({ text: 'Gateway up' });
    expect(getHealthBadge({ isOnline: true, readings: [healthy] })).toStrictEqual({ text: 'Gateway up' });
    expect(getHealthBadge({ ...knownInputs, readings: [{ ...healthy, latencyMs: 1500 }] })).toStrictEqual({
      text: 'Gateway up',
    });
  });

  it('mentions a missing health route and requests without a key in the detail', () => {
    const inputs = { isOnline: true, readings: [noRoute], lastUse: 'accepted' as const };
    expect(getHealthBadge({ ...inputs, status: gatewayStatus }).detail).toBe(
      'This gateway has no health route, but its models respond.',
    );
    expect(getHealthBadge({ ...inputs, status: { ...gatewayStatus, keyConfigured: false } }).detail).toBe(
      'This gateway has no health route, but its models respond. No key is configured, so requests are sent without one.',
    );
  });
});
