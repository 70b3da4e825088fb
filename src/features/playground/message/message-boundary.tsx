import type { ReactNode } from 'react';

import { Button } from '../../../ui/controls/button.tsx';
import { Boundary } from '../../../ui/display/boundary.tsx';
import { NoteCard, noteTextLook, offersLook } from '../../../ui/display/card.tsx';

interface MessageBoundaryProps {
  /** What the message says, unchanged; asked for only when it cannot be drawn. */
  getText: () => string;
  children: ReactNode;
}

/** A message that cannot be drawn is shown as plain text, and everything else goes on. */
export function MessageBoundary({ getText, children }: MessageBoundaryProps) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <NoteCard tone="warn" title="This message could not be displayed" role="group" aria-label="Note">
          <p className={noteTextLook}>
            An error occurred in Bench ({error.message}). The text is kept and shown below.
          </p>
          <pre className="unbroken max-h-96 overflow-auto wrap-anywhere whitespace-pre-wrap" dir="auto">
            {getText()}
          </pre>
          <div className={offersLook}>
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </div>
        </NoteCard>
      )}
    >
      {children}
    </Boundary>
  );
}
