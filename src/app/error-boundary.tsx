import type { ReactNode } from 'react';

import { Boundary } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';

/** One broken screen leaves the rest of the app alive. What was stored stays stored. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary
      renderFallback={(error, again) => (
        <main className="screen blank">
          <h1>This screen broke</h1>
          <p>
            A fault in Bench stopped it from being drawn. Your sessions are stored in this browser, and
            answers that are under way go on.
          </p>
          <pre>{error.message}</pre>
          <div className="offers">
            <Button look="ink" onClick={() => location.reload()}>
              Reload
            </Button>
            <Button onClick={again}>Draw it again</Button>
            <a className="bt quiet" href="/history">
              Open the history
            </a>
          </div>
        </main>
      )}
    >
      {children}
    </Boundary>
  );
}
