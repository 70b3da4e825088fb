import { Combobox as Kit } from '@base-ui/react/combobox';
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import {
  Fragment,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';

import { cn } from '../cn.ts';
import type { FocusTarget } from '../focus/focus-target.ts';
import { useDebouncedValue } from '../hooks/use-debounced-value.ts';
import { withIndex } from '../hooks/use-virtual-rows.ts';
import { ChevronsUpDown } from '../late-icons.tsx';
import { Popup, positionerProps } from '../overlays/popup.tsx';
import { matchingOptions, optionsForQuery, type ComboboxOption } from './combobox-options.ts';

interface ComboboxProps<Option extends ComboboxOption> {
  /** Accessible name of the field and its list. */
  label: string;
  /** Text in the field while nothing is being typed. */
  value: string;
  /** ID of the current option; by default the text in the field. */
  selectedId?: string;
  options: readonly Option[];
  /** `isAlternate` is true if Ctrl or Cmd was held. */
  onPick: (option: Option, isAlternate: boolean) => void;
  /** Returns the matches for the typed text, best first. By default every word must occur in the ID or label. */
  filter?: (options: readonly Option[], query: string) => readonly Option[];
  /** Creates an option for text that is not listed. Without this function only listed options can be picked. */
  typedOption?: (text: string) => Option;
  /** Height of one option in px. */
  optionHeightPx?: number;
  /** Selector of the surrounding element that the list is aligned with; by default the field itself. */
  listBeside?: string | undefined;
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
  /** Content below the list. `marked` is the option that Enter picks. */
  footer?: (marked: Option | undefined) => ReactNode;
  /** Sentence shown below an empty list. */
  emptyText?: string;
  className?: string;
  /** Classes for the width and position of the list. */
  listClassName?: string;
  /** Value of `data-layout` of the list, for the content of the options. */
  listLayout?: string;
  /** Options reach the edges of the list while their content keeps the margins; a rule separates the typed text. */
  fillsRows?: boolean;
  /** The options keep their groups while text is typed; `filter` must return the options of a group together. */
  keepsGroups?: boolean;
  describedBy?: string;
  /** Focus target of the field. */
  focusTarget?: FocusTarget;
  /** True to take the focus and open the list when mounted. */
  startsOpen?: boolean;
}

const getOptionId = (option: ComboboxOption) => option.id;
const isSameOption = (option: ComboboxOption, other: ComboboxOption) => option.id === other.id;

const countDelayMs = 300;
/** Number of options that a Page key moves. */
const pageStep = 10;

/**
 * An editable combobox for thousands of options; only those in view are mounted. Typing filters and marks the best
 * match, arrow and Page keys move, Enter picks the marked option (with Ctrl or Cmd the alternate pick), Escape and
 * leaving the field restore. The current value is marked on opening; the typed text is the last option.
 */
export function Combobox<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { label, value, selectedId = value, options, onPick, filter = matchingOptions, typedOption } = props;
  const { displayContent, placeholder, className, describedBy, focusTarget, listBeside } = props;
  const { startsOpen = false } = props;
  const [query, setQuery] = useState<string>();
  const [isOpen, setIsOpen] = useState(startsOpen);
  const [markedIndex, setMarkedIndex] = useState(-1);
  const [field, setField] = useState<HTMLSpanElement | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const actions = useRef<Kit.Root.Actions>(null);
  const wasOpenOnPress = useRef(false);
  const isPaging = useRef(false);

  const { found, typed } = useMemo(
    () => optionsForQuery(options, query ?? '', filter, typedOption),
    [options, query, filter, typedOption],
  );
  const offered = useMemo(() => (typed ? [...found, typed] : found), [found, typed]);
  const announced = useDebouncedValue(isOpen ? formatCount(found.length, options.length) : '', countDelayMs);

  // If the value arrives just before the user types, the typed text replaces it instead of being appended.
  const isTyped = query !== undefined;
  useEffect(() => {
    if (!isTyped && document.activeElement === input.current) input.current?.select();
  }, [value, isTyped]);

  // Only the popup of the kit, which is not used here, reports that the list has gone.
  useEffect(() => {
    if (!isOpen) actions.current?.unmount();
  }, [isOpen]);

  const close = () => {
    setIsOpen(false);
    setQuery(undefined);
    setMarkedIndex(-1);
  };
  // Closing may move a pressed element, which would then miss the click. The timeout runs after the click.
  const closeOnLeave = () => {
    if (!document.documentElement.matches(':active')) return close();
    const press = new AbortController();
    const onRelease = () => {
      press.abort();
      setTimeout(close);
    };
    addEventListener('mouseup', onRelease, { signal: press.signal });
    addEventListener('dragend', onRelease, { signal: press.signal });
  };
  const pick = (option: Option, isAlternate: boolean) => {
    close();
    onPick(option, isAlternate);
  };

  const onKeyDown = (event: ReactKeyboardEvent & { preventBaseUIHandler: () => void }) => {
    if (!isOpen) {
      // The kit would clear a closed field.
      if (event.key === 'Escape') event.preventBaseUIHandler();
      return;
    }
    if (event.key === 'Enter') {
      // The kit clicks the option, which may not be mounted yet, and knows no alternate pick.
      event.preventDefault();
      event.preventBaseUIHandler();
      const option = offered[markedIndex] ?? (isTyped ? offered[0] : undefined);
      if (option) pick(option, hasModifier(event.nativeEvent));
      else close();
    }
    if ((event.key !== 'PageDown' && event.key !== 'PageUp') || markedIndex < 0) return;
    event.preventDefault();
    // The kit knows no Page keys, and only its own keys move the mark.
    const [key, marked] =
      event.key === 'PageDown'
        ? ['ArrowDown', Math.min(markedIndex + pageStep, offered.length - 1)]
        : ['ArrowUp', Math.max(markedIndex - pageStep, 0)];
    // Scrolling to each of the options in between would cost a layout each.
    isPaging.current = true;
    for (let step = Math.abs(marked - markedIndex); step > 0; step -= 1)
      flushSync(() => input.current?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
    isPaging.current = false;
    setMarkedIndex(marked);
  };

  return (
    <Kit.Root<Option>
      actionsRef={actions}
      items={offered}
      filteredItems={offered}
      virtualized
      autoHighlight
      value={options.find(({ id }) => id === selectedId) ?? null}
      isItemEqualToValue={isSameOption}
      itemToStringLabel={getOptionId}
      inputValue={query ?? value}
      onInputValueChange={(text, { reason }) => {
        if (reason !== 'input-change') return;
        setQuery(text);
        setIsOpen(true);
      }}
      open={isOpen}
      onOpenChange={(nextOpen, { reason, event }) => {
        if (nextOpen) setIsOpen(true);
        else if (reason === 'outside-press' || reason === 'focus-out') closeOnLeave();
        else if (reason !== 'item-press') close();
        // Escape closes only the list.
        if (reason === 'escape-key') event.preventDefault();
      }}
      onItemHighlighted={(_, { index }) => !isPaging.current && setMarkedIndex(index)}
      onValueChange={(option, { reason, event }) => {
        if (option && reason === 'item-press') pick(option, hasModifier(event));
      }}
    >
      <span
        ref={setField}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) closeOnLeave();
        }}
        className={cn(
          'combo group/combo relative inline-flex h-7 min-w-0 items-center rounded-2 font-sans text-[14px] leading-5 font-550 tracking-[-0.003em]',
          'whitespace-nowrap focus-within:bg-raised focus-within:inset-ring focus-within:inset-ring-edge not-focus-within:hover:bg-hover',
          className,
        )}
      >
        <Kit.Input
          ref={input}
          className={clsx(
            'field-sizing-content h-full w-full min-w-0 rounded-2 border-0 bg-transparent pr-6 pl-1.75 text-ellipsis',
            displayContent !== undefined && 'group-not-focus-within/combo:text-transparent',
          )}
          aria-label={label}
          aria-describedby={describedBy}
          placeholder={placeholder}
          spellCheck={false}
          autoCapitalize="none"
          autoFocus={startsOpen}
          {...focusTarget?.attributes}
          onInputCapture={enterInsertedText}
          onFocus={(event) => event.currentTarget.select()}
          // The list opens when the button goes down, and the selection may change until it goes up.
          onMouseDown={() => (wasOpenOnPress.current = isOpen)}
          onClick={(event) => {
            if (!wasOpenOnPress.current) event.currentTarget.select();
            wasOpenOnPress.current = false;
            // Not every click comes from a pointer.
            setIsOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
        {displayContent !== undefined && (
          <span
            className="shown pointer-events-none absolute inset-[0_20px_0_0] block truncate py-1 pl-1.75 group-focus-within/combo:hidden pointer-coarse:text-[16px]"
            aria-hidden
          >
            {displayContent}
          </span>
        )}
        <ChevronsUpDown className="pointer-events-none absolute right-1.25 icon-14 text-ink-3" aria-hidden />
      </span>
      {/* Inside the field, so that Tab leads from the text to the buttons of the popup. */}
      {isOpen && (
        <Kit.Portal container={field}>
          <Kit.Positioner
            {...positionerProps}
            align={listBeside === undefined ? 'start' : 'center'}
            anchor={() => (listBeside && field?.closest(listBeside)) || field}
          >
            {/* This is not the popup of the kit, which hides the rest of the page from screen readers and role queries. */}
            <Popup
              className={clsx('max-w-[calc(100vw-16px)] min-w-42 overflow-hidden', props.listClassName)}
              data-layout={props.listLayout}
              // The text field keeps the focus while options and filters are clicked.
              onMouseDown={(event) => event.preventDefault()}
              onKeyDown={(event) => {
                if (event.key === 'Escape') input.current?.focus();
              }}
            >
              {props.header && (
                <header className="flex flex-wrap items-center gap-1.25 px-3 pt-2 pb-1.5 text-12 text-ink-3">
                  {props.header({ count: found.length, total: options.length })}
                </header>
              )}
              <OptionList
                // The virtualizer keeps the heights of its first rendering.
                key={props.optionHeightPx}
                {...props}
                offered={offered}
                typed={typed}
                query={query ?? ''}
                markedIndex={markedIndex}
              />
              {offered.length === 0 && (
                <p className="px-3 py-2.5 text-12 text-ink-3">{props.emptyText ?? 'No matches.'}</p>
              )}
              {props.footer && (
                <footer className="flex min-h-8.5 flex-wrap items-center gap-1.5 border-t border-line bg-bench px-3 py-1 text-12 text-ink-3">
                  {props.footer(offered[markedIndex])}
                </footer>
              )}
            </Popup>
          </Kit.Positioner>
        </Kit.Portal>
      )}
      <span role="status" className="sr-only">
        {announced}
      </span>
    </Kit.Root>
  );
}

const headingHeightPx = 28;
/** Height of the rule between the matches and the typed text. */
const ruleHeightPx = 5;

interface OptionListProps<Option extends ComboboxOption> extends ComboboxProps<Option> {
  offered: readonly Option[];
  typed: Option | undefined;
  query: string;
  markedIndex: number;
}

/** The options in view, in groups with headings. */
function OptionList<Option extends ComboboxOption>({
  label,
  offered,
  typed,
  query,
  markedIndex,
  optionHeightPx = 36,
  fillsRows = false,
  keepsGroups = false,
  renderOption,
}: OptionListProps<Option>) {
  const list = useRef<HTMLDivElement>(null);
  const hasGroups = keepsGroups || query.trim() === '';
  const getGroup = (index: number) => (hasGroups ? offered[index]?.group : undefined);
  const hasHeading = (index: number) => {
    const group = getGroup(index);
    return group !== undefined && group !== getGroup(index - 1);
  };
  const hasRule = (index: number) => offered[index] === typed && index > 0;
  const virtualizer = useVirtualizer({
    count: offered.length,
    getScrollElement: () => list.current,
    // A new function lets the virtualizer compute the positions again.
    getItemKey: useCallback((index: number) => offered[index]?.id ?? index, [offered]),
    estimateSize: (index) =>
      optionHeightPx + (hasHeading(index) ? headingHeightPx : 0) + (hasRule(index) ? ruleHeightPx : 0),
    initialRect: { width: 0, height: 400 },
    overscan: 5,
    paddingStart: fillsRows ? 0 : 4,
    paddingEnd: fillsRows ? 0 : 4,
    scrollPaddingEnd: 8,
    // The marked option must stay mounted, since the field refers to it. The mark of a longer list is moved after the
    // first rendering of a shorter one.
    rangeExtractor: (range) =>
      withIndex(defaultRangeExtractor(range), markedIndex < range.count ? markedIndex : -1),
  });
  useEffect(() => {
    const marked = virtualizer.measurementsCache[markedIndex];
    if (!marked) return;
    // Scrolling forces a layout, even if the option is already in view.
    const { scrollOffset, scrollRect } = virtualizer;
    const isInView =
      marked.start >= (scrollOffset ?? 0) && marked.end <= (scrollOffset ?? 0) + (scrollRect?.height ?? 0);
    if (!isInView) virtualizer.scrollToIndex(markedIndex, { align: 'auto' });
  }, [virtualizer, markedIndex, offered]);

  return (
    <Kit.List
      ref={list}
      aria-label={label}
      className="relative max-h-[min(396px,60vh)] [scrollbar-width:thin] overflow-y-auto overscroll-contain"
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {groupItems(virtualizer.getVirtualItems(), getGroup).map(({ group, items }) => (
          <div
            key={group ?? items[0]?.key}
            {...(group === undefined ? { role: 'presentation' } : { role: 'group', 'aria-label': group })}
          >
            {items.map(({ index, key, start, end }) => {
              const option = offered[index];
              if (!option) return null;
              return (
                <Fragment key={key}>
                  {hasHeading(index) && (
                    <div
                      className={clsx(
                        'absolute inset-x-0 flex items-end pb-1 text-11 text-ink-3',
                        fillsRows ? 'pr-3.5 pl-8.5' : 'px-3',
                      )}
                      style={{ top: start, height: headingHeightPx }}
                      aria-hidden
                    >
                      {group}
                    </div>
                  )}
                  <OptionItem
                    option={option}
                    index={index}
                    count={offered.length}
                    top={end - optionHeightPx}
                    height={optionHeightPx}
                    className={
                      fillsRows
                        ? clsx('inset-x-0', option === typed && 'border-t border-line-2')
                        : 'inset-x-1 rounded-2 px-2'
                    }
                    query={query}
                    renderOption={renderOption}
                  />
                </Fragment>
              );
            })}
          </div>
        ))}
      </div>
    </Kit.List>
  );
}

interface ItemGroup {
  group: string | undefined;
  items: VirtualItem[];
}

/** Joins consecutive items of one group, and consecutive items without a group. */
function groupItems(
  items: readonly VirtualItem[],
  getGroup: (index: number) => string | undefined,
): ItemGroup[] {
  const groups: ItemGroup[] = [];
  for (const item of items) {
    const group = getGroup(item.index);
    const last = groups.at(-1);
    if (last && last.group === group) last.items.push(item);
    else groups.push({ group, items: [item] });
  }
  return groups;
}

interface OptionItemProps<Option extends ComboboxOption> {
  option: Option;
  index: number;
  count: number;
  /** Position and height in px. */
  top: number;
  height: number;
  className: string;
  query: string;
  renderOption: ((option: Option, query: string) => ReactNode) | undefined;
}

function OptionItem<Option extends ComboboxOption>({
  option,
  index,
  count,
  top,
  height,
  className,
  query,
  renderOption,
}: OptionItemProps<Option>) {
  // Not rendered again whenever the mark moves.
  const content = useMemo(
    () => (renderOption ? renderOption(option, query) : option.label),
    [renderOption, option, query],
  );
  return (
    <Kit.Item
      value={option}
      index={index}
      render={(props, { highlighted }) => (
        <div {...props} aria-selected={highlighted} aria-setsize={count} aria-posinset={index + 1} />
      )}
      className={clsx(
        'absolute flex cursor-pointer items-center gap-1.5 text-13 whitespace-nowrap aria-selected:bg-hover',
        'forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2 forced-colors:aria-selected:outline-[Highlight]',
        className,
      )}
      style={{ top, height }}
      // The option stays marked.
      onPointerLeave={(event) => event.preventBaseUIHandler()}
    >
      {content}
    </Kit.Item>
  );
}

/**
 * Enters text that another program has inserted (dictation, a form filler) once more as if typed: React does not notice
 * values that are assigned, and the kit does not search for them.
 */
function enterInsertedText(event: FormEvent<HTMLInputElement>): void {
  const { currentTarget: input, nativeEvent } = event;
  if (nativeEvent instanceof InputEvent && nativeEvent.inputType !== '') return;
  event.stopPropagation();
  const text = input.value;
  input.value = '';
  input.setRangeText(text, 0, 0, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

function hasModifier(event: Event): boolean {
  return (event instanceof KeyboardEvent || event instanceof MouseEvent) && (event.ctrlKey || event.metaKey);
}

function formatCount(count: number, total: number): string {
  if (count === 0 && total > 0) return 'No matches';
  return count === total ? `${count} options` : `${count} of ${total} options`;
}
