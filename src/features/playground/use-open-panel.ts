import { useCallback, useEffect } from 'react';

import { setPanelOpen, type OpenPanel } from '../../state/sessions/view-store.ts';
import { usePlayground, useView } from '../../state/use-playground.tsx';

/** Whether this is open, and what opens and closes it. It closes with the part of the page that shows it. */
export function useOpenPanel(panel: OpenPanel): [isOpen: boolean, setIsOpen: (isOpen: boolean) => void] {
  const { view } = usePlayground();
  const isOpen = useView(({ openPanels }) => openPanels.includes(panel));
  const setIsOpen = useCallback((next: boolean) => setPanelOpen(view, panel, next), [view, panel]);
  useEffect(() => () => setIsOpen(false), [setIsOpen]);
  return [isOpen, setIsOpen];
}
