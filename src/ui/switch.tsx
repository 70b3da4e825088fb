interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Drawn hollow: it has no value yet. */
  unset?: boolean;
  describedBy?: string | undefined;
}

/** A native checkbox with the role of a switch. */
export function Switch({ label, checked, onChange, unset = false, describedBy }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={unset ? 'sw unset' : 'sw'}
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
