import { useCallback, useEffect } from 'react';

import { useView, useSessionServices } from '../../state/contexts.tsx';
import { setPanelOpen, type OpenPanel } from '../../state/sessions/view-store.ts';

/** Returns whether the panel is open, and a setter. The panel closes when the component unmounts. */
export function useOpenPanel(panel: OpenPanel): [isOpen: boolean, setIsOpen: (isOpen: boolean) => void] {
  const { view } = useSessionServices();
  const isOpen = useView(({ openPanels }) => openPanels.includes(panel));
  const setIsOpen = useCallback((next: boolean) => setPanelOpen(view, panel, next), [view, panel]);
  useEffect(() => () => setIsOpen(false), [setIsOpen]);
  return [isOpen, setIsOpen];
}
