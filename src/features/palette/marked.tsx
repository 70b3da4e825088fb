/** Words with what was typed in bold, where they hold it. */
export function Marked({ words, typed }: { words: string; typed: string }) {
  const wanted = typed
    .replace(/^@/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (wanted.length === 0) return words;
  // Only where a word begins: a letter inside of one says nothing.
  const pieces = words.split(new RegExp(`(?<![\\p{L}\\p{N}])(${wanted.join('|')})`, 'giu'));
  return pieces.map((piece, index) => (index % 2 === 1 ? <b key={index}>{piece}</b> : piece));
}
