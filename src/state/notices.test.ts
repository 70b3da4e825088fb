import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createNotices, orTellProblem, tellBriefly } from './notices.ts';

/** What is said after an act ended so. */
async function saidAfter(act: () => Promise<unknown>): Promise<string | undefined> {
  const notices = createNotices();
  const acting = act();
  orTellProblem(notices, acting);
  await acting.catch(() => undefined);
  return notices.getState().notice?.text;
}

describe('an act that may fail', () => {
  it('says why it could not be done', async () => {
    expect(await saidAfter(() => Promise.reject(new Error('The disk is full.')))).toBe(
      'Could not do that: The disk is full.',
    );
  });

  it('says so whatever was thrown', async () => {
    const refused = async () => {
      throw new DOMException('', 'QuotaExceededError');
    };
    expect(await saidAfter(refused)).toContain('QuotaExceededError');
  });

  it('says nothing where all went well', async () => {
    expect(await saidAfter(() => Promise.resolve('done'))).toBeUndefined();
  });

  it('is told where it fails after the person has gone on to another', async () => {
    const notices = createNotices();
    let fail: (error: Error) => void = () => undefined;
    const acting = new Promise<void>((_, reject) => (fail = reject));
    orTellProblem(notices, acting);
    orTellProblem(notices, Promise.resolve());
    fail(new Error('Too late.'));
    await acting.catch(() => undefined);
    expect(notices.getState().notice?.tone).toBe('problem');
  });
});

describe('a notice that is only news', () => {
  it('goes by itself after twelve seconds, and takes no other along', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const notices = createNotices();
    const shown = () => notices.getState().notice;
    tellBriefly(notices, 'Saved.');
    await vi.advanceTimersByTimeAsync(11_999);
    expect(shown()).toEqual({ tone: 'note', text: 'Saved.' });
    await vi.advanceTimersByTimeAsync(1);
    expect(shown()).toBeUndefined();

    tellBriefly(notices, 'Saved.');
    await vi.advanceTimersByTimeAsync(6000);
    tellBriefly(notices, 'Saved again.');
    await vi.advanceTimersByTimeAsync(6000);
    expect(shown()?.text).toBe('Saved again.');
  });
});
