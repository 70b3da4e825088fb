import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';

interface Props {
  text: string;
  onSave: (text: string, run: boolean) => void;
  onCancel: () => void;
}

/** Edits a message in place. Saving adds a version; the old one stays. */
export function PromptEditor({ text, onSave, onCancel }: Props) {
  const [next, setNext] = useState(text);
  return (
    <div className="edit">
      <textarea
        className="area"
        aria-label="Edit message"
        dir="auto"
        autoFocus
        value={next}
        onFocus={(event) => event.currentTarget.setSelectionRange(next.length, next.length)}
        onChange={(event) => setNext(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') {
            event.stopPropagation();
            onCancel();
          } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            onSave(next, true);
          }
        }}
      />
      <div className="offers">
        <Button look="ink" size="small" onClick={() => onSave(next, true)}>
          Save and run
        </Button>
        <Button size="small" onClick={() => onSave(next, false)}>
          Save
        </Button>
        <Button look="quiet" size="small" onClick={onCancel}>
          Cancel
        </Button>
        <span className="mut">The version of now stays: step back to it at any time.</span>
      </div>
    </div>
  );
}
