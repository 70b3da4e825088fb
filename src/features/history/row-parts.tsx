import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import type { Snippet } from '../../conversation/files/text-search.ts';
import { formatRelativeTime } from '../../lib/relative-time.ts';
import { cn } from '../../ui/cn.ts';
import { IconButton, iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { RenameField } from '../../ui/controls/rename-field.tsx';
import { createFocusTarget } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { Copy, Download, Pencil, Trash2, type IconComponent } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';

const cellClasses =
  'h-7 truncate py-0 pr-3 text-left align-top text-[12.5px] leading-7 max-phone:block max-phone:h-auto max-phone:p-0';

/** Link that opens an entry. */
const titleLink = createFocusTarget('title of an entry');

/** A row of the table; `index` counts from the first one below the column headers. */
export function HistoryRow({ index, ...props }: ComponentProps<'tr'> & { index: number }) {
  return (
    <tr
      ref={moveFocusOnRemoval}
      data-index={index}
      aria-rowindex={index + 2}
      className="group/entry border-b border-line hover:bg-bench data-selected:bg-sunken max-phone:grid max-phone:grid-cols-[28px_minmax(0,1fr)_auto_44px] max-phone:items-center max-phone:gap-x-2 max-phone:py-2 max-phone:pr-1 max-phone:pl-3"
      {...props}
    />
  );
}

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

const fullDateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

/** Cells with the models and the last use. */
export function ModelsAndLastUse({
  models,
  lastUsedAt,
  nowMs,
}: {
  models: readonly string[];
  lastUsedAt: number;
  nowMs: number;
}) {
  const day = new Date(lastUsedAt);
  return (
    <>
      <HistoryCell
        className="font-mono text-ink-2 max-phone:col-start-2 max-phone:row-start-2"
        title={models.join('\n')}
      >
        {models.slice(0, 2).join(', ')}
        {models.length > 2 && ` and ${models.length - 2} more`}
      </HistoryCell>
      <HistoryCell className="text-ink-3 max-phone:col-start-3 max-phone:row-start-2">
        <time dateTime={day.toISOString()} title={fullDateFormat.format(day)}>
          {formatRelativeTime(lastUsedAt, nowMs)}
        </time>
      </HistoryCell>
    </>
  );
}

interface RowToolsProps {
  title: string;
  /** The cell for the tokens; a dash by default, since only sessions count them. */
  tokenCell?: ReactNode;
  onOpen: () => void;
  onExport?: () => void;
  onRename: () => void;
  onDuplicate?: () => void;
  onRemove: () => void;
}

/** Cells for the tokens and actions of an entry. */
export function RowTools({
  title,
  tokenCell,
  onOpen,
  onExport,
  onRename,
  onDuplicate,
  onRemove,
}: RowToolsProps) {
  const tools: (MenuItem & { Icon: IconComponent })[] = [
    ...(onExport ? [{ label: 'Export', Icon: Download, onPick: onExport }] : []),
    { label: 'Rename', Icon: Pencil, onPick: onRename },
    ...(onDuplicate ? [{ label: 'Duplicate', Icon: Copy, onPick: onDuplicate }] : []),
    { label: 'Delete', Icon: Trash2, isDestructive: true, startsGroup: true, onPick: onRemove },
  ];
  return (
    <>
      {tokenCell ?? <HistoryCell className="text-right text-ink-3 max-phone:hidden!">–</HistoryCell>}
      <td className="px-3 text-right align-top max-phone:col-start-4 max-phone:row-span-2 max-phone:row-start-1 max-phone:block max-phone:p-0">
        <span className="inline-flex h-7 items-center align-middle opacity-0 group-focus-within/entry:opacity-100 group-hover/entry:opacity-100 max-phone:hidden pointer-coarse:opacity-100">
          {tools.map(({ label, Icon, onPick }) => (
            <IconButton key={label} size="small" label={`${label} ${title}`} tip={label} onClick={onPick}>
              <Icon className="icon-14" aria-hidden />
            </IconButton>
          ))}
        </span>
        <Menu
          label={`Menu for ${title}`}
          className={clsx(iconButtonVariants(), 'phone:hidden')}
          items={[{ label: 'Open', onPick: onOpen }, ...tools.map(({ Icon: _, ...item }) => item)]}
        />
      </td>
    </>
  );
}

/** A link to a match in an entry. */
export function MatchLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      className="block truncate rounded-1 pb-1 text-12 leading-5 font-normal text-ink-3 -outline-offset-1 hover:text-ink max-phone:py-2.5"
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
  label?: string;
  /** Called with the new title, or with `undefined` if editing was cancelled or the field is empty. */
  onDone: (title?: string) => void;
}

/** Field for a new title of an entry. */
export function TitleField({ title, label = 'Session title', onDone }: TitleFieldProps) {
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
