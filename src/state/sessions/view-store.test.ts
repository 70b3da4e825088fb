import { expect, it, vi } from 'vitest';

import { createViewStore, setOpened } from './view-store.ts';

it('what is opened is open once, and closing it leaves the rest open', () => {
  const view = createViewStore();
  const opened = () => view.getState().opened;
  setOpened(view, 'summary');
  setOpened(view, 'share');
  setOpened(view, 'summary');
  expect(opened()).toEqual(['summary', 'share']);
  const told = vi.fn<() => void>();
  const before = opened();
  view.subscribe(() => opened() === before || told());
  setOpened(view, 'text difference', false);
  expect(told).not.toHaveBeenCalled();
  setOpened(view, 'summary', false);
  expect(opened()).toEqual(['share']);
});

it('a new session is looked at with nothing open and nothing hidden', () => {
  expect(createViewStore().getState()).toEqual({
    notTo: [],
    namesHidden: false,
    author: '',
    parametersOverlay: false,
    lanesKept: false,
    lanesFit: false,
    laneWidths: {},
    sidebarShown: false,
    opened: [],
  });
});
