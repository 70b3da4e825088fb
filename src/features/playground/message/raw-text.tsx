import { LongText } from '../../../ui/display/long-text.tsx';

/** A text exactly as it was received. */
export function RawText({ text }: { text: string }) {
  return (
    <pre className="raw-text" tabIndex={0} aria-label="Raw text">
      <LongText text={text} />
    </pre>
  );
}
