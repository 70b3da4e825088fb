interface LampProps {
  label: string;
  lit: boolean;
  /** Neither on nor off: some of what it stands for are lit. */
  mixed?: boolean;
  onChange: (lit: boolean) => void;
  id?: string;
  describedBy?: string | undefined;
}

/** A native checkbox drawn as a 10 px square in a 24 px target: filled is on. */
export function Lamp({ label, lit, mixed = false, onChange, id, describedBy }: LampProps) {
  return (
    <input
      ref={(input) => {
        if (input) input.indeterminate = mixed;
      }}
      type="checkbox"
      className="lamp"
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      checked={lit}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
