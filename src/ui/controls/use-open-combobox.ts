import { useCombobox } from 'downshift';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
} from 'react';

import { useWindowedList } from '../hooks/use-windowed-list.ts';
import { useAnchoredPopover } from '../overlays/use-anchored-popover.ts';
import { matchingOptions, optionsForQuery, computeRowLayout, type ComboboxOption } from './option-rows.ts';

export interface ComboboxSource<Option extends ComboboxOption> {
  /** Text in the field while nothing is being typed: the current ID. */
  value: string;
  options: readonly Option[];
  /** `alternate` is set if Ctrl or Cmd was held. */
  onPick: (option: Option, alternate: boolean) => void;
  /** Returns the matches for the typed text, best first. By default every word must occur in the ID or label. */
  filter?: (options: readonly Option[], query: string) => readonly Option[];
  /** Creates an option for text that is not listed. Without this function only listed options can be picked. */
  typedOption?: (text: string) => Option;
  /** Height of one option in px. */
  optionHeightPx?: number;
  /** Selector of the surrounding element that the list is aligned with; by default the field itself. */
  listBeside?: string | undefined;
}

/**
 * Returns the state and props of the combobox: Downshift's keys and roles, but only Enter and a click pick; blur and
 * Escape restore the value; Home and End move within the text; a click in the open field keeps it open. The current
 * value is active on opening, the best match after the first key; the typed text is the last option, active only if
 * nothing matches.
 */
export function useOpenCombobox<Option extends ComboboxOption>(source: ComboboxSource<Option>) {
  const { value, options, onPick, filter = matchingOptions, typedOption } = source;
  const { optionHeightPx = 36, listBeside } = source;
  const [query, setQuery] = useState<string>();
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLSpanElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const pressedInPopover = useRef(false);
  const isAlternate = useRef(false);

  const { found, typed } = useMemo(
    () => optionsForQuery(options, query ?? '', filter, typedOption),
    [options, query, filter, typedOption],
  );
  const offered = useMemo(() => (typed ? [...found, typed] : [...found]), [found, typed]);
  const rows = useMemo(
    () => computeRowLayout(found, optionHeightPx, !query?.trim(), typed),
    [found, typed, optionHeightPx, query],
  );

  const close = () => {
    setOpen(false);
    setQuery(undefined);
  };

  const combobox = useCombobox<Option>({
    items: offered,
    itemToString: (option) => option?.id ?? '',
    itemToKey: (option) => option?.id,
    isOpen: open,
    inputValue: query ?? value,
    selectedItem: null,
    scrollIntoView: () => {},
    stateReducer: (state, { type, changes }) => {
      const { Input, Menu } = kindsOfChange;
      if (type === Input.Change) return { ...changes, highlightedIndex: 0 };
      if (type === Input.Blur)
        return { ...changes, highlightedIndex: state.highlightedIndex, selectedItem: null };
      if (type === Menu.Leave) return { ...changes, highlightedIndex: state.highlightedIndex };
      if (type === Input.Click && state.isOpen) return state;
      if (!state.isOpen && changes.isOpen) {
        return { ...changes, highlightedIndex: offered.findIndex((option) => option.id === value) };
      }
      return changes;
    },
    onIsOpenChange: ({ isOpen, type }) => {
      const staysInPopover = pressedInPopover.current || popover.current?.contains(document.activeElement);
      pressedInPopover.current = false;
      if (isOpen) setOpen(true);
      else if (type !== kindsOfChange.Input.Blur || !staysInPopover) close();
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) onPick(selectedItem, isAlternate.current);
    },
  });

  // If the value arrives just before the user types, the typed text replaces it instead of being appended.
  const isTyped = query !== undefined;
  useEffect(() => {
    const input = field.current?.querySelector('input');
    if (!isTyped && input && document.activeElement === input) input.select();
  }, [value, isTyped]);

  useAnchoredPopover(open, field, popover, 'start', listBeside);
  const windowed = useWindowedList(list, rows, combobox.highlightedIndex, open);

  return {
    ...combobox,
    ...windowed,
    open,
    query: query ?? '',
    matchCount: found.length,
    offeredCount: offered.length,
    typed,
    field,
    list,
    inputHandlers: {
      // Downshift reports its own changes one render late: the caret would jump, and a quick Enter would find the list
      // closed.
      onChange: (event: SyntheticEvent<HTMLInputElement>) => {
        setQuery(event.currentTarget.value);
        setOpen(true);
      },
      onKeyDown: (event: KeyboardEvent) => {
        isAlternate.current = event.ctrlKey || event.metaKey;
        if (event.key === 'Escape' && open) {
          // Close immediately: a second Escape may follow before Downshift reports the first.
          event.preventDefault();
          event.stopPropagation();
          close();
        }
        if (event.key === 'Home' || event.key === 'End' || event.key === 'Escape') {
          Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
        }
      },
      onClick: (event: MouseEvent<HTMLInputElement>) => {
        isAlternate.current = false;
        if (!open) event.currentTarget.select();
        setOpen(true);
      },
      onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
    },
    popoverProps: {
      ref: popover,
      onPointerDown: () => {
        pressedInPopover.current = true;
      },
      // Downshift handles mouseup after this and treats clicks on filters as outside; the flag only has to stay set
      // until then.
      onPointerUp: () => setTimeout(() => (pressedInPopover.current = false)),
      // The text field keeps the focus while options and filters are clicked.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onBlur: (event: FocusEvent<HTMLElement>) => {
        const next = event.relatedTarget;
        if (!event.currentTarget.contains(next) && !field.current?.contains(next)) close();
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        field.current?.querySelector('input')?.focus();
        close();
      },
      onClickCapture: (event: MouseEvent) => {
        isAlternate.current = event.ctrlKey || event.metaKey;
      },
    },
  };
}

const { stateChangeTypes } = useCombobox;
const kindsOfChange = {
  Input: {
    Change: stateChangeTypes.InputChange,
    Blur: stateChangeTypes.InputBlur,
    Click: stateChangeTypes.InputClick,
  },
  Menu: { Leave: stateChangeTypes.MenuMouseLeave },
};
