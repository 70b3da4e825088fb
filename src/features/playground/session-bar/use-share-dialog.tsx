import { useState, type ReactNode } from 'react';

import { usePlayground, useSessionParts } from '../../../state/react.tsx';
import { lazyView } from '../../../ui/hooks/lazy-view.tsx';

const ShareDialog = lazyView(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** Opens the dialog that makes a link; the element belongs beside what opens it. */
export function useShareDialog(sessionId: string): { open: () => void; dialog: ReactNode } {
  const { drafts } = usePlayground();
  const lanes =
    useSessionParts((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  const [draft, setDraft] = useState<string>();
  return {
    open: () => void drafts.read(sessionId).then(setDraft, () => setDraft('')),
    dialog: draft !== undefined && (
      <ShareDialog lanes={lanes} draft={draft} onClose={() => setDraft(undefined)} />
    ),
  };
}
