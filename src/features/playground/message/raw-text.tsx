import { LongText } from '../../../ui/display/long-text.tsx';

/** Text exactly as received. */
export function RawText({ text }: { text: string }) {
  return (
    <pre className="raw-text" tabIndex={0} aria-label="Raw text">
      <LongText text={text} />
    </pre>
  );
}
