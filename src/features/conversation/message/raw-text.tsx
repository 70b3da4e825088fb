import { LongText } from '../../tools/long-text.tsx';

/** Text exactly as received. */
export function RawText({ text }: { text: string }) {
  return (
    <pre
      className="mt-0.5 mb-3 wrap-anywhere whitespace-pre-wrap [font:var(--m-12)]"
      tabIndex={0}
      aria-label="Raw text"
    >
      <LongText text={text} />
    </pre>
  );
}
