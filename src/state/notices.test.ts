import { describe, expect, it } from 'vitest';

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

it('marks a toast as brief, so that the page closes it', () => {
  const notices = createNoticeStore();
  showToast(notices, 'Saved.');
  expect(notices.getState().notice).toEqual({ severity: 'note', text: 'Saved.', isBrief: true });
});
