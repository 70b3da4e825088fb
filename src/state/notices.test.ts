import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createNoticeStore, reportFailure, showToast } from './notices.ts';

/** Runs the action and returns the text of the resulting notice. */
async function getNoticeTextAfter(action: () => Promise<unknown>): Promise<string | undefined> {
  const notices = createNoticeStore();
  const pendingAction = action();
  reportFailure(notices, pendingAction);
  await pendingAction.catch(() => undefined);
  return notices.getState().notice?.text;
}

describe('notices of failed actions', () => {
  it('shows the error of a failed action', async () => {
    expect(await getNoticeTextAfter(() => Promise.reject(new Error('The disk is full.')))).toBe(
      'Action failed: The disk is full.',
    );
  });

  it('shows the name of an exception without a message', async () => {
    const rejectWithQuota = async () => {
      throw new DOMException('', 'QuotaExceededError');
    };
    expect(await getNoticeTextAfter(rejectWithQuota)).toContain('QuotaExceededError');
  });

  it('shows nothing if the action succeeds', async () => {
    expect(await getNoticeTextAfter(() => Promise.resolve('done'))).toBeUndefined();
  });

  it('shows a failure even after a later action succeeded', async () => {
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

describe('a toast', () => {
  it('closes itself after 12 seconds, but does not close another notice', async () => {
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
