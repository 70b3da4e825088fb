import { useCallback, useEffect, useRef, useState } from 'react';

import { withTyped } from '../../../state/drafts/drafts.ts';
import { usePlayground } from '../../../state/react.tsx';

/** The composer's text: local while one types, on the disk as one types, back after a reload. */
export function useDraft(sessionId: string): [string, (text: string) => void] {
  const { drafts } = usePlayground();
  const [text, setText] = useState('');
  /** Undefined until something is typed. */
  const typed = useRef<string>(undefined);

  useEffect(() => {
    let current = true;
    typed.current = undefined;
    void drafts.read(sessionId).then(
      (stored) => {
        if (!current) return;
        const both = withTyped(stored, typed.current);
        setText(both);
        if (typed.current !== undefined && both !== typed.current) drafts.write(sessionId, both);
      },
      // What cannot be read now is still there when the session is opened next.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [drafts, sessionId]);

  const change = useCallback(
    (next: string) => {
      typed.current = next;
      setText(next);
      drafts.write(sessionId, next);
    },
    [drafts, sessionId],
  );
  return [text, change];
}
