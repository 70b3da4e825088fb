import { useMemo } from 'react';

import { usePlayground, useSessionState } from '../state/react.tsx';
import { UndoBar } from '../ui/undo-bar.tsx';

/** The deletion that can still be taken back, whichever screen it was made on. */
export function Undo() {
  const { session } = usePlayground();
  const undo = useSessionState((state) => state.undo);
  const offer = useMemo(() => undo && { text: undo.text, onUndo: undo.restore }, [undo]);
  return (
    <UndoBar
      offer={offer}
      onEnd={() => {
        // After Undo nothing is on offer any more, and nothing must expire.
        if (undo && session.getState().undo?.id === undo.id) undo.expire();
      }}
    />
  );
}
