import { Component, type ReactNode } from 'react';

import { Button } from '../ui/button.tsx';

interface ErrorBoundaryState {
  error: Error | undefined;
}

/** One broken screen leaves the rest of the app alive. What was stored stays stored. */
export class ErrorBoundary extends Component<{ children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): ErrorBoundaryState {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <main className="screen blank">
        <h1>This screen broke</h1>
        <p>
          A fault in Bench stopped it from being drawn. Your sessions are stored in this browser, and answers
          that are under way go on.
        </p>
        <pre>{error.message}</pre>
        <div className="offers">
          <Button look="ink" onClick={() => location.reload()}>
            Reload
          </Button>
          <Button onClick={() => this.setState({ error: undefined })}>Draw it again</Button>
          <a className="bt quiet" href="/history">
            Open the history
          </a>
        </div>
      </main>
    );
  }
}
