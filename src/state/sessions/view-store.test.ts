import { expect, it, vi } from 'vitest';

import { createViewStore, setPanelOpen } from './view-store.ts';

it('opens each panel once and closes only that panel', () => {
  const view = createViewStore();
  const getOpenPanels = () => view.getState().openPanels;
  setPanelOpen(view, 'summary');
  setPanelOpen(view, 'share');
  setPanelOpen(view, 'summary');
  expect(getOpenPanels()).toEqual(['summary', 'share']);
  const listener = vi.fn<() => void>();
  const panelsBefore = getOpenPanels();
  view.subscribe(() => getOpenPanels() === panelsBefore || listener());
  setPanelOpen(view, 'text difference', false);
  expect(listener).not.toHaveBeenCalled();
  setPanelOpen(view, 'summary', false);
  expect(getOpenPanels()).toEqual(['share']);
});

it('starts with no open panels and nothing hidden', () => {
  expect(createViewStore().getState()).toEqual({
    notTo: [],
    namesHidden: false,
    author: '',
    isParametersOverlayOpen: false,
    splitsSystemPrompt: false,
    hasInheritedLanes: false,
    fitsLanes: false,
    laneWidths: {},
    isSidebarVisible: false,
    openPanels: [],
  });
});
