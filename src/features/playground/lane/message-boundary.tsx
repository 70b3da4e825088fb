import { Component, type ReactNode } from 'react';

import { Button } from '../../../ui/button.tsx';

interface MessageBoundaryProps {
  /** What the message says, as it came; asked for only when it can not be drawn. */
  words: () => string;
  children: ReactNode;
}

interface MessageBoundaryState {
  error: Error | undefined;
}

/** F117: a message that can not be drawn is shown as plain text, and everything else goes on. */
export class MessageBoundary extends Component<MessageBoundaryProps, MessageBoundaryState> {
  override state: MessageBoundaryState = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): MessageBoundaryState {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="card warn c2" role="group" aria-label="Note">
        <h3>This message could not be drawn</h3>
        <p>A fault in Bench stopped it ({error.message}). Its words are kept; here they are as they came.</p>
        <pre className="undrawn unbroken" dir="auto">
          {this.props.words()}
        </pre>
        <div className="offers">
          <Button size="small" onClick={() => this.setState({ error: undefined })}>
            Draw it again
          </Button>
        </div>
      </div>
    );
  }
}
