import { useEffect, useEffectEvent, useRef } from 'react';

import { readEdit, writeEdit, type EditDraft } from '../../../state/edit-drafts.ts';
import { usePlayground, useSession } from '../../../state/react.tsx';

/** Keeps what stands in a message's editor until it is saved; `onFound` gets what an earlier one left. */
export function useEditDraft(key: string, onFound: (draft: EditDraft) => void) {
  const { drafts } = usePlayground();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const isTyped = useRef(false);
  const found = useEffectEvent(onFound);

  useEffect(() => {
    let current = true;
    void readEdit(drafts, sessionId, key).then((draft) => {
      // What was typed before the disk answered is newer.
      if (current && draft && !isTyped.current) found(draft);
    });
    return () => {
      current = false;
    };
  }, [drafts, sessionId, key]);

  return (draft: EditDraft | undefined) => {
    isTyped.current = true;
    void writeEdit(drafts, sessionId, key, draft);
  };
}
