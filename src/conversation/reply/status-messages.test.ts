import { describe, expect, it } from 'vitest';

import { buildErrorReport } from '../../gateway/errors/error-report.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { createTestSetup } from '../../testing/builders.ts';
import { getEnding, getErrorTitle } from './ending.ts';
import { createRun } from './run.ts';
import { describeStatus } from './status-messages.ts';

const createStatusReport = (status: number, body = '') => buildErrorReport({ status, body });
const getEndingText = (error: ErrorReport) =>
  getEnding({ ...createRun('a', 'b', createTestSetup()), phase: { name: 'failed', error } })?.text ?? '';

describe('HTTP status message', () => {
  it('explains each status and suggests a next step', () => {
    const rows = [
      [402, 'The gateway requires payment', 'balance'],
      [403, 'The gateway denied access', 'permissions'],
      [404, 'Nothing found at this address', 'model ID'],
      [408, 'The gateway timed out waiting for the request', 'Retry'],
      [409, 'The request conflicts with another request', 'Retry'],
      [413, 'The request is too large', 'shorten the conversation'],
      [414, 'The request address is too long', 'GATEWAY_BASE_URL'],
      [415, 'The gateway does not support this type of content', 'images'],
      [422, 'The gateway rejected the request', 'error message below'],
      [423, 'The gateway has locked this resource', 'on hold'],
      [425, 'The request was sent too early', 'Retry'],
      [429, 'Rate limit reached', 'does not retry automatically'],
      [450, 'A network filter blocked the request', 'network'],
      [451, 'The gateway rejected the request for legal reasons', 'another model'],
      [494, 'The request headers are too large', 'proxies'],
      [497, 'The gateway requires HTTPS', 'https'],
      [498, 'The gateway reports that the key has expired', 'GATEWAY_API_KEY'],
      [499, 'The request was cancelled before the response arrived', 'Retry'],
      [500, 'The gateway had an internal error', 'choose another model'],
      [501, 'The gateway does not support this request', 'unusual'],
      [502, 'The gateway received an invalid response from its upstream server', 'did not cause this error'],
      [503, 'The gateway is overloaded', 'before any text'],
      [504, 'The gateway timed out waiting for its upstream server', 'Retry'],
      [507, 'The gateway has no storage left', 'choose another model'],
      [521, 'The server behind the edge network is down', 'later'],
      [524, 'The server behind the edge network took too long', 'streaming'],
      [526, 'The server behind the edge network has no valid certificate', 'renew'],
      [529, 'The gateway is overloaded', 'before any text'],
    ] as const;
    expect(rows.map(([status]) => getErrorTitle(createStatusReport(status)))).toEqual(
      rows.map(([, title]) => title),
    );
    for (const [status, , advice] of rows)
      expect(getEndingText(createStatusReport(status))).toContain(advice);
  });

  it('has a message for every error status and distinguishes rejections from failures', () => {
    for (let status = 400; status < 600; status += 1) {
      const title = getErrorTitle(createStatusReport(status));
      expect(title).not.toContain('reported an error');
      expect(getEndingText(createStatusReport(status)).length).toBeGreaterThan(
        'Your conversation was kept.'.length,
      );
    }
    expect(getErrorTitle(createStatusReport(418))).toBe('The gateway rejected the request');
    expect(getEndingText(createStatusReport(418))).toContain('status 418');
    expect(getErrorTitle(createStatusReport(599))).not.toBe(getErrorTitle(createStatusReport(499)));
  });

  it('uses the code of an error inside an answer and names the provider', () => {
    const body = JSON.stringify({ error: { message: 'No credits left', code: 402 } });
    const report = buildErrorReport({ body, source: 'provider' });
    expect(getErrorTitle(report)).toBe('The provider requires payment');
    expect(getEndingText(report)).toContain('balance');
  });

  it('returns no status message for specific error types and errors from the Bench server', () => {
    const keyReport = createStatusReport(
      403,
      JSON.stringify({ error: { message: 'm', type: 'invalid_api_key' } }),
    );
    expect(getErrorTitle(keyReport)).toBe('The gateway rejected the key');
    const proxyReport: ErrorReport = { source: 'proxy', kind: 'unreachable', message: 'm', status: 502 };
    expect(describeStatus(proxyReport, 'The Bench server')).toBeUndefined();
    expect(
      describeStatus({ source: 'gateway', kind: 'failed', message: 'm', status: 200 }, 'x'),
    ).toBeUndefined();
    expect(
      describeStatus({ source: 'gateway', kind: 'failed', message: 'm', code: '700' }, 'x'),
    ).toBeUndefined();
  });

  it('states the request size for a 413 if it is known', () => {
    expect(getEndingText({ ...createStatusReport(413), requestBytes: 2_000_000 })).toContain('It was 2');
  });
});
