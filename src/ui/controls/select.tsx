import { cva } from 'class-variance-authority';
import { clsx } from 'clsx';

import { lazyComponent } from '../hooks/lazy-component.tsx';
import { ChevronDown } from '../icons.tsx';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  /** Note at the right end of the option. */
  note?: string;
}

export interface SelectProps<Value extends string> {
  label: string;
  /** Without a value, the placeholder is shown without a box. */
  value?: Value | undefined;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  placeholder?: string;
  invalid?: boolean;
  describedBy?: string | undefined;
}

export const selectVariants = cva(
  [
    'group/select inline-flex h-6 w-fit max-w-full min-w-0 items-center gap-1 rounded-2 border pl-1.75 whitespace-nowrap max-phone:h-9',
    'aria-invalid:border-err aria-invalid:inset-ring aria-invalid:inset-ring-err',
  ],
  {
    variants: {
      hasValue: {
        true: 'border-edge bg-raised pr-1.25 font-mono text-mono-12 hover:bg-hover',
        false: [
          'border-transparent bg-transparent pr-0 font-sans text-12 text-ink-3',
          'hover:border-line-2 hover:bg-raised hover:pr-1.25 focus-visible:border-line-2 focus-visible:bg-raised focus-visible:pr-1.25',
          'aria-expanded:border-line-2 aria-expanded:bg-raised aria-expanded:pr-1.25',
          'forced-colors:border-[Canvas] forced-colors:hover:border-[ButtonBorder] forced-colors:focus-visible:border-[ButtonBorder]',
        ],
      },
    },
  },
);

/** Text and arrow of the closed field. Without a value, the arrow appears only on hover and focus. */
export function SelectFace({ label, placeholder }: { label: string | undefined; placeholder: string }) {
  return (
    <>
      <span className="truncate">{label ?? placeholder}</span>
      <ChevronDown
        className={clsx(
          'icon-14',
          label === undefined &&
            'hidden group-hover/select:block group-focus-visible/select:block group-aria-expanded/select:block',
        )}
        aria-hidden
      />
    </>
  );
}

// Loaded after the first paint, like every popup (`overlays/menu.tsx`). Until then the field is only drawn.
const SelectField = lazyComponent<SelectProps<string>>(
  ({ label }) => `The field ${label}`,
  async () => (await import('./select-field.tsx')).SelectField,
  {
    loadTiming: 'first',
    fallback: ({ value, options, placeholder = '' }) => {
      const selectedLabel = options.find((option) => option.value === value)?.label;
      return (
        <span className={selectVariants({ hasValue: selectedLabel !== undefined })} aria-hidden>
          <SelectFace label={selectedLabel} placeholder={placeholder} />
        </span>
      );
    },
  },
);

/** A field that opens a list of options. Arrow keys, Home, End and typing move, Enter, Space and a click choose. */
export function Select<Value extends string>({ onChange, ...props }: SelectProps<Value>) {
  return (
    <SelectField
      {...props}
      onChange={(value) => {
        const option = props.options.find((candidate) => candidate.value === value);
        if (option) onChange(option.value);
      }}
    />
  );
}
