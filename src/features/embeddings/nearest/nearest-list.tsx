/** What is found. Loaded with the first text that is chosen, or the first word that is looked for. */
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { GroupMark } from '../group-mark.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { rowOf, select } from '../lab/lab-store.ts';
import { cosineWords } from '../views/dimension-words.ts';
import { clearQuery } from './find-store.ts';
import { ScoreStrip } from './score-strip.tsx';
import { matchesIn } from './text-matches.ts';
import type { Nearest, NearestText } from './use-nearest.ts';

const mostMatches = 8;

interface NearestListProps {
  /** What to look for in the texts as it stands. */
  words: string | undefined;
  nearest: Nearest | undefined;
}

/** The nearest, best first, with the scores of all; before them the texts that hold the very words of a query. */
export function NearestList({ words, nearest }: NearestListProps) {
  return (
    <>
      {words !== undefined && <Matches words={words} />}
      {nearest && <Ranking nearest={nearest} />}
    </>
  );
}

function Ranking({ nearest }: { nearest: Nearest }) {
  const { store } = useLab();
  const texts = useLabState((state) => state.texts);
  const { source, ranked } = nearest;
  return (
    <>
      <p className="nearest-to">
        <span className="mut">{source.of === 'query' ? 'To the query' : 'To'}</span>{' '}
        <span dir="auto">{source.of === 'query' ? source.query : texts[source.text]?.text}</span>
      </p>
      <ol className="lab-nearest" aria-label="Nearest">
        {ranked.map((near) => (
          <NearestRow
            key={near.text}
            near={near}
            onSelect={() => select(store, near.text)}
            onMore={() => {
              clearQuery();
              select(store, near.text);
            }}
          />
        ))}
      </ol>
      {nearest.all && (
        <ScoreStrip all={othersOf(nearest, nearest.all)} best={ranked.map(({ score }) => score)} />
      )}
      <p className="mut nearest-note">
        Percentile: share of all pairs of these texts that are less similar. Over next: lead over the next
        text.
      </p>
    </>
  );
}

/** Without the text itself, which is as close to itself as can be. */
function othersOf({ source, shown }: Nearest, all: Float32Array): Float32Array {
  const own = source.of === 'text' ? rowOf(shown.set, source.text) : undefined;
  return own === undefined ? all : all.filter((_, row) => row !== own);
}

interface NearestRowProps {
  near: NearestText;
  onSelect: () => void;
  onMore: () => void;
}

function NearestRow({ near, onSelect, onMore }: NearestRowProps) {
  const found = useLabState((state) => state.texts[near.text]);
  const group = useLabState((state) => (found?.group === undefined ? undefined : state.groups[found.group]));
  const isCurrent = useLabState((state) => state.selection.current === near.text);
  return (
    <li className={isCurrent ? 'on' : ''}>
      <i>{near.rank}</i>
      <GroupMark group={found?.group} name={group} />
      <button
        type="button"
        className="lab-words"
        aria-current={isCurrent || undefined}
        dir="auto"
        onClick={onSelect}
      >
        {found?.text}
      </button>
      <em aria-hidden style={{ '--share': Math.max(0, near.score) }} />
      <b>{cosineWords(near.score, 3)}</b>
      <small>
        {near.percentile !== undefined && (
          <>
            <span className="vh">Percentile </span>
            {percentileWords(near.percentile)}
          </>
        )}
        {near.margin !== undefined && `, +${near.margin.toFixed(3)} over next`}
      </small>
      <Button look="quiet" size="small" onClick={onMore}>
        More like this<span className="vh">: {found?.text}</span>
      </Button>
    </li>
  );
}

/** "99.8th": the top end is what is looked at, and there a whole percent is coarse. */
function percentileWords(share: number): string {
  const percent = Math.min(99.9, share * 100);
  return `${percent >= 99 ? percent.toFixed(1) : Math.floor(percent)}%`;
}

/** Texts that hold the very words, found while one types. */
function Matches({ words }: { words: string }) {
  const { store } = useLab();
  const texts = useLabState((state) => state.texts);
  const { first, count } = matchesIn(texts, words, mostMatches);
  return (
    <section className="lab-matches" aria-label="Exact text matches">
      <h3>{count === 0 ? 'No exact text match' : plural(count, 'exact text match', 'exact text matches')}</h3>
      <ul>
        {first.map((text) => (
          <li key={text}>
            <button type="button" className="lab-words" dir="auto" onClick={() => select(store, text)}>
              {texts[text]?.text}
            </button>
          </li>
        ))}
      </ul>
      {count > first.length && <p className="mut">and {formatCount(count - first.length)} more</p>}
    </section>
  );
}
