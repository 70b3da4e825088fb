import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createPlayground, type Playground } from '../../state/create-playground.ts';
import { showToast } from '../../state/notices.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import { createTestBrowser } from '../../testing/browser.ts';
import { renderWithPlayground } from '../../testing/render-with-playground.tsx';
import { Toasts } from './toasts.tsx';

let playground: Playground;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  playground = createPlayground(
    createTestBrowser().openTab({ origin: 'http://localhost' }).page,
    createMemoryRecordStore(),
  );
  renderWithPlayground(<Toasts />, { playground });
});

afterEach(() => {
  vi.useRealTimers();
});

const passTime = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

it('closes a toast after 4 s without focus', () => {
  act(() => showToast(playground.notices, 'Saved a.json.'));
  passTime(3000);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus());
  passTime(60_000);
  expect(screen.getByText('Saved a.json.')).not.toBeNull();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).blur());
  passTime(999);
  expect(screen.getByText('Saved a.json.')).not.toBeNull();
  passTime(1);
  expect(screen.queryByText('Saved a.json.')).toBeNull();
});

it('shows a problem until another page is opened', () => {
  act(() =>
    playground.notices.setState({ notice: { severity: 'problem', text: 'a.json was not imported.' } }),
  );
  passTime(60_000);
  expect(screen.getByRole('alert').textContent).toBe('a.json was not imported.');
  act(() => playground.router.navigate({ screen: 'page', path: '/history' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('keeps Undo for 8 s beside a notice', () => {
  const restore = vi.fn<() => void>();
  act(() => {
    playground.actions.offerUndo('Deleted “One”.', restore, () => undefined);
    showToast(playground.notices, 'Saved a.json.');
  });
  passTime(7999);
  expect(screen.queryByText('Saved a.json.')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Deleted “One”.Undo');
  act(() => screen.getByRole('button', { name: 'Undo' }).click());
  expect(restore).toHaveBeenCalledOnce();
});
