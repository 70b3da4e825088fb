import { clsx } from 'clsx';
import { useId, useRef, useState, type ReactNode, type RefObject } from 'react';

import { Search } from '../../ui/icons.tsx';
import { useModalDialog } from '../../ui/overlays/use-modal-dialog.ts';

const look = clsx(
  'm-auto mt-28 max-h-[min(640px,calc(100dvh-140px))] w-[min(680px,calc(100vw-32px))] max-w-none flex-col overflow-hidden',
  'rounded-4 border border-line-2 bg-raised text-ink normal-nums shadow-e-3 backdrop:bg-scrim open:flex open:animate-rise',
  'max-phone:m-0 max-phone:max-h-dvh max-phone:w-screen max-phone:rounded-t-none max-phone:border-x-0 max-phone:border-t-0',
);

/** Field of the command palette, as passed to the options. */
export interface PaletteField {
  typedText: string;
  input: RefObject<HTMLInputElement | null>;
  /** ID of the option list. */
  listId: string;
  /** Element beside the field that shows how the text is interpreted. */
  interpretationElement: HTMLElement | null;
  /** True if Enter was pressed before any option was available. */
  isEnterPending: RefObject<boolean>;
  /** Closes the palette and restores the focus. */
  close: () => void;
}

interface PaletteProps {
  /** Renders the options. Their code may load after the field, which accepts text immediately. */
  children: (field: PaletteField) => ReactNode;
  onClose: () => void;
}

/** Command palette over the page. Escape closes it. */
export function Palette({ children, onClose }: PaletteProps) {
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const isEnterPending = useRef(false);
  const [typedText, setTypedText] = useState('');
  const [interpretationElement, setInterpretationElement] = useState<HTMLElement | null>(null);
  useModalDialog(dialog);
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  return (
    <dialog className={look} aria-label="Commands" closedby="any" ref={dialog} onClose={onClose}>
      <div className="flex h-14 flex-none items-center gap-3 border-b border-line pr-4 pl-4.5">
        <Search className="icon-20 text-ink-3" aria-hidden />
        <input
          ref={input}
          className="min-w-0 flex-1 bg-transparent text-[18px]/7 font-450 tracking-[-0.006em] caret-needle outline-none [--field-size:18px]"
          role="combobox"
          aria-label="Search or run a command"
          dir="auto"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          placeholder="Type a command, setting, @model or message text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={typedText}
          onInput={(event) => {
            setTypedText(event.currentTarget.value);
            isEnterPending.current = false;
          }}
          onKeyDown={(event) => {
            // If an option handled Enter, it has prevented the default action.
            if (event.key === 'Enter' && !event.defaultPrevented) isEnterPending.current = true;
            if (event.key === 'Escape') event.stopPropagation();
          }}
        />
        <span
          className="text-12 whitespace-nowrap text-ink-3 empty:hidden max-phone:hidden"
          ref={setInterpretationElement}
        />
      </div>
      {children({ typedText, input, listId, interpretationElement, isEnterPending, close })}
    </dialog>
  );
}
