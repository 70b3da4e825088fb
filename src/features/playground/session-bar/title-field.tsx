import { useState } from 'react';

import { focusNext } from '../../../ui/focus/places.ts';
import { sessionMenu } from '../places.ts';

/** The session's title while it is being renamed: Enter and leaving keep it, Escape and nothing but spaces do not. */
export function TitleField({ title, onDone }: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(title);
  const finish = () => onDone(text.trim() === '' ? undefined : text.trim());
  return (
    <input
      className="title-field"
      aria-label="Session title"
      dir="auto"
      value={text}
      autoFocus
      {...focusNext(sessionMenu)}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    />
  );
}
