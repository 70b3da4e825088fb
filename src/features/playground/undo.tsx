import { useMemo } from 'react';

import { usePlayground, useSessionState, useView } from '../../state/use-playground.tsx';
import { UndoBar } from '../../ui/overlays/undo-bar.tsx';
import { useSidebarVisibility } from './use-sidebar-visibility.ts';

/** What was done last and can still be taken back, whichever screen it was made on. Edits of setups are left to the sidebar. */
export function Undo() {
  const isSidebarVisible = useView(({ isSidebarVisible }) => isSidebarVisible);
  return <UndoNotice isShown={(isSetup) => !(isSetup && isSidebarVisible)} />;
}

/** Whether that bar floats over the page now. */
export function useIsUndoVisible(): boolean {
  const isSidebarVisible = useView(({ isSidebarVisible }) => isSidebarVisible);
  return useSessionState(({ undo }) => undo !== undefined && !(undo.isSetup === true && isSidebarVisible));
}

/** In the sidebar, where it is on screen: edits of setups alone. */
export function SetupUndo() {
  useSidebarVisibility();
  return <UndoNotice inline isShown={(isSetup) => isSetup} />;
}

function UndoNotice({
  isShown: shouldShow,
  inline = false,
}: {
  isShown: (isSetup: boolean) => boolean;
  inline?: boolean;
}) {
  const { session } = usePlayground();
  const undo = useSessionState((state) =>
    state.undo && shouldShow(state.undo.isSetup === true) ? state.undo : undefined,
  );
  const undoOffer = useMemo(() => undo && { text: undo.text, onUndo: undo.restore }, [undo]);
  return (
    <UndoBar
      offer={undoOffer}
      isInline={inline}
      onEnd={() => {
        // After Undo nothing is on offer any more, and nothing must expire.
        if (undo && session.getState().undo?.id === undo.id) undo.expire();
      }}
    />
  );
}
