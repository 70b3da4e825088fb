export function CheckboxField({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="inline-flex min-h-6 items-center gap-1.5 text-12 max-phone:min-h-9">
      <input
        type="checkbox"
        className="size-3.5 flex-none accent-(--ink)"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
