import { useState } from 'react';

import { useView } from '../../../state/use-playground.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { inspectorTab } from '../playground-focus-targets.ts';
import { PanelEmptyState } from './panel-layout.tsx';

/** Whether what names the model is to stay behind its sentence, and what brings it out until names are shown anyway. */
export function useHiddenNames(): [areNamesHidden: boolean, showNames: () => void] {
  const namesHidden = useView((view) => view.namesHidden);
  const [isRevealed, setIsRevealed] = useState(false);
  if (isRevealed && !namesHidden) setIsRevealed(false);
  return [namesHidden && !isRevealed, () => setIsRevealed(true)];
}

/** In place of what was sent or came as it is: that cannot be shown without the model's name in it. */
export function HiddenNames({ onShow }: { onShow: () => void }) {
  const reveal = () => {
    // The button goes, and the focus would go with it.
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
