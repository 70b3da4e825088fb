import { useState, type FormEvent, type KeyboardEvent } from 'react';

import { Button } from '../../../ui/controls/button.tsx';
import { withFieldAdded } from './extra-fields.ts';

interface AddFieldProps {
  /** The JSON objects so far, of each lane that it goes into. */
  texts: readonly string[];
  onAdd: (name: string, value: string) => void;
  onClose: () => void;
}

/** One more field by name and value; a value that is not JSON goes in as a string. */
export function AddField({ texts, onAdd, onClose }: AddFieldProps) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const isBlocked = texts.some((text) => withFieldAdded(text, name, value) === undefined);
  const complaint = isBlocked ? 'The JSON below is not an object yet. Fix it first.' : undefined;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBlocked || name === '') return;
    onAdd(name, value);
    onClose();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };

  return (
    <form className="add-field" onSubmit={onSubmit}>
      <input
        className="nf tx"
        aria-label="Field name"
        placeholder="name"
        ref={(input) => input?.focus()}
        required
        onKeyDown={onKeyDown}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <input
        className="nf tx"
        aria-label="Field value"
        placeholder="value, as JSON or text"
        required
        onKeyDown={onKeyDown}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <Button size="small" type="submit">
        Add
      </Button>
      {complaint && <p className="er">{complaint}</p>}
    </form>
  );
}
