import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { UpstreamError, toUpstreamError } from './upstream-error.ts';

const { gateways } = readConfig(
  (name) => (name === 'GATEWAY_BASE_URL' ? 'https://gateway.example' : undefined),
  {
    port: 0,
  },
);
const gateway = gateways[0].remote;
const createFailure = (code: string, name = 'Error') =>
  Object.assign(new Error('secret details'), { code, name });

function describeFailure(failure: unknown): [type: string, sentence: string] {
  if (gateway === undefined) throw new Error('No gateway may be configured');
  const { error, message } = toUpstreamError(failure, gateway);
  expect(message).toBe(error.message);
  return [error.type, error.message.replace('The gateway at gateway.example ', '')];
}

describe('failure of the connection to the gateway', () => {
  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'did not start to respond within 600 s.'],
    ['UND_ERR_BODY_TIMEOUT', 'did not start to respond within 600 s.'],
    ['UND_ERR_CONNECT_TIMEOUT', 'did not accept a connection within 10 s.'],
    ['ETIMEDOUT', 'did not accept a connection within 10 s.'],
  ])('describes %s as a timeout', (code, sentence) => {
    expect(describeFailure(createFailure(code))).toEqual(['gateway_timeout', sentence]);
  });

  it.each([
    ['ECONNREFUSED', 'it refused the connection (ECONNREFUSED)'],
    ['ENOTFOUND', 'its host name was not found (ENOTFOUND)'],
    ['EAI_AGAIN', 'its host name could not be looked up (EAI_AGAIN)'],
    ['ECONNRESET', 'it closed the connection before it responded (ECONNRESET)'],
    ['UND_ERR_SOCKET', 'it closed the connection before it responded'],
    ['CERT_HAS_EXPIRED', 'a secure connection could not be established (CERT_HAS_EXPIRED)'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'a secure connection could not be established (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    ['EODD', 'the connection failed (EODD)'],
    ['an invalid code', 'the connection failed'],
  ])('describes %s as an unreachable gateway', (code, reason) => {
    expect(describeFailure(createFailure(code))).toEqual([
      'gateway_unreachable',
      `could not be reached: ${reason}.`,
    ]);
  });

  it.each([
    ['UND_ERR_HEADERS_OVERFLOW', 'its headers are too large'],
    ['HPE_HEADER_OVERFLOW', 'its headers are too large'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'it has a wrong or duplicate length, or a folded header line'],
    ['HPE_INVALID_CONSTANT', 'it is not valid HTTP (HPE_INVALID_CONSTANT)'],
  ])('describes %s as an unreadable response', (code, reason) => {
    const [type, sentence] = describeFailure(createFailure(code));
    expect(type).toBe('gateway_unreachable');
    expect(sentence).toContain(`${reason}.`);
  });

  it('detects invalid HTTP by the error name', () => {
    expect(describeFailure(createFailure('', 'HTTPParserError'))[1]).toContain('it is not valid HTTP.');
    expect(describeFailure(createFailure('ECONNRESET', 'HTTPParserError'))[1]).toContain('ECONNRESET');
    expect(describeFailure(createFailure('', 'TypeError'))[1]).toBe(
      'could not be reached: the connection failed.',
    );
  });

  it('uses the cause of an error and ignores causes that are not errors', () => {
    expect(describeFailure(new Error('fetch failed', { cause: createFailure('ECONNREFUSED') }))[1]).toContain(
      'ECONNREFUSED',
    );
    expect(describeFailure(Object.assign(new Error('odd'), { code: 5 }))[1]).toBe(
      'could not be reached: the connection failed.',
    );
    expect(describeFailure('ECONNREFUSED')[1]).toBe('could not be reached: the connection failed.');
    expect(describeFailure(undefined)[0]).toBe('gateway_unreachable');
  });
});

it('sets its own error name and uses the sentence as its message', () => {
  const error = new UpstreamError({ type: 'gateway_timeout', message: 'm' });
  expect([error.name, error.message]).toEqual(['UpstreamError', 'm']);
});
