import type { ReactNode } from 'react';

import { Button, buttonVariants } from '../ui/controls/button.tsx';
import { Boundary } from '../ui/display/boundary.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';

/** Keeps the rest of the app working when a screen throws. Stored data is not affected. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <EmptyState
          title="Something went wrong"
          texts={[
            'An error in Bench stopped this page. Your sessions are kept in this browser. Running answers continue.',
          ]}
          raw={error.message}
        >
          <Button variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
          <Button onClick={retry}>Try again</Button>
          <a className={buttonVariants({ variant: 'ghost' })} href="/history">
            Open History
          </a>
        </EmptyState>
      )}
    >
      {children}
    </Boundary>
  );
}
