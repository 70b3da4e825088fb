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

describe('the sentence of a status', () => {
  it('says what it means and what to do next', () => {
    const rows = [
      [402, 'The gateway requires payment', 'balance'],
      [403, 'The gateway rejected the request', 'permissions'],
      [404, 'The gateway found nothing at this address', 'model ID'],
      [408, 'The gateway gave up waiting for the whole request', 'Ask again'],
      [409, 'The request conflicts with another one', 'Ask again'],
      [413, 'The request is too large', 'shorter conversation'],
      [414, 'The address of the request is too long', 'GATEWAY_BASE_URL'],
      [415, 'The gateway does not accept this kind of content', 'images'],
      [422, 'The gateway did not accept the request', 'message is below'],
      [423, 'The gateway has locked this resource', 'on hold'],
      [425, 'The gateway asks you to retry later', 'Ask again'],
      [429, 'Rate limit reached', 'unless you ask'],
      [450, 'A filter on the way blocked the request', 'network'],
      [451, 'The gateway rejected the request for legal reasons', 'another model'],
      [494, 'The headers of the request are too large', 'proxies'],
      [497, 'The gateway requires HTTPS', 'https'],
      [498, 'The gateway says that the key has expired', 'GATEWAY_API_KEY'],
      [499, 'The request was cancelled before the answer arrived', 'Ask again'],
      [500, 'The gateway had an internal error', 'pick another model'],
      [501, 'The gateway does not support this yet', 'unusual'],
      [502, 'The gateway got no usable answer from its upstream server', 'not the cause'],
      [503, 'The gateway is overloaded', 'nothing was lost'],
      [504, 'The gateway got no answer in time from its upstream server', 'Ask again'],
      [507, 'The gateway has no space left', 'pick another model'],
      [521, 'The server behind the edge network is down', 'later'],
      [524, 'The server behind the edge network took too long', 'streaming'],
      [526, 'The server behind the edge network has no valid certificate', 'renew'],
      [529, 'The gateway is overloaded', 'nothing was lost'],
    ] as const;
    expect(rows.map(([status]) => getErrorTitle(createStatusReport(status)))).toEqual(
      rows.map(([, title]) => title),
    );
    for (const [status, , advice] of rows)
      expect(getEndingText(createStatusReport(status))).toContain(advice);
  });

  it('is there for any status of an error, and never the same for a refusal and a failure', () => {
    for (let status = 400; status < 600; status += 1) {
      const title = getErrorTitle(createStatusReport(status));
      expect(title).not.toContain('reported an error');
      expect(getEndingText(createStatusReport(status)).length).toBeGreaterThan(
        'Your conversation is safe.'.length,
      );
    }
    expect(getErrorTitle(createStatusReport(418))).toBe('The gateway did not accept the request');
    expect(getEndingText(createStatusReport(418))).toContain('status 418');
    expect(getErrorTitle(createStatusReport(599))).not.toBe(getErrorTitle(createStatusReport(499)));
  });

  it('is that of the code of an error inside an answer, and names the provider', () => {
    const body = JSON.stringify({ error: { message: 'No credits left', code: 402 } });
    const report = buildErrorReport({ body, source: 'provider' });
    expect(getErrorTitle(report)).toBe('The provider requires payment');
    expect(getEndingText(report)).toContain('balance');
  });

  it('gives way to what the error says of itself, and to what our own server says', () => {
    const keyReport = createStatusReport(
      403,
      JSON.stringify({ error: { message: 'm', type: 'invalid_api_key' } }),
    );
    expect(getErrorTitle(keyReport)).toBe('The gateway does not accept this key');
    const proxyReport: ErrorReport = { source: 'proxy', kind: 'unreachable', message: 'm', status: 502 };
    expect(describeStatus(proxyReport, 'The Bench server')).toBeUndefined();
    expect(
      describeStatus({ source: 'gateway', kind: 'failed', message: 'm', status: 200 }, 'x'),
    ).toBeUndefined();
    expect(
      describeStatus({ source: 'gateway', kind: 'failed', message: 'm', code: '700' }, 'x'),
    ).toBeUndefined();
  });

  it('tells the size of a request that is too large where it is known', () => {
    expect(getEndingText({ ...createStatusReport(413), requestBytes: 2_000_000 })).toContain('It was 2');
  });
});
