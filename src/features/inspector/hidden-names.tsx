import { useState } from 'react';

import { useView } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { inspectorTab } from '../workspace/playground-focus-targets.ts';
import { PanelEmptyState } from './panel-layout.tsx';

/**
 * Returns whether raw data that contains model names is hidden, and a function that reveals it until names are shown
 * again in general.
 */
export function useHiddenNames(): [areNamesHidden: boolean, showNames: () => void] {
  const namesHidden = useView((view) => view.namesHidden);
  const [isRevealed, setIsRevealed] = useState(false);
  if (isRevealed && !namesHidden) setIsRevealed(false);
  return [namesHidden && !isRevealed, () => setIsRevealed(true)];
}

/** Placeholder for raw requests and responses, which would reveal the model. */
export function HiddenNames({ onShow }: { onShow: () => void }) {
  const reveal = () => {
    // The button disappears, so the focus has to move first.
    inspectorTab.focus();
    onShow();
  };
  return (
    <PanelEmptyState>
      Names are hidden, but this view contains the model name.{' '}
      <Button size="small" onClick={reveal}>
        Show anyway
      </Button>
    </PanelEmptyState>
  );
}
