interface LampProps {
  label: string;
  lit: boolean;
  onChange: (lit: boolean) => void;
  id?: string;
  describedBy?: string | undefined;
}

/** A native checkbox drawn as a 10 px square in a 24 px target: filled is on. */
export function Lamp({ label, lit, onChange, id, describedBy }: LampProps) {
  return (
    <input
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
