import { useCallback, useEffect, useRef, useState } from 'react';

import { changePasted, readPasted, type ChangePasted } from '../../../state/drafts/pasted-drafts.ts';
import { usePlayground } from '../../../state/react.tsx';

const none: readonly string[] = [];

/** The long texts that were pasted into a composer: on the disk at once, back after a reload. */
export function usePastedTexts(sessionId: string): [readonly string[], (change: ChangePasted) => void] {
  const { drafts } = usePlayground();
  const [known, setKnown] = useState({ sessionId, texts: none });
  // What was read before the last change is old.
  const changes = useRef(0);

  useEffect(() => {
    const at = changes.current;
    void readPasted(drafts, sessionId).then(
      (texts) => at === changes.current && setKnown({ sessionId, texts }),
      () => undefined,
    );
    return () => {
      changes.current += 1;
    };
  }, [drafts, sessionId]);

  const change = useCallback(
    (edit: ChangePasted) => {
      changes.current += 1;
      const at = changes.current;
      setKnown((before) => ({
        sessionId,
        texts: edit(before.sessionId === sessionId ? before.texts : none),
      }));
      // What was stored and is not shown yet stays. What cannot be stored waits here all the same.
      void changePasted(drafts, sessionId, edit).then(
        (texts) => at === changes.current && setKnown({ sessionId, texts }),
        () => undefined,
      );
    },
    [drafts, sessionId],
  );
  return [known.sessionId === sessionId ? known.texts : none, change];
}
