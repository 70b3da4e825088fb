import type { RichText } from '../../../trials/describe-verdict.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';

interface SentenceProps {
  text: RichText;
  /** In the first line of a verdict. */
  big?: boolean;
}

/** A sentence about columns: each name with its tile, points heavy, ranges in grey. */
export function VerdictSentence({ text, big = false }: SentenceProps) {
  return (
    <>
      {text.map((part, index) => {
        if (typeof part === 'string') return part;
        if ('column' in part) {
          const { letter, name } = part.column;
          return (
            <span key={index} className="whitespace-nowrap">
              <span className={big ? 'mr-1.5 inline-block align-[2px]' : 'mr-1 inline-block align-[1px]'}>
                <LaneTile letter={letter} isSmall={!big} />
              </span>
              {name !== letter && (
                <span className={`whitespace-normal text-ink ${big ? 'font-[600]' : 'font-[550]'}`}>
                  {name}
                </span>
              )}
              {name === letter && <span className="sr-only">{letter}</span>}
            </span>
          );
        }
        if ('points' in part)
          return (
            <b key={index} className={`whitespace-nowrap text-ink ${big ? 'font-[650]' : 'font-[550]'}`}>
              {part.points}
            </b>
          );
        return (
          <span key={index} className="whitespace-nowrap text-ink-3">
            {part.range}
          </span>
        );
      })}
    </>
  );
}
