import { Select } from '@base-ui/react/select';
import { clsx } from 'clsx';
import { useState } from 'react';

import { CheckIcon } from '../icons.tsx';
import { getPortalProps, Popup, positionerProps } from '../overlays/popup.tsx';
import { SelectFace, selectVariants, type SelectProps } from './select.tsx';

/** The field of `Select`, with its popup. */
export function SelectField(props: SelectProps<string>) {
  const { label, value, options, onChange, placeholder = '', invalid = false, describedBy } = props;
  const [trigger, setTrigger] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const selected = options.find((option) => option.value === value);
  return (
    <Select.Root
      modal={false}
      items={options}
      value={selected?.value ?? null}
      open={isOpen}
      onOpenChange={setIsOpen}
      onValueChange={(next, { reason }) => {
        // Typing in the closed field would choose; it opens the list instead.
        if (reason !== 'item-press') setIsOpen(true);
        else if (next !== null) onChange(next);
      }}
    >
      <Select.Trigger
        ref={setTrigger}
        className={selectVariants({ hasValue: selected !== undefined })}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
      >
        <SelectFace label={selected?.label} placeholder={placeholder} />
      </Select.Trigger>
      <Select.Portal {...getPortalProps(trigger)}>
        <Select.Positioner {...positionerProps} align="end" alignItemWithTrigger={false}>
          <Select.Popup className="max-w-[calc(100vw-16px)] min-w-42 overflow-hidden" render={<Popup />}>
            <Select.List
              aria-label={label}
              className="relative max-h-[min(396px,60vh)] [scrollbar-width:thin] overflow-y-auto overscroll-contain p-1"
            >
              {options.map((option) => (
                <Select.Item
                  key={option.value}
                  value={option.value}
                  label={option.label}
                  className={clsx(
                    'flex min-h-7 cursor-pointer items-center gap-1.5 rounded-2 px-2 font-mono text-mono-12 whitespace-nowrap',
                    'outline-none data-highlighted:bg-hover max-phone:min-h-11',
                    'forced-colors:data-highlighted:outline-2 forced-colors:data-highlighted:-outline-offset-2',
                    'forced-colors:data-highlighted:outline-[Highlight]',
                  )}
                >
                  <CheckIcon
                    className={clsx('icon-14 text-ink-2', option !== selected && 'invisible')}
                    aria-hidden
                  />
                  <Select.ItemText>{option.label}</Select.ItemText>
                  {option.note && (
                    <small className="ml-auto pl-4 font-sans text-12 text-ink-3">{option.note}</small>
                  )}
                </Select.Item>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
