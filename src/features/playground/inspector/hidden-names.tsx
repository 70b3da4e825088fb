import { useState } from 'react';

import { useView } from '../../../state/use-playground.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { inspectorTab } from '../playground-focus-targets.ts';
import { NothingHere } from './panel-layout.tsx';

/** Whether what names the model is to stay behind its sentence, and what brings it out until names are shown anyway. */
export function useNamesBehind(): [isBehind: boolean, show: () => void] {
  const namesHidden = useView((view) => view.namesHidden);
  const [isShown, setIsShown] = useState(false);
  if (isShown && !namesHidden) setIsShown(false);
  return [namesHidden && !isShown, () => setIsShown(true)];
}

/** In place of what was sent or came as it is: that cannot be shown without the model's name in it. */
export function NamesBehind({ onShow }: { onShow: () => void }) {
  const show = () => {
    // The button goes, and the focus would go with it.
    inspectorTab.focus();
    onShow();
  };
  return (
    <NothingHere>
      Names are hidden, and this part shows the model name.{' '}
      <Button size="small" onClick={show}>
        Show anyway
      </Button>
    </NothingHere>
  );
}
