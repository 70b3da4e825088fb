import { useCallback, useEffect, useRef, useState } from 'react';

import type { DraftImage } from '../../../state/images.ts';
import { usePlayground } from '../../../state/react.tsx';

type Change = (images: readonly DraftImage[]) => readonly DraftImage[];

/** The images that wait in a composer: on the disk at once, back after a reload as soon as they can be shown. */
export function useImageDraft(
  sessionId: string,
  canShow: boolean,
): [readonly DraftImage[], (change: Change) => void] {
  const { images: load } = usePlayground();
  const [images, setImages] = useState<readonly DraftImage[]>([]);
  const current = useRef(images);

  const change = useCallback(
    (edit: Change) => {
      current.current = edit(current.current);
      setImages(current.current);
      const next = current.current;
      // Where they can not be stored they wait here all the same; that nothing is saved is told elsewhere.
      load().then(
        (store) => store.writeDraft(sessionId, next),
        () => undefined,
      );
    },
    [load, sessionId],
  );

  useEffect(() => {
    if (!canShow) return;
    let isShown = true;
    const show = (stored: readonly DraftImage[]) => {
      // What was attached meanwhile has replaced them.
      if (!isShown || current.current.length > 0) return;
      current.current = stored;
      setImages(stored);
    };
    // Those that can not be read now are still there when the session is opened next.
    load()
      .then((store) => store.readDraft(sessionId))
      .then(show, () => undefined);
    return () => {
      isShown = false;
    };
  }, [load, sessionId, canShow]);

  return [images, change];
}
