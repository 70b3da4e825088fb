import { useEffect, useEffectEvent, useRef } from 'react';

import { readEdit, writeEdit, type EditDraft } from '../../../state/drafts/edit-drafts.ts';
import type { DraftImage } from '../../../state/drafts/images.ts';
import { usePlayground, useSession } from '../../../state/react.tsx';

/**
 * Keeps what is in a message's editor until it is saved; `onFound` gets what an earlier one left, with its images
 * where they are others than the stored ones.
 */
export function useEditDraft(
  key: string,
  onFound: (draft: EditDraft, images: readonly DraftImage[] | undefined) => void,
) {
  const { drafts, images: stored } = usePlayground();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const isTyped = useRef(false);
  const found = useEffectEvent(onFound);

  useEffect(() => {
    let current = true;
    void (async () => {
      const draft = await readEdit(drafts, sessionId, key);
      if (!draft) return;
      const images = draft.images === '' ? undefined : stored.imagesOf(draft.images);
      // What was typed before the disk answered is newer.
      if (current && !isTyped.current) found(draft, images);
    })();
    return () => {
      current = false;
    };
  }, [drafts, stored, sessionId, key]);

  return (draft: EditDraft | undefined) => {
    isTyped.current = true;
    // Where the disk cannot say what else is kept, nothing is written over it; the words stay in the editor.
    writeEdit(drafts, sessionId, key, draft).catch(() => undefined);
  };
}
