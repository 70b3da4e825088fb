import { useMemo } from 'react';

import { usePlayground, useSessionState, useView } from '../../state/use-playground.tsx';
import { UndoBar } from '../../ui/overlays/undo-bar.tsx';
import { useReportSidebarVisibility } from './use-report-sidebar-visibility.ts';

/** What was done last and can still be taken back, whichever screen it was made on. Edits of setups are left to the sidebar. */
export function Undo() {
  const isSidebarVisible = useView(({ isSidebarVisible }) => isSidebarVisible);
  return <UndoNotice shouldShow={(isSetup) => !(isSetup && isSidebarVisible)} />;
}

/** Whether that bar floats over the page now. */
export function useIsUndoVisible(): boolean {
  const isSidebarVisible = useView(({ isSidebarVisible }) => isSidebarVisible);
  return useSessionState(({ undo }) => undo !== undefined && !(undo.isSetup === true && isSidebarVisible));
}

/** In the sidebar, where it is on screen: edits of setups alone. */
export function SetupUndo() {
  useReportSidebarVisibility();
  return <UndoNotice isInline shouldShow={(isSetup) => isSetup} />;
}

function UndoNotice({
  shouldShow,
  isInline = false,
}: {
  shouldShow: (isSetup: boolean) => boolean;
  isInline?: boolean;
}) {
  const { session } = usePlayground();
  const undo = useSessionState((state) =>
    state.undo && shouldShow(state.undo.isSetup === true) ? state.undo : undefined,
  );
  const undoOffer = useMemo(() => undo && { text: undo.text, onUndo: undo.restore }, [undo]);
  return (
    <UndoBar
      undoAction={undoOffer}
      isInline={isInline}
      onEnd={() => {
        // After Undo nothing is on offer any more, and nothing must expire.
        if (undo && session.getState().undo?.id === undo.id) undo.expire();
      }}
    />
  );
}
