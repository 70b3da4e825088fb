import { describe, expect, it } from 'vitest';

import { createRun } from '../conversation/reply/run.ts';
import type { Run } from '../conversation/session/types.ts';
import { aSetup } from '../testing/builders.ts';
import { createSignals } from './signals.ts';

function ended(changes: Partial<Run>): Run {
  return { ...createRun('a', 'b', aSetup()), ...changes };
}

describe('what requests tell about the key', () => {
  it('is accepted by a success, rejected by a 401, and untouched by everything else', () => {
    let time = 0;
    const signals = createSignals(() => (time += 1));
    signals.heardFromRun(ended({ status: 500 }));
    signals.heardFromRun(ended({}));
    expect(signals.state.getState()).toEqual({});
    signals.heardFromRun(ended({ status: 401, phase: { name: 'failed' } }));
    signals.heardFromRun(ended({ status: 200 }));
    expect(signals.state.getState()).toEqual({ keyRejectedAt: 1, keyAcceptedAt: 2 });
  });

  it('does not take a refusal of our own proxy for one of the gateway', () => {
    const signals = createSignals(() => 1);
    const error = {
      source: 'proxy' as const,
      kind: 'login-required' as const,
      message: 'Log in.',
      status: 401,
    };
    signals.heardFromRun(ended({ status: 401, phase: { name: 'failed', error } }));
    expect(signals.state.getState()).toEqual({});
  });

  it('takes a connection that failed or broke for news of our own server, and nothing else', () => {
    const broken = (kind: 'proxy-unreachable' | 'connection-lost' | 'overloaded') => {
      const signals = createSignals(() => 1);
      const error = { source: 'network' as const, kind, message: 'Gone.' };
      signals.heardFromRun(ended({ phase: { name: 'failed', error } }));
      return signals.state.getState();
    };
    expect(broken('proxy-unreachable')).toEqual({ connectionLostAt: 1 });
    expect(broken('connection-lost')).toEqual({ connectionLostAt: 1 });
    expect(broken('overloaded')).toEqual({});
  });

  it('takes only a success for one: neither what comes before it nor what leads elsewhere', () => {
    const signals = createSignals(() => 1);
    for (const status of [199, 300, 304]) signals.heardStatus(status);
    expect(signals.state.getState()).toEqual({});
    signals.heardStatus(299);
    expect(signals.state.getState()).toEqual({ keyAcceptedAt: 1 });
  });

  it('keeps what the gateway says of its limit, the newest count of each, and when it refused', () => {
    let time = 10;
    const signals = createSignals(() => time);
    const heard = (status: number, headers: Record<string, string> = {}) =>
      signals.heardAnswer(new Headers(headers), status);
    heard(200);
    expect(signals.state.getState()).toEqual({});
    heard(429, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' });
    expect(signals.state.getState().limit).toEqual({
      limit: '60',
      remaining: '0',
      refusedAt: 10,
      headers: { limit: '60', remaining: '0' },
    });
    time = 20;
    heard(200, { 'x-ratelimit-remaining': '59' });
    heard(200);
    expect(signals.state.getState().limit).toEqual({
      limit: '60',
      remaining: '59',
      refusedAt: 10,
      headers: { limit: '60', remaining: '59' },
    });
    signals.forget();
    expect(signals.state.getState()).toEqual({});
  });

  it('is told by the list of models too, whose error stays until a list has come', () => {
    const signals = createSignals(() => 1);
    const error = (kind: 'key-rejected' | 'overloaded') => ({
      source: 'gateway' as const,
      kind,
      message: 'No.',
    });
    signals.heardModels(error('overloaded'));
    expect(signals.state.getState()).toEqual({ modelsError: error('overloaded') });
    signals.heardModels(error('key-rejected'));
    expect(signals.state.getState()).toEqual({ modelsError: error('key-rejected'), keyRejectedAt: 1 });
    signals.heardModels();
    expect(signals.state.getState()).toEqual({
      modelsError: undefined,
      keyRejectedAt: 1,
      keyAcceptedAt: 1,
    });
  });

  it('hears a success also of an answer that our own server broke off later', () => {
    const signals = createSignals(() => 1);
    const error = { source: 'proxy' as const, kind: 'connection-lost' as const, message: 'Cut.' };
    signals.heardFromRun(ended({ status: 200, phase: { name: 'truncated', error } }));
    expect(signals.state.getState()).toEqual({ connectionLostAt: 1, keyAcceptedAt: 1 });
  });
});
