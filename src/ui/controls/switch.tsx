import { cva } from 'class-variance-authority';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Drawn as an outline because it has no value yet. */
  isUnset?: boolean;
  describedBy?: string | undefined;
}

const switchVariants = cva(
  [
    'relative block h-4 w-7 flex-none rounded-3 transition-[color,background-color,border-color] duration-(--d-1)',
    'before:absolute before:inset-x-0 before:-inset-y-1 max-phone:before:-inset-x-2 max-phone:before:-inset-y-3.5',
    'after:absolute after:top-0.5 after:left-0.5 after:size-3 after:rounded-[6px]',
    'after:transition-transform after:duration-(--d-1) after:ease-(--ease-out) aria-checked:after:translate-x-3',
    'forced-colors:border forced-colors:border-[CanvasText]',
    'forced-colors:aria-checked:bg-[Highlight] forced-colors:aria-checked:forced-color-adjust-none',
  ],
  {
    variants: {
      isUnset: {
        false: 'bg-edge after:bg-raised aria-checked:bg-ink aria-checked:after:bg-on-ink',
        true: [
          'inset-ring-[1.25px] inset-ring-line-2 hover:inset-ring-edge',
          'after:inset-ring-[1.25px] after:inset-ring-line-2 hover:after:inset-ring-edge',
        ],
      },
    },
  },
);

/** A switch that applies at once. A button of this role needs no hidden input for the state. */
export function Switch({ label, checked, onChange, isUnset = false, describedBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className={switchVariants({ isUnset })}
      aria-label={label}
      aria-describedby={describedBy}
      aria-checked={checked}
      onClick={() => onChange(!checked)}
    />
  );
}
