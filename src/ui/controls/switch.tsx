import { cn } from '../cn.ts';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Drawn as an outline because it has no value yet. */
  isUnset?: boolean;
  describedBy?: string | undefined;
}

const look = cn(
  'relative block h-4 w-7 flex-none rounded-3 transition-[color,background-color,border-color] duration-(--d-1)',
  'before:absolute before:inset-x-0 before:-inset-y-1 max-phone:before:-inset-x-2 max-phone:before:-inset-y-3.5',
  'after:absolute after:top-0.5 after:left-0.5 after:size-3 after:rounded-[6px]',
  'after:transition-transform after:duration-(--d-1) after:ease-(--ease-out) aria-checked:after:translate-x-3',
  'forced-colors:border forced-colors:border-[CanvasText]',
  'forced-colors:aria-checked:bg-[Highlight] forced-colors:aria-checked:forced-color-adjust-none',
);
const setLook = cn('bg-edge after:bg-raised aria-checked:bg-ink aria-checked:after:bg-on-ink');
/** Drawn as an outline while it has no value. */
const unsetLook = cn(
  'inset-ring-[1.25px] inset-ring-line-2 hover:inset-ring-edge',
  'after:inset-ring-[1.25px] after:inset-ring-line-2 hover:after:inset-ring-edge',
);

export function Switch({ label, checked, onChange, isUnset = false, describedBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className={cn(look, isUnset ? unsetLook : setLook)}
      aria-label={label}
      aria-describedby={describedBy}
      aria-checked={checked}
      onClick={() => onChange(!checked)}
    />
  );
}
