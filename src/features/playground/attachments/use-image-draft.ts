import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';

import type { DraftImage } from '../../../state/drafts/images.ts';
import { usePlayground } from '../../../state/react.tsx';
import { createLateList, type ListEdit } from '../../../state/runs/late-list.ts';

/** The images that wait in a composer: on the disk at once, back after a reload as soon as they can be shown. */
export function useImageDraft(
  sessionId: string,
  canShow: boolean,
): [readonly DraftImage[], (change: ListEdit<DraftImage>) => void] {
  const { images: load } = usePlayground();
  const list = useMemo(
    () =>
      createLateList<DraftImage>({
        read: async () => (await load()).readDraft(sessionId),
        // Where they cannot be stored they wait here all the same; that nothing is saved is told elsewhere.
        write: (images) =>
          void load().then(
            (store) => store.writeDraft(sessionId, images),
            () => undefined,
          ),
      }),
    [load, sessionId],
  );
  useEffect(() => {
    if (canShow) void list.read();
  }, [list, canShow]);
  return [useStore(list.state), list.change];
}
