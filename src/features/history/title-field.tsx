import { useRef, useState } from 'react';

interface TitleFieldProps {
  title: string;
  /** The new title, or nothing where it was given up or left empty. */
  onDone: (title?: string) => void;
}

/** A title being typed: Enter and leaving the field keep it, Escape gives it up. */
export function TitleField({ title, onDone }: TitleFieldProps) {
  const [text, setText] = useState(title);
  // Enter and Escape take the field away, which also blurs it.
  const isDone = useRef(false);
  const finish = (next: string | undefined) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(next === undefined || next.trim() === '' ? undefined : next.trim());
  };
  return (
    <input
      className="nf tx title-input"
      aria-label="Session title"
      dir="auto"
      value={text}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(text);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        finish(undefined);
      }}
    />
  );
}
