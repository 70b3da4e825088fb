import { Component, type ReactNode } from 'react';

import { Button } from '../controls/button.tsx';
import { FieldError } from '../controls/field.tsx';

interface BoundaryProps {
  /** What stands in its place when it cannot be drawn; `again` tries once more. */
  renderFallback: (error: Error, again: () => void) => ReactNode;
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

/** Around a part of a screen, named as in "The composer": in its place one sentence and another try. */
export function PartBoundary({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Boundary
      renderFallback={(error, again) => (
        <FieldError icon={false} role="group" aria-label={name}>
          {name} could not be displayed ({error.message}).{' '}
          <Button size="small" onClick={again}>
            Try again
          </Button>
        </FieldError>
      )}
    >
      {children}
    </Boundary>
  );
}
