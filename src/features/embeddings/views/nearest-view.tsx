import { useStore } from 'zustand';

import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { GroupMark } from '../group-mark.tsx';
import { rowOf, select } from '../lab-store.ts';
import { useLab, useLabState } from '../use-lab.ts';
import { cosineWords } from './dimension-words.ts';
import { FindField } from './find-field.tsx';
import { clearQuery, findStore } from './find-store.ts';
import { ScoreStrip } from './score-strip.tsx';
import { matchesIn } from './text-matches.ts';
import { useNearest, type Nearest, type NearestText } from './use-nearest.ts';
import { useShownView } from './use-vectors.ts';
import { ViewBlank, ViewFrame } from './view-frame.tsx';

const counts = ['5', '10', '25', '50'].map((value) => ({ value, label: `top ${value}` }));
const mostMatches = 8;

interface NearestViewProps {
  /** The field for the query stands in this view; where it stands elsewhere on the screen, not. */
  hasField?: boolean;
}

/** The texts closest to a query, or to a text, with what each score is worth. */
export function NearestView({ hasField = true }: NearestViewProps) {
  const { store } = useLab();
  const shown = useShownView();
  const texts = useLabState((state) => state.texts);
  const count = useStore(findStore, (state) => state.shown);
  const query = useStore(findStore, (state) => state.query);
  const { nearest, problem } = useNearest();
  const source = nearest?.source;

  const likeThis = (text: number) => {
    clearQuery();
    select(store, text);
  };

  return (
    <ViewFrame
      title="Nearest"
      controls={
        shown && (
          <Select
            label="How many"
            value={String(count)}
            options={counts}
            onChange={(value) => findStore.setState({ shown: Number(value) })}
          />
        )
      }
      note={
        nearest &&
        `Top ${Math.min(count, nearest.ranked.length)} of ${formatCount(nearest.shown.set.rows.length)}`
      }
    >
      {hasField && <FindField />}
      <div className="lab-scroll">
        {problem !== undefined && <ViewBlank>{problem}</ViewBlank>}
        <Matches query={query} />
        {!shown && (
          <ViewBlank>
            Embed some texts: then this lists which are closest to a query or to each other.
          </ViewBlank>
        )}
        {shown && !source && (
          <ViewBlank>
            Write what to look for and press Enter, or choose a text in any view: no request is needed for
            that.
          </ViewBlank>
        )}
        {nearest && source && (
          <>
            <p className="nearest-to">
              <span className="mut">{source.of === 'query' ? 'To the query' : 'To'}</span>{' '}
              <span dir="auto">{source.of === 'query' ? source.query : texts[source.text]?.text}</span>
            </p>
            <ol className="lab-nearest" aria-label="Nearest">
              {nearest.ranked.map((near) => (
                <NearestRow
                  key={near.text}
                  near={near}
                  onSelect={() => select(store, near.text)}
                  onMore={() => likeThis(near.text)}
                />
              ))}
            </ol>
            {nearest.all && (
              <ScoreStrip
                all={othersOf(nearest, nearest.all)}
                best={nearest.ranked.map(({ score }) => score)}
              />
            )}
            <p className="mut nearest-note">
              Percentile: the share of all pairs of these texts that are less alike. Ahead: by how much it
              leads the next one.
            </p>
          </>
        )}
      </div>
    </ViewFrame>
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
        {near.margin !== undefined && `, ${near.margin.toFixed(3)} ahead`}
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
function Matches({ query }: { query: string }) {
  const { store } = useLab();
  const texts = useLabState((state) => state.texts);
  if (query.trim().length < 2) return null;
  const { first, count } = matchesIn(texts, query, mostMatches);
  return (
    <section className="lab-matches" aria-label="Texts with these words">
      <h3>
        {count === 0 ? 'No text holds these very words' : `${plural(count, 'text')} with these very words`}
      </h3>
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
