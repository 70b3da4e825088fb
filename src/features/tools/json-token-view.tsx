import { clsx } from 'clsx';

interface JsonTokenProps {
  kind: 'key' | 'text' | 'value' | 'mark' | 'fold';
  children: string;
}

/** Part of JSON, coloured as in Markdown code. */
export function JsonTokenView({ kind, children }: JsonTokenProps) {
  return (
    <span
      className={clsx(
        {
          key: 'text-(--lane-b)',
          text: 'text-(--lane-c)',
          value: 'text-(--lane-a)',
          mark: 'text-ink-3',
          fold: 'text-ink-3',
        }[kind],
      )}
    >
      {children}
    </span>
  );
}
