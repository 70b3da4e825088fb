import { Search } from 'lucide-react';
import { useId, useRef, useState, type ReactNode, type RefObject } from 'react';

import { useShownModal } from '../../ui/overlays/use-shown-modal.ts';

import './palette.css';

/** The field of the command palette, as what it offers sees it. */
export interface PaletteField {
  typed: string;
  input: RefObject<HTMLInputElement | null>;
  /** The id of the list of options. */
  listId: string;
  /** Beside the field, for how it is read. */
  aside: HTMLElement | null;
  /** The focus goes back to where it was. */
  close: () => void;
}

interface PaletteProps {
  /** What the field offers. Its code may come later than the field, which is there to be typed into. */
  children: (field: PaletteField) => ReactNode;
  onClose: () => void;
}

/** The command field over the page. Escape closes it. */
export function Palette({ children, onClose }: PaletteProps) {
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [aside, setAside] = useState<HTMLElement | null>(null);
  useShownModal(dialog);
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  return (
    <dialog className="pal" aria-label="Commands" closedby="any" ref={dialog} onClose={onClose}>
      <div className="pal-i">
        <Search className="i l" aria-hidden />
        <input
          ref={input}
          role="combobox"
          aria-label="Search or run a command"
          dir="auto"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          placeholder="Type a command, a setting, @model or words of a message"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) event.stopPropagation();
          }}
        />
        <span className="pal-r" ref={setAside} />
      </div>
      {children({ typed, input, listId, aside, close })}
    </dialog>
  );
}
