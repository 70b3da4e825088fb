import { useMemo, useLayoutEffect } from 'react';

import { useSessionState, useView, useSessionServices } from '../../state/contexts.tsx';
import { messageField } from './playground-focus-targets.ts';
import { UndoBar } from './undo-bar.tsx';

/** Undo bar for the last action, whichever screen it happened on. Setup edits are shown in the sidebar instead. */
export function Undo() {
  const isSidebarVisible = useView(({ isSidebarVisible }) => isSidebarVisible);
  return <UndoNotice shouldShow={(isSetup) => !(isSetup && isSidebarVisible)} />;
}

/** Returns true while the floating undo bar is visible. */
export function useIsUndoVisible(): boolean {
  const isSidebarVisible = useView(({ isSidebarVisible }) => isSidebarVisible);
  return useSessionState(({ undo }) => undo !== undefined && !(undo.isSetup === true && isSidebarVisible));
}

/** Undo bar in the sidebar, only for setup edits. */
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
  const { session } = useSessionServices();
  const undo = useSessionState((state) =>
    state.undo && shouldShow(state.undo.isSetup === true) ? state.undo : undefined,
  );
  const undoOffer = useMemo(() => undo && { text: undo.text, onUndo: undo.restore }, [undo]);
  return (
    <UndoBar
      undoAction={undoOffer}
      isInline={isInline}
      {...(isInline ? {} : { nextFocus: messageField })}
      onEnd={() => {
        // After an undo there is nothing left to expire.
        if (undo && session.getState().undo?.id === undo.id) undo.expire();
      }}
    />
  );
}

/** Reports to the rest of the app that the sidebar is visible while it is mounted. */
function useReportSidebarVisibility(): void {
  const { view } = useSessionServices();
  useLayoutEffect(() => {
    view.setState({ isSidebarVisible: true });
    return () => view.setState({ isSidebarVisible: false });
  }, [view]);
}
