import type { ReactNode } from 'react';

import { Button, buttonLook } from '../ui/controls/button.tsx';
import { Boundary } from '../ui/display/boundary.tsx';

/** One broken screen leaves the rest of the app alive. What was stored stays stored. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary
      renderFallback={(error, again) => (
        <main className="screen blank" data-region>
          <h1>Something went wrong here</h1>
          <p>
            An error in Bench stopped this page. Your sessions are stored in this browser, and running answers
            continue.
          </p>
          <pre>{error.message}</pre>
          <div className="offers">
            <Button look="ink" onClick={() => location.reload()}>
              Reload
            </Button>
            <Button onClick={again}>Try again</Button>
            <a className={buttonLook({ look: 'quiet' })} href="/history">
              Open History
            </a>
          </div>
        </main>
      )}
    >
      {children}
    </Boundary>
  );
}
