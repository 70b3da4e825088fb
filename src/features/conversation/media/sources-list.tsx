import type { Source } from '../../../gateway/media/sources.ts';
import { parseSafeImage } from '../../../markdown/parse/safe-link.ts';

/** Sources cited by an answer. Web URLs are links; all others are plain text. */
export function SourcesList({ sources }: { sources: readonly Source[] }) {
  return (
    <div className="mt-3 text-12/5 text-ink-3 normal-nums">
      <h4 className="font-550 text-ink-2">Sources</h4>
      <ol className="list-decimal pl-5" aria-label="Sources">
        {sources.map((source) => (
          <li key={source.url} className="wrap-anywhere" dir="auto">
            <SourceItem {...source} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function SourceItem({ url, title }: Source) {
  // The rule for image URLs also excludes email addresses.
  const link = parseSafeImage(url);
  if (!link) return title === undefined ? url : `${title}, ${url}`;
  return (
    <>
      <a
        className="text-ink-2 underline decoration-edge underline-offset-3 hover:text-ink"
        href={link.href}
        target="_blank"
        rel="noopener noreferrer"
        title={link.href}
      >
        {title ?? formatShortAddress(link.href)}
      </a>
      {title !== undefined && ` ${link.host}`}
    </>
  );
}

const maxAddressChars = 80;

/** Returns the URL without its scheme, truncated if it is long. */
function formatShortAddress(href: string): string {
  const text = href.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return text.length > maxAddressChars ? `${text.slice(0, maxAddressChars)}…` : text;
}
