import { useSelect } from 'downshift';
import { Check, ChevronDown } from 'lucide-react';
import { useRef, type KeyboardEvent } from 'react';

import { useAnchoredPopover } from '../overlays/use-anchored-popover.ts';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  /** A remark at the right. */
  note?: string;
}

interface SelectProps<Value extends string> {
  label: string;
  /** Absent: nothing is chosen; the placeholder shows, without a box. */
  value?: Value | undefined;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  placeholder?: string;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** A button with the role of a combobox and a list of options in a popover. Arrows, Home, End and typing choose. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onChange, placeholder = '', invalid = false, describedBy } = props;
  const anchor = useRef<HTMLSpanElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const chosen = options.find((option) => option.value === value) ?? null;

  const select = useSelect<SelectOption<Value>>({
    items: [...options],
    itemToString: (option) => option?.label ?? '',
    itemToKey: (option) => option?.value,
    selectedItem: chosen,
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onChange(selectedItem.value),
    // Only Enter, Space and a click choose.
    stateReducer: (state, { type, changes }) =>
      type === useSelect.stateChangeTypes.ToggleButtonBlur
        ? { ...changes, selectedItem: state.selectedItem }
        : changes,
  });
  useAnchoredPopover(select.isOpen, anchor, popover, 'end');

  return (
    <span ref={anchor} className="inline-flex min-w-0">
      <button
        type="button"
        {...select.getToggleButtonProps({
          'aria-label': label,
          'aria-invalid': invalid || undefined,
          'aria-describedby': describedBy,
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'Escape' || !select.isOpen) return;
            // Escape closes the list and nothing behind it.
            event.stopPropagation();
            event.preventDefault();
          },
        })}
        className={chosen ? 'sel' : 'sel unset'}
      >
        <span>{chosen?.label ?? placeholder}</span>
        <ChevronDown className="i s" aria-hidden />
      </button>
      <div ref={popover} popover="manual" className="pop list">
        <div {...select.getMenuProps({ 'aria-label': label })}>
          {select.isOpen &&
            options.map((option, index) => (
              <div key={option.value} className="opt mono" {...select.getItemProps({ item: option, index })}>
                {option.value === value ? <Check className="i" aria-hidden /> : <span className="i" />}
                {option.label}
                {option.note && <small>{option.note}</small>}
              </div>
            ))}
        </div>
      </div>
    </span>
  );
}
