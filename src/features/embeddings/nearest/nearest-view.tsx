import { cutInMiddle } from '../../../embedding/items/near-equal.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { rowOf } from '../../../state/lab/lab-state.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { GroupMark } from '../group-icon.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { TextButton } from '../text-button.tsx';
import { cosineWords } from '../views/format-dimensions.ts';
import { Fact, Facts } from '../views/stats.tsx';
import { ViewBlank, ViewFrame, ViewScroll } from '../views/view-frame.tsx';
import { leadingGroup, scoreSentence } from './describe-scores.ts';
import { FindField } from './find-field.tsx';
import { useNearest, type Nearest, type NearestText } from './use-nearest.ts';

const counts = ['5', '10', '25', '50'].map((value) => ({ value, label: `top ${value}` }));
/** One letter is in nearly every text. */
const fewestLetters = 2;

interface NearestViewProps {
  /** The field for the query stands in this view; where it stands elsewhere on the screen, not. */
  hasField: boolean;
}

/** The texts closest to a query, or to a text, with what each score is worth. */
export function NearestView({ hasField }: NearestViewProps) {
  const { changeFind } = useLab();
  const count = useLabState((state) => state.find.shown);
  const query = useLabState((state) => state.find.query);
  const { nearest, problem } = useNearest();
  const words = query.trim().length < fewestLetters ? undefined : query;

  return (
    <ViewFrame
      title="Nearest"
      controls={
        <Select
          label="How many"
          value={String(count)}
          options={counts}
          onChange={(value) => changeFind({ shown: Number(value) })}
        />
      }
      note={
        nearest &&
        `Top ${Math.min(count, nearest.ranked.length)} of ${formatCount(nearest.shown.set.rows.length)}`
      }
    >
      {hasField && <FindField />}
      <ViewScroll>
        {problem !== undefined && <ViewBlank>{problem}</ViewBlank>}
        {(nearest || words !== undefined) && <NearestList words={words} nearest={nearest} />}
        {!nearest && <ViewBlank>Type a query and press Enter, or select any text (no request).</ViewBlank>}
      </ViewScroll>
    </ViewFrame>
  );
}

const mostMatches = 8;

interface NearestListProps {
  /** What to look for in the texts as it stands. */
  words: string | undefined;
  nearest: Nearest | undefined;
}

/** The nearest, best first, with the scores of all; before them the texts that hold the very words of a query. */
function NearestList({ words, nearest }: NearestListProps) {
  return (
    <>
      {words !== undefined && <Matches words={words} />}
      {nearest && <Ranking nearest={nearest} />}
    </>
  );
}

function Ranking({ nearest }: { nearest: Nearest }) {
  const { select, clearQuery } = useLab();
  const texts = useLabState((state) => state.texts);
  const { source, ranked } = nearest;
  return (
    <>
      {nearest.all && (
        <ScoreStrip all={othersOf(nearest, nearest.all)} best={ranked.map(({ score }) => score)} />
      )}
      <ScoreFacts ranked={ranked} />
      <p className="pt-2 pb-1.5 text-12 wrap-anywhere">
        <span className="text-ink-3">{source.of === 'query' ? 'To the query' : 'To'}</span>{' '}
        <span dir="auto">{source.of === 'query' ? source.query : texts[source.text]?.text}</span>
      </p>
      <ol aria-label="Nearest">
        {ranked.map((near) => (
          <NearestRow
            key={near.text}
            near={near}
            onSelect={() => select(near.text)}
            onMore={() => {
              clearQuery();
              select(near.text);
            }}
          />
        ))}
      </ol>
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
  const [like] = near.alike;
  const likeText = useLabState((state) => (like === undefined ? undefined : state.texts[like]?.text));
  const words = found?.text ?? '';
  return (
    <li
      className={`grid min-h-[33px] grid-cols-[18px_18px_minmax(0,1fr)_minmax(40px,18%)_44px_auto] items-center gap-x-1.5 border-t border-line py-[3px] @max-[420px]:grid-cols-[18px_18px_minmax(0,1fr)_44px] ${isCurrent ? 'bg-needle-wash' : ''}`}
    >
      <span className="text-12 font-[650] text-needle-ink">{near.rank}</span>
      <GroupMark group={found?.group} name={group} />
      <TextButton isCurrent={isCurrent} onPick={onSelect}>
        {likeText === undefined ? words : cutInMiddle(words, likeText, 60)}
      </TextButton>
      <span
        aria-hidden
        className="block h-1 rounded-[2px] bg-sunken @max-[420px]:hidden"
        style={{ '--share': Math.max(0, near.score) }}
      >
        <span className="block h-full w-[calc(var(--share)*100%)] rounded-[2px] bg-ink" />
      </span>
      <b className="text-right font-semibold">{cosineWords(near.score, 3)}</b>
      <Button look="quiet" size="small" className="@max-[420px]:hidden" onClick={onMore}>
        More like this<span className="sr-only">: {found?.text}</span>
      </Button>
      <small className="col-start-3 -col-end-1 text-11 text-ink-3">
        {[
          near.percentile !== undefined && `percentile ${percentileWords(near.percentile)}`,
          near.margin !== undefined && `+${near.margin.toFixed(3)} over next`,
          near.alike.length > 0 && `${pluralize(near.alike.length, 'near-equal text')} behind it`,
        ]
          .filter(Boolean)
          .join(', ')}
      </small>
    </li>
  );
}

/** The facts about the scores that need a word. */
function ScoreFacts({ ranked }: { ranked: readonly NearestText[] }) {
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const [best] = ranked;
  const group = leadingGroup(ranked, texts, groups);
  const sentence = scoreSentence(ranked, group);
  if (!best) return null;
  return (
    <>
      <Facts>
        <Fact
          name="Best"
          more={best.margin === undefined ? '' : `+${best.margin.toFixed(2)} over next`}
          question="The cosine of the nearest text, and how far it is ahead of the next one."
        >
          {cosineWords(best.score, 2)}
        </Fact>
        {group && (
          <Fact
            name={`Top ${ranked.length} from one group`}
            more={group.name}
            question="How many of the nearest texts are in the group that most of them are in."
          >
            {group.count} of {group.of}
          </Fact>
        )}
        {best.percentile !== undefined && (
          <Fact
            name="Percentile"
            more="of all pairs"
            question="The share of all pairs of these texts that are less similar than the query and its nearest text."
          >
            {percentileWords(best.percentile)}
          </Fact>
        )}
      </Facts>
      {sentence !== '' && <p className="text-13 text-pretty text-ink-2">{sentence}</p>}
    </>
  );
}

/** "99.8%": the top end is what is looked at, and there a whole percent is coarse. */
function percentileWords(share: number): string {
  const percent = Math.min(99.9, share * 100);
  return `${percent >= 99 ? percent.toFixed(1) : Math.floor(percent)}%`;
}

/** Texts that hold the very words, found while one types. */
function Matches({ words }: { words: string }) {
  const { select } = useLab();
  const texts = useLabState((state) => state.texts);
  const { first, count } = matchesIn(texts, words, mostMatches);
  return (
    <section className="pb-2" aria-label="Exact text matches">
      <h3 className="py-0.5 text-12 font-semibold text-ink-2">
        {count === 0 ? 'No exact text match' : pluralize(count, 'exact text match', 'exact text matches')}
      </h3>
      <ul>
        {first.map((text) => (
          <li key={text} className="flex">
            <TextButton onPick={() => select(text)}>{texts[text]?.text}</TextButton>
          </li>
        ))}
      </ul>
      {count > first.length && <p className="text-ink-3">and {formatCount(count - first.length)} more</p>}
    </section>
  );
}

interface ScoreStripProps {
  /** Of every text but the one that is looked from. */
  all: Float32Array;
  /** Of the nearest, best first. */
  best: readonly number[];
}

const widthPx = 520;
/** More marks than this would be one black bar: then each tenth of a pixel's share is told by its height. */
const mostMarks = 400;

/** The scores of all texts on one scale, the nearest marked: how far they stand out. */
function ScoreStrip({ all, best }: ScoreStripProps) {
  const low = Math.min(
    0,
    Math.floor(all.reduce((least, score) => Math.min(least, score), 1) * 10 - 1e-6) / 10,
  );
  const x = (score: number) => Math.round(((score - low) / (1 - low)) * (widthPx - 2)) + 1.5;
  const labels = low < 0 ? [low, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  return (
    <svg
      className="mt-1.5 block w-full max-w-[560px] overflow-visible [&>path]:fill-none [&>text]:fill-ink-3 [&>text]:text-11"
      viewBox={`-12 0 ${widthPx + 24} 46`}
      role="img"
      aria-label={`Scores of all ${all.length} texts on a scale from ${low} to 1`}
    >
      <path className="stroke-edge" d={all.length <= mostMarks ? marksOf(all, x) : heightsOf(all, x)} />
      <path className="stroke-needle stroke-2" d={best.map((score) => `M${x(score)} 6V24`).join('')} />
      <path
        className="stroke-edge"
        d={`M1 24.5H${widthPx}${labels.map((label) => `M${x(label)} 24.5v6`).join('')}`}
      />
      {labels.map((label) => (
        <text key={label} x={x(label)} y="42" textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}

function marksOf(all: Float32Array, x: (score: number) => number): string {
  return Array.from(all, (score) => `M${x(score)} 13V24`).join('');
}

/** One mark for each pixel: the more texts have that score, the higher. */
function heightsOf(all: Float32Array, x: (score: number) => number): string {
  const counts = new Map<number, number>();
  for (const score of all) {
    const at = x(score);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return Array.from(
    counts,
    ([at, count]) => `M${at} ${(24 - Math.max(1, (18 * count) / most)).toFixed(1)}V24`,
  ).join('');
}

interface TextMatches {
  /** Places of the first texts that hold the words, in order. */
  first: number[];
  /** How many there are in all. */
  count: number;
}

/** The texts that hold these words as they stand, in any case of letters. Nothing is sent for it. */
export function matchesIn(
  texts: readonly { text: string }[],
  words: string,
  mostListed: number,
): TextMatches {
  const wanted = words.trim().toLocaleLowerCase();
  const first: number[] = [];
  let count = 0;
  if (wanted === '') return { first, count };
  for (const [place, { text }] of texts.entries()) {
    if (!text.toLocaleLowerCase().includes(wanted)) continue;
    if (count < mostListed) first.push(place);
    count++;
  }
  return { first, count };
}
