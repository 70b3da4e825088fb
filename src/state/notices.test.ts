import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createNoticeStore, reportFailure, showToast } from './notices.ts';

/** What is said after an act ended so. */
async function getNoticeTextAfter(action: () => Promise<unknown>): Promise<string | undefined> {
  const notices = createNoticeStore();
  const pendingAction = action();
  reportFailure(notices, pendingAction);
  await pendingAction.catch(() => undefined);
  return notices.getState().notice?.text;
}

describe('an act that may fail', () => {
  it('says why it could not be done', async () => {
    expect(await getNoticeTextAfter(() => Promise.reject(new Error('The disk is full.')))).toBe(
      'Action failed: The disk is full.',
    );
  });

  it('says so whatever was thrown', async () => {
    const rejectWithQuota = async () => {
      throw new DOMException('', 'QuotaExceededError');
    };
    expect(await getNoticeTextAfter(rejectWithQuota)).toContain('QuotaExceededError');
  });

  it('says nothing where all went well', async () => {
    expect(await getNoticeTextAfter(() => Promise.resolve('done'))).toBeUndefined();
  });

  it('is told where it fails after the person has gone on to another', async () => {
    const notices = createNoticeStore();
    let fail: (error: Error) => void = () => undefined;
    const pendingAction = new Promise<void>((_, reject) => (fail = reject));
    reportFailure(notices, pendingAction);
    reportFailure(notices, Promise.resolve());
    fail(new Error('Too late.'));
    await pendingAction.catch(() => undefined);
    expect(notices.getState().notice?.severity).toBe('problem');
  });
});

describe('a notice that is only news', () => {
  it('goes by itself after twelve seconds, and takes no other along', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const notices = createNoticeStore();
    const getNotice = () => notices.getState().notice;
    showToast(notices, 'Saved.');
    await vi.advanceTimersByTimeAsync(11_999);
    expect(getNotice()).toEqual({ severity: 'note', text: 'Saved.' });
    await vi.advanceTimersByTimeAsync(1);
    expect(getNotice()).toBeUndefined();

    showToast(notices, 'Saved.');
    await vi.advanceTimersByTimeAsync(6000);
    showToast(notices, 'Saved again.');
    await vi.advanceTimersByTimeAsync(6000);
    expect(getNotice()?.text).toBe('Saved again.');
  });
});
