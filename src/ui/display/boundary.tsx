import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';

import { cn } from '../cn.ts';
import { Button } from '../controls/button.tsx';
import { FieldError } from '../controls/field.tsx';

interface BoundaryProps {
  /** Renders the fallback if the children throw; `retry` renders them again. */
  renderFallback: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Catches render errors of its children, so the rest of the page keeps working. */
export function Boundary({ renderFallback, children }: BoundaryProps) {
  return (
    <ErrorBoundary
      fallbackRender={({ error, resetErrorBoundary }) =>
        renderFallback(error instanceof Error ? error : new Error(String(error)), () => resetErrorBoundary())
      }
    >
      {children}
    </ErrorBoundary>
  );
}

/** Position of the fallback for parts that lie over the page. */
export const overPageClasses = cn(
  'fixed inset-x-4 top-28 z-20 mx-auto w-fit rounded-3 border border-line-2 bg-raised p-3 shadow-e-2',
);

interface SectionBoundaryProps {
  /** Name used in the error message, for example "The composer". */
  name: string;
  /** Closes a part that lies over the page. */
  onClose?: () => void;
  children: ReactNode;
}

/** Wraps part of a screen; on an error it shows a sentence and a button to try again. */
export function SectionBoundary({ name, onClose, children }: SectionBoundaryProps) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <FieldError
          icon={false}
          role="group"
          aria-label={name}
          {...(onClose && { className: overPageClasses })}
        >
          {name} could not be displayed. {error.message}{' '}
          <Button size="small" onClick={retry}>
            Try again
          </Button>{' '}
          {onClose && (
            <Button size="small" onClick={onClose}>
              Close
            </Button>
          )}
        </FieldError>
      )}
    >
      {children}
    </Boundary>
  );
}
