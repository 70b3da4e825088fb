import { useCallback, useEffect, useRef, useState } from 'react';

import { usePlayground } from '../../../state/react.tsx';

/** The composer's text: local while one types, on the disk as one types, back after a reload. */
export function useDraft(sessionId: string): [string, (text: string) => void] {
  const { drafts } = usePlayground();
  const [text, setText] = useState('');
  const typed = useRef(false);

  useEffect(() => {
    let current = true;
    typed.current = false;
    void drafts.read(sessionId).then((stored) => {
      // What was typed before the disk answered is newer.
      if (current && !typed.current) setText(stored);
    });
    return () => {
      current = false;
    };
  }, [drafts, sessionId]);

  const change = useCallback(
    (next: string) => {
      typed.current = true;
      setText(next);
      drafts.write(sessionId, next);
    },
    [drafts, sessionId],
  );
  return [text, change];
}
