import { Component, type ReactNode } from 'react';

import { cn } from '../cn.ts';
import { Button } from '../controls/button.tsx';
import { FieldError } from '../controls/field.tsx';

interface BoundaryProps {
  /** Renders the fallback if the children throw; `retry` renders them again. */
  renderFallback: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  error: Error | undefined;
}

/** Catches render errors of its children, so the rest of the page keeps working. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return this.props.renderFallback(error, () => this.setState({ error: undefined }));
  }
}

/** Position of the fallback for parts that lie over the page. */
export const overLook = cn(
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
        <FieldError icon={false} role="group" aria-label={name} {...(onClose && { className: overLook })}>
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
