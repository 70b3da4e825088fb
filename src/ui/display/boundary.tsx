import { Component, type ReactNode } from 'react';

import { cn } from '../cn.ts';
import { Button } from '../controls/button.tsx';
import { FieldError } from '../controls/field.tsx';

interface BoundaryProps {
  /** What stands in its place when it cannot be drawn; `retry` tries once more. */
  renderFallback: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  error: Error | undefined;
}

/** What breaks inside stays inside: everything around it goes on. */
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

/** Where a part is missing that lies over the page. */
export const overLook = cn(
  'fixed inset-x-4 top-28 z-20 mx-auto w-fit rounded-3 border border-line-2 bg-raised p-3 shadow-e-2',
);

interface SectionBoundaryProps {
  /** As in "The composer". */
  name: string;
  /** Of what lies over the page: puts it away. */
  onClose?: () => void;
  children: ReactNode;
}

/** Around a part of a screen: in its place one sentence and another try. */
export function SectionBoundary({ name, onClose, children }: SectionBoundaryProps) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <FieldError icon={false} role="group" aria-label={name} {...(onClose && { className: overLook })}>
          {name} could not be displayed ({error.message}).{' '}
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
