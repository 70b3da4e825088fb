import { useSelect } from 'downshift';
import { useRef, type KeyboardEvent } from 'react';

import { cn } from '../cn.ts';
import { Check, ChevronDown } from '../icons.tsx';
import { listboxLook, listLook, optionLook } from '../overlays/popover.ts';
import { useAnchoredPopover } from '../overlays/use-anchored-popover.ts';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  /** Note at the right end of the option. */
  note?: string;
}

const look = cn(
  'group/select inline-flex h-6 max-w-full items-center gap-1 rounded-2 border pl-1.75 whitespace-nowrap max-phone:h-9',
  'aria-invalid:border-err aria-invalid:inset-ring aria-invalid:inset-ring-err',
);
const chosenLook = cn('border-edge bg-raised pr-1.25 font-mono text-mono-12 hover:bg-hover');
const unsetLook = cn(
  'border-transparent bg-transparent pr-0 font-sans text-12 text-ink-3',
  'hover:border-line-2 hover:bg-raised hover:pr-1.25 focus-visible:border-line-2 focus-visible:bg-raised focus-visible:pr-1.25',
  'aria-expanded:border-line-2 aria-expanded:bg-raised aria-expanded:pr-1.25',
  'forced-colors:border-[Canvas] forced-colors:hover:border-[ButtonBorder] forced-colors:focus-visible:border-[ButtonBorder]',
);
/** Without a value, the arrow appears only when the field is hovered or focused. */
const unsetArrow = cn(
  'hidden group-hover/select:block group-focus-visible/select:block group-aria-expanded/select:block',
);

interface SelectProps<Value extends string> {
  label: string;
  /** Without a value, the placeholder is shown without a box. */
  value?: Value | undefined;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  placeholder?: string;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/**
 * A button with the role combobox that opens a list of options in a popover. Arrow keys, Home, End and typing choose.
 */
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
            // Escape closes only the list.
            event.stopPropagation();
            event.preventDefault();
          },
        })}
        className={cn(look, chosen ? chosenLook : unsetLook)}
      >
        <span className="truncate">{chosen?.label ?? placeholder}</span>
        <ChevronDown className={cn('icon-14', !chosen && unsetArrow)} aria-hidden />
      </button>
      <div ref={popover} popover="manual" data-option-list className={listLook}>
        <div {...select.getMenuProps({ 'aria-label': label })} className={cn(listboxLook, 'p-1')}>
          {select.isOpen &&
            options.map((option, index) => (
              <div
                key={option.value}
                className={cn(optionLook, 'min-h-7 rounded-2 px-2 font-mono text-mono-12 max-phone:min-h-11')}
                {...select.getItemProps({ item: option, index })}
              >
                <Check
                  className={cn('icon-14 text-ink-2', option.value !== value && 'invisible')}
                  aria-hidden
                />
                {option.label}
                {option.note && (
                  <small className="ml-auto pl-4 font-sans text-12 text-ink-3">{option.note}</small>
                )}
              </div>
            ))}
        </div>
      </div>
    </span>
  );
}
