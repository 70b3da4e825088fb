import { lazy, Suspense, useState, type ReactNode } from 'react';

import { usePlayground, useSessionParts } from '../../state/react.tsx';

const ShareDialog = lazy(async () => {
  const { ShareDialog: dialog } = await import('./share-dialog.tsx');
  return { default: dialog };
});

/** Opens the dialog that makes a link; the element belongs beside what opens it. */
export function useShareDialog(sessionId: string): { open: () => void; dialog: ReactNode } {
  const { drafts } = usePlayground();
  const lanes =
    useSessionParts((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  const [draft, setDraft] = useState<string>();
  return {
    open: () => void drafts.read(sessionId).then(setDraft, () => setDraft('')),
    dialog: draft !== undefined && (
      <Suspense>
        <ShareDialog lanes={lanes} draft={draft} onClose={() => setDraft(undefined)} />
      </Suspense>
    ),
  };
}
