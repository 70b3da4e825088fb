import type { KeyboardEvent, ReactNode } from 'react';

import { cn } from '../../../ui/cn.ts';
/** Parts of the inspector's panels. */
import { Check } from '../../../ui/icons.tsx';

interface TwoColumnsProps {
  /** equal: about as wide as each other; code: the right one is wider. */
  columnSizes?: 'equal' | 'code';
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** Two columns that scroll apart; one below the other where the drawer is narrow. */
export function TwoColumns({ columnSizes = 'equal', onKeyDown, children }: TwoColumnsProps) {
  return (
    <div
      onKeyDown={onKeyDown}
      className={cn(
        'grid min-h-0 min-w-0 [&>*]:focus-visible:-outline-offset-2',
        columnSizes === 'code'
          ? 'grid-cols-[minmax(0,352fr)_minmax(0,514fr)]'
          : 'grid-cols-[minmax(0,450fr)_minmax(0,416fr)]',
        '@max-[700px]:flex @max-[700px]:flex-col @max-[700px]:overflow-y-auto',
      )}
    >
      {children}
    </div>
  );
}

/** The looks of the columns. */
export const columnLooks = {
  list: cn('flex min-h-0 min-w-0 flex-col @max-[700px]:flex-none'),
  left: cn('min-h-0 min-w-0 overflow-y-auto px-5 pb-5 @max-[700px]:flex-none @max-[700px]:overflow-visible'),
  right: cn(
    'min-h-0 min-w-0 overflow-y-auto border-l border-line px-5 pb-5',
    '@max-[700px]:flex-none @max-[700px]:overflow-visible @max-[700px]:border-t @max-[700px]:border-l-0',
  ),
};

interface PanelHeaderProps {
  title: ReactNode;
  /** Beside the title. */
  status?: ReactNode;
  /** In grey at the right. */
  note?: ReactNode;
  /** A line above it: another part ends there. */
  hasDivider?: boolean;
  /** Where it stands, never how it looks. */
  className?: string;
  /** At the right, after the note. */
  children?: ReactNode;
}

/** The heading of a part of a panel. */
export function PanelHeader({
  title,
  status,
  note,
  hasDivider = false,
  className,
  children,
}: PanelHeaderProps) {
  return (
    <header
      className={cn(
        'flex min-h-11 flex-none items-center gap-1.5',
        hasDivider && 'mt-2.5 border-t border-line',
        className,
      )}
    >
      <h3 className="font-sans text-13 font-600 whitespace-nowrap">{title}</h3>
      {status}
      <span className="min-w-0 flex-1" />
      {note !== undefined && <span className="ml-1.5 font-sans text-12 text-ink-3">{note}</span>}
      {children}
    </header>
  );
}

/** A sentence under what it is about. */
export function PanelNote({ children }: { children: ReactNode }) {
  return (
    <p className="mt-2 font-sans text-12 leading-4.5 text-pretty wrap-anywhere text-ink-3 [&_code]:font-mono [&_code]:text-mono-11 [&_code]:text-ink-2">
      {children}
    </p>
  );
}

/** A sentence in place of a panel. */
export function PanelEmptyState({ children }: { children: ReactNode }) {
  return <p className="px-5 py-3.5 font-sans text-13 text-pretty wrap-anywhere text-ink-3">{children}</p>;
}

/** Names and values, such as headers. */
export function DefinitionList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-1.25 font-mono text-[11.5px] leading-4.5">{children}</dl>;
}

interface DefinitionItemProps {
  name: string;
  /** Nothing is shown where there is none. */
  value: string | undefined;
  children?: ReactNode;
}

/** One of `DefinitionList`. */
export function DefinitionItem({ name, value, children }: DefinitionItemProps) {
  if (value === undefined) return null;
  return (
    <div className="grid grid-cols-[96px_minmax(0,1fr)] gap-2">
      <dt className="wrap-anywhere text-ink-3">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 wrap-anywhere">
        {value}
        {children}
      </dd>
    </div>
  );
}

/** The request ID came back as it was sent. */
export function SameAsSent() {
  return (
    <span className="inline-flex items-center gap-0.75 align-[-2px] font-sans text-11 whitespace-nowrap text-ok-ink">
      <Check className="icon-14" aria-hidden />
      same as sent
    </span>
  );
}

/** The colours of JSON, by what a piece of it is. */
export const traceJsonColors = {
  mark: 'text-ink-3',
  key: 'text-(--lane-b)',
  text: 'text-(--lane-c)',
  value: 'text-(--lane-a)',
  fold: 'text-ink-3',
};
