import type { ReactNode } from 'react';

import { Button } from '../../../ui/controls/button.tsx';
import { Boundary } from '../../../ui/display/boundary.tsx';
import { NoteActions, NoteCard, NoteText } from '../../../ui/display/card.tsx';

interface MessageBoundaryProps {
  /** Returns the unmodified text of the message; called only if rendering fails. */
  getText: () => string;
  children: ReactNode;
}

/**
 * Error boundary of a message: shows the message as plain text if rendering fails. The rest of the page is not
 * affected.
 */
export function MessageBoundary({ getText, children }: MessageBoundaryProps) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <NoteCard tone="warn" title="This message could not be displayed" role="group" aria-label="Note">
          <NoteText>The text is kept and shown below. Error in Bench: {error.message}</NoteText>
          <pre className="unbroken max-h-96 overflow-auto wrap-anywhere whitespace-pre-wrap" dir="auto">
            {getText()}
          </pre>
          <NoteActions>
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </NoteActions>
        </NoteCard>
      )}
    >
      {children}
    </Boundary>
  );
}
