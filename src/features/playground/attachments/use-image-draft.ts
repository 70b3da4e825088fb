import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';

import type { DraftImage } from '../../../state/drafts/images.ts';
import { usePlayground } from '../../../state/react.tsx';
import { createLateList, type ListEdit } from '../../../state/runs/late-list.ts';

/** The images that wait in a composer: on the disk at once, back after a reload. */
export function useImageDraft(
  sessionId: string,
): [readonly DraftImage[], (change: ListEdit<DraftImage>) => void] {
  const { images: store } = usePlayground();
  const list = useMemo(
    () =>
      createLateList<DraftImage>({
        read: () => store.readDraft(sessionId),
        // Where they cannot be stored they wait here all the same; that nothing is saved is told elsewhere.
        write: (images) => store.writeDraft(sessionId, images),
      }),
    [store, sessionId],
  );
  useEffect(() => {
    void list.read();
  }, [list]);
  return [useStore(list.state), list.change];
}
