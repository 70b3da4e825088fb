import type { ComponentProps } from 'react';

import type { Snippet } from '../../conversation/files/text-search.ts';
import { cn } from '../../ui/cn.ts';
import { RenameField } from '../../ui/controls/rename-field.tsx';
import { createFocusTarget } from '../../ui/focus/focus-target.ts';
import { Table2, type IconComponent } from '../../ui/icons.tsx';
import { ListChecks, MessageSquare } from '../../ui/late-icons.tsx';
import type { EntryKind } from './history-entries.ts';

const cellClasses =
  'h-7 truncate py-0 pr-3 text-left align-top text-[12.5px] leading-7 max-phone:block max-phone:h-auto max-phone:p-0';

/** Link that opens an entry. */
const titleLink = createFocusTarget('title of an entry');

/** A cell of a row. */
export function HistoryCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={cn(cellClasses, className)} {...rest} />;
}

/** The cell with the title, which names its row. */
export function HistoryTitleCell({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="row"
      className={cn(cellClasses, 'font-550 max-phone:col-span-2 max-phone:text-15', className)}
      {...rest}
    />
  );
}

/** The link that opens an entry. */
export function TitleLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      className="block truncate rounded-1 decoration-edge underline-offset-3 -outline-offset-1 hover:underline max-phone:py-1.5"
      dir="auto"
      {...titleLink.attributes}
      {...rest}
    >
      {children}
    </a>
  );
}

/** Icon of each kind of entry. */
export const kindIcons: Record<EntryKind, IconComponent> = {
  Session: MessageSquare,
  Trial: ListChecks,
  'Embedding set': Table2,
};

/** A link to a match in an entry. */
export function MatchLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      className="ml-5.5 block truncate rounded-1 pb-1 text-12 leading-5 font-normal text-ink-3 -outline-offset-1 hover:text-ink max-phone:py-2.5"
      dir="auto"
      {...rest}
    >
      {children}
    </a>
  );
}

const sourceLabels: Record<Snippet['source'], string> = {
  prompt: 'You',
  answer: 'Answer',
  reasoning: 'Reasoning',
  'tool call': 'Tool',
  note: 'Note',
};

interface SearchSnippetProps {
  snippet: Snippet;
  /** Names the source of the text, if the kind of entry has its own name for it. */
  label?: string;
}

/** Snippet of the text around a match. */
export function SearchSnippet({ snippet, label = sourceLabels[snippet.source] }: SearchSnippetProps) {
  return (
    <>
      <b className="mr-1 font-[550] text-ink-2">{label}</b>{' '}
      {snippet.pieces.map(({ text, isHit }, index) =>
        isHit ? (
          <mark
            key={index}
            className="rounded-[2px] bg-needle-wash text-ink underline decoration-needle decoration-2 underline-offset-3"
          >
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </>
  );
}

interface TitleFieldProps {
  title: string;
  /** Accessible name of the field. */
  label: string;
  /** Called with the new title, or with `undefined` if editing was cancelled or the field is empty. */
  onDone: (title?: string) => void;
}

/** Field for a new title of an entry. */
export function TitleField({ title, label, onDone }: TitleFieldProps) {
  return (
    <RenameField
      label={label}
      name={title}
      nextFocus={titleLink}
      className="field-sizing-content h-6 w-full max-w-31 min-w-14 px-1.75 text-left [font:550_12.5px/18px_var(--mono)] max-phone:h-11 max-phone:min-w-17.5 max-phone:text-[16px]"
      onDone={onDone}
    />
  );
}
