import { describe, expect, it } from 'vitest';

import { createRun } from '../conversation/reply/run.ts';
import type { Run } from '../conversation/session/types.ts';
import { createTestSetup } from '../testing/builders.ts';
import { createGatewaySignals } from './gateway-signals.ts';

function createEndedRun(changes: Partial<Run>): Run {
  return { ...createRun('a', 'b', createTestSetup()), ...changes };
}

describe('evidence about the gateway key', () => {
  it('accepts the key on a success, rejects it on a 401, and ignores other statuses', () => {
    let time = 0;
    const signals = createGatewaySignals(() => (time += 1));
    signals.onRunEnd(createEndedRun({ status: 500 }));
    signals.onRunEnd(createEndedRun({}));
    expect(signals.state.getState()).toEqual({});
    signals.onRunEnd(createEndedRun({ status: 401, phase: { name: 'failed' } }));
    signals.onRunEnd(createEndedRun({ status: 200 }));
    expect(signals.state.getState()).toEqual({ keyRejectedAt: 1, keyAcceptedAt: 2 });
  });

  it('ignores rejections by our own proxy', () => {
    const signals = createGatewaySignals(() => 1);
    const error = {
      source: 'proxy' as const,
      kind: 'login-required' as const,
      message: 'Log in.',
      status: 401,
    };
    signals.onRunEnd(createEndedRun({ status: 401, phase: { name: 'failed', error } }));
    expect(signals.state.getState()).toEqual({});
  });

  it('records only lost connections to our own server', () => {
    const getSignalsAfterFailure = (kind: 'proxy-unreachable' | 'connection-lost' | 'overloaded') => {
      const signals = createGatewaySignals(() => 1);
      const error = { source: 'network' as const, kind, message: 'Gone.' };
      signals.onRunEnd(createEndedRun({ phase: { name: 'failed', error } }));
      return signals.state.getState();
    };
    expect(getSignalsAfterFailure('proxy-unreachable')).toEqual({ connectionLostAt: 1 });
    expect(getSignalsAfterFailure('connection-lost')).toEqual({ connectionLostAt: 1 });
    expect(getSignalsAfterFailure('overloaded')).toEqual({});
  });

  it('counts only 2xx statuses as success', () => {
    const signals = createGatewaySignals(() => 1);
    for (const status of [199, 300, 304]) signals.onStatus(status);
    expect(signals.state.getState()).toEqual({});
    signals.onStatus(299);
    expect(signals.state.getState()).toEqual({ keyAcceptedAt: 1 });
  });

  it('keeps the reported limit, the newest value of each count and the time of a 429', () => {
    let time = 10;
    const signals = createGatewaySignals(() => time);
    const respond = (status: number, headers: Record<string, string> = {}) =>
      signals.onResponse(new Headers(headers), status);
    respond(200);
    expect(signals.state.getState()).toEqual({});
    respond(429, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' });
    expect(signals.state.getState().limit).toEqual({
      limit: '60',
      remaining: '0',
      refusedAt: 10,
      headers: { limit: '60', remaining: '0' },
    });
    time = 20;
    respond(200, { 'x-ratelimit-remaining': '59' });
    respond(200);
    expect(signals.state.getState().limit).toEqual({
      limit: '60',
      remaining: '59',
      refusedAt: 10,
      headers: { limit: '60', remaining: '59' },
    });
    signals.reset();
    expect(signals.state.getState()).toEqual({});
  });

  it("updates the evidence from the model list and keeps the list's error until a list arrives", () => {
    const signals = createGatewaySignals(() => 1);
    const createError = (kind: 'key-rejected' | 'overloaded') => ({
      source: 'gateway' as const,
      kind,
      message: 'No.',
    });
    signals.onModels(createError('overloaded'));
    expect(signals.state.getState()).toEqual({ modelsError: createError('overloaded') });
    signals.onModels(createError('key-rejected'));
    expect(signals.state.getState()).toEqual({ modelsError: createError('key-rejected'), keyRejectedAt: 1 });
    signals.onModels();
    expect(signals.state.getState()).toEqual({
      modelsError: undefined,
      keyRejectedAt: 1,
      keyAcceptedAt: 1,
    });
  });

  it('counts a response as success even if our own server cuts it off later', () => {
    const signals = createGatewaySignals(() => 1);
    const error = { source: 'proxy' as const, kind: 'connection-lost' as const, message: 'Cut.' };
    signals.onRunEnd(createEndedRun({ status: 200, phase: { name: 'truncated', error } }));
    expect(signals.state.getState()).toEqual({ connectionLostAt: 1, keyAcceptedAt: 1 });
  });
});
