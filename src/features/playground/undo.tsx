import { useMemo } from 'react';

import { usePlayground, useSessionState, useView } from '../../state/use-playground.tsx';
import { UndoBar } from '../../ui/overlays/undo-bar.tsx';
import { useSidebarShown } from './use-sidebar-visibility.ts';

/** What was done last and can still be taken back, whichever screen it was made on. Edits of setups are left to the sidebar. */
export function Undo() {
  const isLeft = useView(({ isSidebarVisible }) => isSidebarVisible);
  return <Offer isShown={(isSetup) => !(isSetup && isLeft)} />;
}

/** Whether that bar floats over the page now. */
export function useUndoShown(): boolean {
  const isLeft = useView(({ isSidebarVisible }) => isSidebarVisible);
  return useSessionState(({ undo }) => undo !== undefined && !(undo.isSetup === true && isLeft));
}

/** In the sidebar, where it is on screen: edits of setups alone. */
export function SetupUndo() {
  useSidebarShown();
  return <Offer inline isShown={(isSetup) => isSetup} />;
}

function Offer({ isShown, inline = false }: { isShown: (isSetup: boolean) => boolean; inline?: boolean }) {
  const { session } = usePlayground();
  const undo = useSessionState((state) =>
    state.undo && isShown(state.undo.isSetup === true) ? state.undo : undefined,
  );
  const offer = useMemo(() => undo && { text: undo.text, onUndo: undo.restore }, [undo]);
  return (
    <UndoBar
      offer={offer}
      inline={inline}
      onEnd={() => {
        // After Undo nothing is on offer any more, and nothing must expire.
        if (undo && session.getState().undo?.id === undo.id) undo.expire();
      }}
    />
  );
}
