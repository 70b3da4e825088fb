interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Drawn hollow: it has no value yet. */
  unset?: boolean;
  describedBy?: string | undefined;
}

/** A sliding switch. */
export function Switch({ label, checked, onChange, unset = false, describedBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className={unset ? 'sw unset' : 'sw'}
      aria-label={label}
      aria-describedby={describedBy}
      aria-checked={checked}
      onClick={() => onChange(!checked)}
    />
  );
}
