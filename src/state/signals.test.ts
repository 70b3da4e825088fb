import { describe, expect, it } from 'vitest';

import { newRun } from '../conversation/run.ts';
import type { Run } from '../conversation/types.ts';
import { aSetup } from '../testing/builders.ts';
import { createSignals } from './signals.ts';

function ended(changes: Partial<Run>): Run {
  return { ...newRun('a', 'b', aSetup()), ...changes };
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
});
