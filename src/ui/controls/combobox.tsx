import type { ReactNode } from 'react';

import { cn } from '../cn.ts';
import type { FocusTarget } from '../focus/focus-target.ts';
import { useDebouncedValue } from '../hooks/use-debounced-value.ts';
import { ChevronsUpDown } from '../icons.tsx';
import { listboxLook, listFootLook, listHeadLook, listLook, optionLook } from '../overlays/popover.ts';
import type { ComboboxOption } from './option-rows.ts';
import { useOpenCombobox, type ComboboxSource } from './use-open-combobox.ts';

interface ComboboxProps<Option extends ComboboxOption> extends ComboboxSource<Option> {
  /** Accessible name of the field and its list. */
  label: string;
  /**
   * Content shown in place of the field's text while the list is closed, for example with the owner in grey. Must have
   * the same text as `value`.
   */
  displayContent?: ReactNode;
  placeholder?: string;
  /** Content of one option; its text must begin with the option's ID. */
  renderOption?: (option: Option, query: string) => ReactNode;
  /** Content above the list, for example filters. Clicking it keeps the list open. */
  header?: (matches: { count: number; total: number }) => ReactNode;
  footer?: ReactNode;
  /** Sentence shown below an empty list. */
  emptyText?: string;
  className?: string;
  /** Classes for the width and position of the list. */
  listClassName?: string;
  /** Options reach the edges of the list while their content keeps the margins; a rule separates the typed text. */
  fillsRows?: boolean;
  /** Called when the pointer or the focus reaches the field, so that the data of the list can be preloaded. */
  onApproach?: () => void;
  describedBy?: string;
  /** Focus target of the field. */
  focusTarget?: FocusTarget;
}

/** The field looks like a heading until it is used. */
const look = cn(
  'combo group/combo relative inline-flex h-7 min-w-0 items-center rounded-2 font-sans text-[14px] leading-5 font-550 tracking-[-0.003em]',
  'whitespace-nowrap focus-within:bg-raised focus-within:inset-ring focus-within:inset-ring-edge not-focus-within:hover:bg-hover',
);
const shownLook = cn(
  'shown pointer-events-none absolute inset-[0_20px_0_0] block truncate py-1 pl-1.75',
  'group-focus-within/combo:hidden pointer-coarse:text-[16px]',
);
const countDelayMs = 300;

/**
 * An editable combobox for thousands of options; only those in view are mounted. Typing filters and marks the best
 * match, arrow and Page keys move, Enter picks the marked option (with Ctrl or Cmd the alternate pick), Escape closes
 * and restores.
 */
export function Combobox<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const {
    label,
    displayContent,
    placeholder,
    renderOption,
    header,
    footer,
    emptyText,
    className,
    listClassName,
    fillsRows = false,
    onApproach,
    describedBy,
    focusTarget,
    ...source
  } = props;
  const { field, list, popoverProps, inputHandlers, getInputProps, getMenuProps, getItemProps, ...box } =
    useOpenCombobox(source);
  const announced = useDebouncedValue(
    box.open ? countSentence(box.matchCount, source.options.length) : '',
    countDelayMs,
  );

  // React's change event misses text inserted by other programs (dictation, form fillers); the input event does not.
  const { onChange: onInput, ...inputProps } = getInputProps({ 'aria-label': label, ...inputHandlers });

  return (
    <span ref={field} className={cn(look, className)} onPointerEnter={onApproach} onFocus={onApproach}>
      <input
        className={cn(
          'field-sizing-content h-full w-full min-w-0 rounded-2 border-0 bg-transparent pr-6 pl-1.75 text-ellipsis',
          displayContent !== undefined && 'group-not-focus-within/combo:text-transparent',
        )}
        {...inputProps}
        {...focusTarget?.attributes}
        onInput={onInput}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="none"
        aria-describedby={describedBy}
      />
      {displayContent !== undefined && (
        <span className={shownLook} aria-hidden>
          {displayContent}
        </span>
      )}
      <ChevronsUpDown className="pointer-events-none absolute right-1.25 icon-14 text-ink-3" aria-hidden />
      <div popover="manual" data-option-list className={cn(listLook, listClassName)} {...popoverProps}>
        {box.open && header && (
          <header className={listHeadLook}>
            {header({ count: box.matchCount, total: source.options.length })}
          </header>
        )}
        <div
          {...getMenuProps({ 'aria-label': label, ref: list })}
          className={cn(listboxLook, !fillsRows && 'p-1')}
          onScroll={box.onScroll}
        >
          <div role="presentation" className="relative" style={{ height: box.totalHeight }}>
            {box.mounted.map((row) =>
              'heading' in row ? (
                <div
                  key={`heading ${row.top}`}
                  className={cn(
                    'absolute inset-x-0 flex items-end pb-1 text-11 text-ink-3',
                    fillsRows ? 'pr-3.5 pl-8.5' : 'px-2',
                  )}
                  aria-hidden
                  style={{ top: row.top, height: row.height }}
                >
                  {row.heading}
                </div>
              ) : (
                <div
                  {...getItemProps({ item: row.option, index: row.index })}
                  key={row.option === box.typed ? 'as typed' : row.option.id}
                  className={cn(
                    optionLook,
                    'absolute inset-x-0',
                    !fillsRows && 'rounded-2 px-2',
                    fillsRows && row.option === box.typed && 'border-t border-line-2',
                  )}
                  aria-setsize={box.offeredCount}
                  aria-posinset={row.index + 1}
                  style={{ top: row.top, height: row.height }}
                >
                  {renderOption ? renderOption(row.option, box.query) : row.option.label}
                </div>
              ),
            )}
          </div>
        </div>
        {box.open && box.offeredCount === 0 && (
          <p className="px-3 py-2.5 text-12 text-ink-3">{emptyText ?? 'No matches.'}</p>
        )}
        {box.open && footer && <footer className={listFootLook}>{footer}</footer>}
        <span role="status" className="sr-only">
          {announced}
        </span>
      </div>
    </span>
  );
}

function countSentence(count: number, total: number): string {
  if (count === 0 && total > 0) return 'No matches';
  return count === total ? `${count} options` : `${count} of ${total} options`;
}
