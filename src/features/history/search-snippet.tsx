import type { Snippet } from '../../conversation/files/search.ts';

const who: Record<Snippet['who'], string> = {
  prompt: 'You',
  answer: 'Answer',
  reasoning: 'Reasoning',
  'tool call': 'Tool',
  note: 'Note',
};

/** The words that were found, where they stand. */
export function SearchSnippet({ snippet }: { snippet: Snippet }) {
  return (
    <span className="snippet" dir="auto">
      <b>{who[snippet.who]}</b>{' '}
      {snippet.pieces.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))}
    </span>
  );
}
