import { clsx } from 'clsx';
/** Building blocks of the inspector's panels. */
import type { KeyboardEvent, ReactNode } from 'react';

import { CheckIcon } from '../../ui/icons.tsx';

interface TwoColumnsProps {
  /** Column widths: `equal` means about the same width, `code` a wider right column. */
  columnSizes?: 'equal' | 'code';
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** Two columns that scroll independently; stacked if the drawer is narrow. */
export function TwoColumns({ columnSizes = 'equal', onKeyDown, children }: TwoColumnsProps) {
  return (
    <div
      onKeyDown={onKeyDown}
      className={clsx(
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

interface PanelColumnProps {
  side: 'left' | 'right';
  label: string;
  children: ReactNode;
}

/** Column of `TwoColumns`. The left one is a region, the right one a group. */
export function PanelColumn({ side, label, children }: PanelColumnProps) {
  const Element = side === 'left' ? 'section' : 'div';
  return (
    <Element
      className={clsx(
        'min-h-0 min-w-0 overflow-y-auto px-5 pb-5 @max-[700px]:flex-none @max-[700px]:overflow-visible',
        side === 'right' && 'border-l border-line @max-[700px]:border-t @max-[700px]:border-l-0',
      )}
      role={side === 'right' ? 'group' : undefined}
      aria-label={label}
      tabIndex={0}
    >
      {children}
    </Element>
  );
}

interface PanelHeaderProps {
  title: ReactNode;
  /** Content beside the title. */
  status?: ReactNode;
  /** Grey note on the right. */
  note?: ReactNode;
  /** True for a line above it that separates it from the previous section. */
  hasDivider?: boolean;
  /** Classes for the position, never for the style. */
  className?: string;
  /** Content on the right, after the note. */
  children?: ReactNode;
}

/** Heading of a section of a panel. */
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
      className={clsx(
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

/** Note below the section that it explains. */
export function PanelNote({ children }: { children: ReactNode }) {
  return (
    <p className="mt-2 font-sans text-12 leading-4.5 text-pretty wrap-anywhere text-ink-3 [&_code]:font-mono [&_code]:text-mono-11 [&_code]:text-ink-2">
      {children}
    </p>
  );
}

/** Sentence shown instead of an empty panel. */
export function PanelEmptyState({ children }: { children: ReactNode }) {
  return <p className="px-5 py-3.5 font-sans text-13 text-pretty wrap-anywhere text-ink-3">{children}</p>;
}

/** List of names and values, such as headers. */
export function DefinitionList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-1.25 font-mono text-[11.5px] leading-4.5">{children}</dl>;
}

interface DefinitionItemProps {
  name: string;
  /** Value; without one, the item is not rendered. */
  value: string | undefined;
  children?: ReactNode;
}

/** Item of a `DefinitionList`. */
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

/** Label for a returned request ID equal to the one sent. */
export function SameAsSent() {
  return (
    <span className="inline-flex items-center gap-0.75 align-[-2px] font-sans text-11 whitespace-nowrap text-ok-ink">
      <CheckIcon className="icon-14" aria-hidden />
      same as sent
    </span>
  );
}
