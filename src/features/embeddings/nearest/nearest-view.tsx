import { truncateMiddle } from '../../../embedding/items/near-equal.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { getTextRow, type LabText } from '../../../state/lab/lab-state.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { GroupIcon } from '../group-icon.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { TextLink } from '../text-link.tsx';
import { formatCosine } from '../views/lab-number-format.ts';
import { Stat, Stats } from '../views/stats.tsx';
import { ViewEmptyState, ViewFrame, ViewScroll } from '../views/view-frame.tsx';
import { FindField } from './find-field.tsx';
import { useNearest, type Nearest, type NearestText } from './use-nearest.ts';

const countOptions = ['5', '10', '25', '50'].map((value) => ({ value, label: `top ${value}` }));
/** Minimum length of a query; a single letter occurs in nearly every text. */
const minQueryChars = 2;

interface NearestViewProps {
  /** True if the query field is part of this view and not elsewhere on the screen. */
  hasField: boolean;
}

/** Texts closest to a query or a text, with the meaning of each score. */
export function NearestView({ hasField }: NearestViewProps) {
  const { changeFind } = useLab();
  const count = useLabState((state) => state.find.neighbourCount);
  const query = useLabState((state) => state.find.query);
  const { nearest, problem } = useNearest();
  const textQuery = query.trim().length < minQueryChars ? undefined : query;

  return (
    <ViewFrame
      title="Nearest"
      controls={
        <Select
          label="Number of results"
          value={String(count)}
          options={countOptions}
          onChange={(value) => changeFind({ neighbourCount: Number(value) })}
        />
      }
      note={
        nearest &&
        `Top ${Math.min(count, nearest.results.length)} of ${formatCount(nearest.setView.set.rows.length)}`
      }
    >
      {hasField && <FindField />}
      <ViewScroll>
        {problem !== undefined && <ViewEmptyState>{problem}</ViewEmptyState>}
        {(nearest || textQuery !== undefined) && <NearestList textQuery={textQuery} nearest={nearest} />}
        {!nearest && (
          <ViewEmptyState>Select a text (sends no request), or type a query and press Enter.</ViewEmptyState>
        )}
      </ViewScroll>
    </ViewFrame>
  );
}

const maxMatches = 8;

interface NearestListProps {
  /** Text to find literally. */
  textQuery: string | undefined;
  nearest: Nearest | undefined;
}

/** Nearest texts, best first, below a chart of all scores and the texts that contain the query literally. */
function NearestList({ textQuery, nearest }: NearestListProps) {
  return (
    <>
      {textQuery !== undefined && <Matches textQuery={textQuery} />}
      {nearest && <Ranking nearest={nearest} />}
    </>
  );
}

function Ranking({ nearest }: { nearest: Nearest }) {
  const { select, clearQuery } = useLab();
  const texts = useLabState((state) => state.texts);
  const { source, results } = nearest;
  return (
    <>
      {nearest.allScores && (
        <ScoreStrip
          scores={excludeSource(nearest, nearest.allScores)}
          bestScores={results.map(({ score }) => score)}
        />
      )}
      <ScoreStats ranked={results} />
      <p className="pt-2 pb-1.5 text-12 wrap-anywhere">
        <span className="text-ink-3">{source.kind === 'query' ? 'Closest to query' : 'Closest to'}</span>{' '}
        <span dir="auto">{source.kind === 'query' ? source.query : texts[source.text]?.text}</span>
      </p>
      <ol aria-label="Nearest">
        {results.map((result) => (
          <NearestRow
            key={result.text}
            result={result}
            onSelect={() => select(result.text)}
            onFindSimilar={() => {
              clearQuery();
              select(result.text);
            }}
          />
        ))}
      </ol>
    </>
  );
}

/** Returns the scores without that of the source text, whose similarity to itself is always 1. */
function excludeSource({ source, setView }: Nearest, allScores: Float32Array): Float32Array {
  const sourceRow = source.kind === 'text' ? getTextRow(setView.set, source.text) : undefined;
  return sourceRow === undefined ? allScores : allScores.filter((_, row) => row !== sourceRow);
}

interface NearestRowProps {
  result: NearestText;
  onSelect: () => void;
  onFindSimilar: () => void;
}

function NearestRow({ result, onSelect, onFindSimilar }: NearestRowProps) {
  const labText = useLabState((state) => state.texts[result.text]);
  const group = useLabState((state) =>
    labText?.group === undefined ? undefined : state.groups[labText.group],
  );
  const isCurrent = useLabState((state) => state.selection.current === result.text);
  const [nearEqualIndex] = result.nearEqualTexts;
  const nearEqualText = useLabState((state) =>
    nearEqualIndex === undefined ? undefined : state.texts[nearEqualIndex]?.text,
  );
  const text = labText?.text ?? '';
  return (
    <li
      className={`grid min-h-[33px] grid-cols-[18px_18px_minmax(0,1fr)_minmax(40px,18%)_44px_auto] items-center gap-x-1.5 border-t border-line py-[3px] @max-[420px]:grid-cols-[18px_18px_minmax(0,1fr)_44px] ${isCurrent ? 'bg-needle-wash' : ''}`}
    >
      <span className="text-12 font-[650] text-needle-ink">{result.rank}</span>
      <GroupIcon group={labText?.group} name={group} />
      <TextLink isCurrent={isCurrent} onPick={onSelect}>
        {nearEqualText === undefined ? text : truncateMiddle(text, nearEqualText, 60)}
      </TextLink>
      <span
        aria-hidden
        className="block h-1 rounded-[2px] bg-sunken @max-[420px]:hidden"
        style={{ '--share': Math.max(0, result.score) }}
      >
        <span className="block h-full w-[calc(var(--share)*100%)] rounded-[2px] bg-ink" />
      </span>
      <b className="text-right font-semibold">{formatCosine(result.score, 3)}</b>
      <Button variant="ghost" size="small" className="@max-[420px]:hidden" onClick={onFindSimilar}>
        Find similar<span className="sr-only">: {labText?.text}</span>
      </Button>
      <small className="col-start-3 -col-end-1 text-11 text-ink-3">
        {[
          result.percentile !== undefined &&
            `closer than ${formatPercentile(result.percentile)} of all pairs`,
          result.margin !== undefined && `${result.margin.toFixed(3)} above the next`,
          result.nearEqualTexts.length > 0 &&
            `with ${pluralize(result.nearEqualTexts.length, 'near-duplicate')}`,
        ]
          .filter(Boolean)
          .join(', ')}
      </small>
    </li>
  );
}

/** Numbers about the scores, with explanations. */
function ScoreStats({ ranked }: { ranked: readonly NearestText[] }) {
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const [best] = ranked;
  const group = findLeadingGroup(ranked, texts, groups);
  const sentence = describeScores(ranked, group);
  if (!best) return null;
  return (
    <>
      <Stats>
        <Stat
          name="Best"
          detail={best.margin === undefined ? '' : `${best.margin.toFixed(2)} above the next`}
          explanation="Cosine similarity of the nearest text, and the gap to the next one"
        >
          {formatCosine(best.score, 2)}
        </Stat>
        {group && (
          <Stat
            name={`Top ${ranked.length} from one group`}
            detail={group.name}
            explanation="Number of nearest texts in their most common group"
          >
            {group.count} of {group.total}
          </Stat>
        )}
        {best.percentile !== undefined && (
          <Stat
            name="Percentile"
            detail="of all pairs"
            explanation="Share of all text pairs that are less similar than the best match"
          >
            {formatPercentile(best.percentile)}
          </Stat>
        )}
      </Stats>
      {sentence !== '' && <p className="text-13 text-pretty text-ink-2">{sentence}</p>}
    </>
  );
}

/** Formats a percentile such as "99.8%", with one decimal near the top, where whole percentages are too coarse. */
function formatPercentile(share: number): string {
  const percent = Math.min(99.9, share * 100);
  return `${percent >= 99 ? percent.toFixed(1) : Math.floor(percent)}%`;
}

/** Texts that contain the query literally, updated while typing. */
function Matches({ textQuery }: { textQuery: string }) {
  const { select } = useLab();
  const texts = useLabState((state) => state.texts);
  const { firstTexts, count } = findTextMatches(texts, textQuery, maxMatches);
  return (
    <section className="pb-2" aria-label="Exact matches">
      <h3 className="py-0.5 text-12 font-semibold text-ink-2">
        {count === 0 ? 'No exact matches' : pluralize(count, 'exact match', 'exact matches')}
      </h3>
      <ul>
        {firstTexts.map((text) => (
          <li key={text} className="flex">
            <TextLink onPick={() => select(text)}>{texts[text]?.text}</TextLink>
          </li>
        ))}
      </ul>
      {count > firstTexts.length && (
        <p className="text-ink-3">and {formatCount(count - firstTexts.length)} more</p>
      )}
    </section>
  );
}

interface ScoreStripProps {
  /** Scores of all texts except the source. */
  scores: Float32Array;
  /** Scores of the nearest texts, best first. */
  bestScores: readonly number[];
}

const stripWidthPx = 520;
/** Maximum number of single marks; more would merge into one bar, so counts are then shown as heights. */
const maxMarks = 400;

/** Scores of all texts on one scale, with the nearest marked to show their distance from the rest. */
function ScoreStrip({ scores, bestScores }: ScoreStripProps) {
  const low = Math.min(
    0,
    Math.floor(scores.reduce((lowest, score) => Math.min(lowest, score), 1) * 10 - 1e-6) / 10,
  );
  const toX = (score: number) => Math.round(((score - low) / (1 - low)) * (stripWidthPx - 2)) + 1.5;
  const labels = low < 0 ? [low, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  return (
    <svg
      className="mt-1.5 block w-full max-w-[560px] overflow-visible [&>path]:fill-none [&>text]:fill-ink-3 [&>text]:text-11"
      viewBox={`-12 0 ${stripWidthPx + 24} 46`}
      role="img"
      aria-label={`Scores of ${pluralize(scores.length, 'text')} on a scale from ${low} to 1`}
    >
      <path
        className="stroke-edge"
        d={scores.length <= maxMarks ? buildMarksPath(scores, toX) : buildHeightsPath(scores, toX)}
      />
      <path
        className="stroke-needle stroke-2"
        d={bestScores.map((score) => `M${toX(score)} 6V24`).join('')}
      />
      <path
        className="stroke-edge"
        d={`M1 24.5H${stripWidthPx}${labels.map((label) => `M${toX(label)} 24.5v6`).join('')}`}
      />
      {labels.map((label) => (
        <text key={label} x={toX(label)} y="42" textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}

function buildMarksPath(scores: Float32Array, toX: (score: number) => number): string {
  return Array.from(scores, (score) => `M${toX(score)} 13V24`).join('');
}

/** Builds one mark per pixel; its height is the number of texts with that score. */
function buildHeightsPath(scores: Float32Array, toX: (score: number) => number): string {
  const counts = new Map<number, number>();
  for (const score of scores) {
    const markX = toX(score);
    counts.set(markX, (counts.get(markX) ?? 0) + 1);
  }
  const maxCount = Math.max(...counts.values());
  return Array.from(
    counts,
    ([markX, count]) => `M${markX} ${(24 - Math.max(1, (18 * count) / maxCount)).toFixed(1)}V24`,
  ).join('');
}

interface TextMatches {
  /** Indices of the first matching texts, in order. */
  firstTexts: number[];
  /** Total number of matching texts. */
  count: number;
}

/** Finds the texts that contain the query literally, ignoring case. Sends no request. */
export function findTextMatches(
  texts: readonly { text: string }[],
  textQuery: string,
  maxListed: number,
): TextMatches {
  const needle = textQuery.trim().toLocaleLowerCase();
  const firstTexts: number[] = [];
  let count = 0;
  if (needle === '') return { firstTexts, count };
  for (const [index, { text }] of texts.entries()) {
    if (!text.toLocaleLowerCase().includes(needle)) continue;
    if (count < maxListed) firstTexts.push(index);
    count++;
  }
  return { firstTexts, count };
}

/** Returns the most frequent group among the listed texts and its count; `undefined` without groups. */
export function findLeadingGroup(
  ranked: readonly Pick<NearestText, 'text'>[],
  texts: readonly LabText[],
  groups: readonly string[],
): { name: string; count: number; total: number } | undefined {
  const counts = new Map<number, number>();
  for (const { text } of ranked) {
    const group = texts[text]?.group;
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([, countA], [, countB]) => countB - countA);
  if (!first) return undefined;
  return { name: groups[first[0]] ?? '', count: first[1], total: ranked.length };
}

/** Minimum gap in score that separates relevant from irrelevant texts. */
const minClearMargin = 0.05;

/** Describes the scores of the nearest texts: whether one group dominates and whether a clear gap ends the list. */
export function describeScores(
  ranked: readonly Pick<NearestText, 'score' | 'margin'>[],
  group: { name: string; count: number; total: number } | undefined,
): string {
  const count = ranked.length;
  const last = ranked.at(-1);
  if (!last || count < 2) return '';
  const groupSentence =
    group && group.count === group.total ? `The top ${count} are all from ${group.name}. ` : '';
  if (last.margin === undefined) return groupSentence.trim();
  const next = formatCosine(last.score - last.margin, 2);
  return last.margin < minClearMargin
    ? `${groupSentence}The gap to the next text (${next}) is small, so do not cut off here.`
    : `${groupSentence}The next text scores much lower (${next}).`;
}
