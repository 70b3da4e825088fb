/**
 * What came of a session, lane by lane: how often each was better, marks, medians, tokens, how its answers ended. Counts,
 * never a verdict: lanes stay in their order.
 */
import { parseExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, formatSpeed, pluralize, type Measure } from '../../lib/format.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { costOf, costWords, type Cost, type PriceOfModel } from '../reply/cost.ts';
import { askedFormat, jsonReplyOf } from '../reply/json-reply-text.ts';
import { metricsOf, type Figure, type Metrics } from '../reply/metrics.ts';
import { finishWord, isLive, textOf } from '../reply/run.ts';
import { textOfContent } from '../request/request.ts';
import { candidateOf } from '../session/candidates.ts';
import { rowsOf } from '../session/prompt-rows.ts';
import { laneLetter, pathOf, runOf } from '../session/turn-tree.ts';
import type { LaneId, PromptId, Run, SessionData, Setup, Turn } from '../session/types.ts';
import { laneHeadlines, type LaneHeadline } from './lane-headline.ts';
import { contestsOf, winsOf, type Contest } from './turn-vote.ts';

/** Whether a value fits a schema; it comes from outside, since the checker is large. */
export type FitsSchema = (value: Json, schema: JsonObject) => boolean;

export interface SummaryOptions {
  fits?: FitsSchema;
  priceOfModel?: PriceOfModel;
  namesHidden?: boolean;
}

/** A number with its unit; `~` where part of it is estimated. Undefined where there is none. */
export type SummaryMeasure = Measure | undefined;

export interface LaneSummary extends LaneHeadline {
  laneId: LaneId;
  letter: string;
  /** As people are to read it: "Model A" while names are hidden. */
  model: string;
  /** Turn by turn, for those that were compared. */
  wins: boolean[];
  good: number;
  bad: number;
  answers: number;
  timeToFirstToken: SummaryMeasure;
  speed: SummaryMeasure;
  /** True if some answers have reasoning that was not streamed, which their speed leaves out. */
  hasHiddenReasoning: boolean;
  /** "1,128 / 214" */
  tokens: string;
  tokensOut: string;
  /** Cost as reported or by listed prices; undefined if neither is known. */
  cost: Cost | undefined;
  /** "stop 2, length 1" */
  finish: string;
  /** "2 of 3"; undefined where no schema was sent. */
  fits: string | undefined;
}

export interface TurnSummary {
  promptId: PromptId;
  number: number;
  asked: string;
  /** The letter of the better lane, or "Equal"; undefined where nobody chose. */
  better: string | undefined;
  /** Somebody can choose here. */
  isOpen: boolean;
  contest: Contest | undefined;
}

export interface Summary {
  title: string;
  /** "3 turns in 3 lanes" */
  extent: string;
  lanes: LaneSummary[];
  /** Turns with two answers or more. */
  compared: number;
  equal: number;
  turns: TurnSummary[];
  /** What must be known to read the numbers. */
  notes: string[];
  namesHidden: boolean;
}

/** How a part of the table is written; "" where nothing is known. */
export interface SummaryTable {
  head: string[];
  rows: string[][];
}

export function comparisonOf(data: SessionData, options: SummaryOptions = {}): Summary {
  const { namesHidden = false, fits } = options;
  const contests = contestsOf(data);
  const { compared, equal } = winsOf(contests);
  const turnsOf = data.session.laneIds.map((laneId) => {
    const lane = data.lanes[laneId];
    return { laneId, lane, turns: lane ? pathOf(data, lane) : [] };
  });
  const setups = turnsOf.map(({ lane, turns }) => lastSetup(data, turns) ?? lane?.setup);
  const headlines = laneHeadlines(setups);
  const lanes = turnsOf.map(({ laneId, turns }, index): LaneSummary => {
    const letter = laneLetter(index);
    const named = headlines[index] ?? { headline: '', under: '', chips: [] };
    const hidden = { headline: `Model ${letter}`, under: '', chips: [] };
    return {
      ...(namesHidden ? hidden : named),
      laneId,
      letter,
      model: namesHidden ? `Model ${letter}` : modelsOf(data, turns, setups[index]),
      wins: winsIn(contests, laneId),
      ...marksOf(turns),
      ...numbersOf(data, turns, options),
    };
  });
  const turns = rowsOf(data).map((row) => turnSummary(data, row.promptId, row.number, contests));
  return {
    title: data.session.title,
    extent: `${pluralize(turns.length, 'turn')} in ${pluralize(lanes.length, 'lane')}`,
    lanes,
    compared,
    equal,
    turns,
    notes: notesOf({ lanes, turns, compared }, contests, fits !== undefined),
    namesHidden,
  };
}

/** True where an answer of the session was asked to fit a schema. */
export function hasSchema(data: SessionData): boolean {
  return Object.values(data.runs).some(({ setup }) => askedFormat(setup.params)?.schema !== undefined);
}

/** The lanes as a table of plain words: what the page, the files and the clipboard have in common. */
export function laneTable({ lanes, compared, equal, namesHidden }: Summary): SummaryTable {
  const hasFits = lanes.some(({ fits }) => fits !== undefined);
  const hasCost = lanes.some(({ cost }) => cost !== undefined);
  const shown = (words: string) => (namesHidden ? 'hidden' : words);
  const rows = lanes.map((lane) => [
    `${lane.letter}: ${[lane.model, ...lane.chips].join(', ')}`,
    shown(`${won(lane)} of ${compared}`),
    `${lane.good} / ${lane.bad}`,
    shown(written(lane.timeToFirstToken)),
    shown(written(lane.speed)),
    shown(lane.tokens),
    ...(hasCost ? [shown(lane.cost ? costWords(lane.cost) : '')] : []),
    shown(lane.finish),
    ...(hasFits ? [lane.fits ?? ''] : []),
  ]);
  const head = [
    'Lane',
    'Better in',
    'Good / bad',
    'TTFT, median',
    'Speed, median',
    'Tokens in / out',
    ...(hasCost ? ['Cost'] : []),
    'Finish',
    ...(hasFits ? ['Schema fits'] : []),
  ];
  const equalRow = head.map((_, at) => (at === 0 ? 'Equal' : at === 1 ? `${equal} of ${compared}` : ''));
  return { head, rows: lanes.length > 1 ? [...rows, equalRow] : rows };
}

/** The turns as a table of plain words. */
export function turnTable({ turns }: Summary): SummaryTable {
  const better = (turn: TurnSummary) => turn.better ?? (turn.isOpen ? 'no vote' : '');
  return {
    head: ['Turn', 'Asked', 'Better'],
    rows: turns.map((turn) => [String(turn.number), turn.asked, better(turn)]),
  };
}

export function won({ wins }: LaneSummary): number {
  return wins.filter(Boolean).length;
}

function written(measure: SummaryMeasure): string {
  return measure === undefined ? '' : `${measure.number} ${measure.unit}`;
}

function lastSetup(data: SessionData, turns: readonly Turn[]): Setup | undefined {
  return turns.flatMap((turn) => runOf(data, turn) ?? []).at(-1)?.setup;
}

/** Whoever changed the model on the way has several. */
function modelsOf(data: SessionData, turns: readonly Turn[], setup: Setup | undefined): string {
  const models = new Set(turns.flatMap((turn) => runOf(data, turn)?.setup.model ?? []));
  return models.size === 0 ? (setup?.model ?? '') : [...models].join(', ');
}

function winsIn(contests: readonly Contest[], laneId: LaneId): boolean[] {
  const counted = contests.filter((contest) => winsOf([contest]).compared > 0);
  return counted.map((contest) => winsOf([contest]).byLane[laneId] === 1);
}

function marksOf(turns: readonly Turn[]): { good: number; bad: number } {
  const marked = (mark: string) => turns.filter(({ remark }) => remark?.mark === mark).length;
  return { good: marked('good'), bad: marked('bad') };
}

function numbersOf(
  data: SessionData,
  turns: readonly Turn[],
  { fits, priceOfModel = () => undefined }: SummaryOptions,
) {
  const answers = turns.flatMap((turn) => {
    const run = runOf(data, turn);
    return run && !isLive(run) ? [{ turn, run, metrics: metricsOf(run) }] : [];
  });
  const all = answers.map(({ metrics }) => metrics);
  const tokensOut = sumOf(all, ({ tokensOut: out }) => out);
  return {
    answers: answers.length,
    timeToFirstToken: median(all, (metrics) => metrics.timeToFirstToken, formatDuration),
    speed: median(all, (metrics) => metrics.tokensPerSecond, formatSpeed),
    hasHiddenReasoning: all.some(({ hiddenReasoningTokens }) => hiddenReasoningTokens !== undefined),
    tokens: answers.length === 0 ? '' : `${sumOf(all, ({ tokensIn }) => tokensIn)} / ${tokensOut}`,
    tokensOut,
    cost: costOf(answers, priceOfModel),
    finish: finishes(answers.map(({ run }) => run)),
    fits: fitsOf(answers, fits),
  };
}

function median(
  all: readonly Metrics[],
  figureOf: (metrics: Metrics) => Figure,
  format: (value: number) => Measure,
): SummaryMeasure {
  const known = all.flatMap((metrics) => {
    const figure = figureOf(metrics);
    return 'value' in figure ? [figure] : [];
  });
  const values = known.map(({ value }) => value).toSorted((one, other) => one - other);
  const [low, high] = [values[Math.ceil(values.length / 2) - 1], values[Math.floor(values.length / 2)]];
  if (low === undefined || high === undefined) return undefined;
  const measure = format((low + high) / 2);
  const isEstimated = known.some(({ kind }) => kind === 'estimated');
  return isEstimated ? { ...measure, number: `~${measure.number}` } : measure;
}

/** "~1,128" where one of them is an estimate, "?" where none is known. */
function sumOf(all: readonly Metrics[], figureOf: (metrics: Metrics) => Figure): string {
  const known = all.flatMap((metrics) => {
    const figure = figureOf(metrics);
    return 'value' in figure ? [figure] : [];
  });
  if (known.length === 0) return '?';
  const sum = formatCount(known.reduce((total, { value }) => total + value, 0));
  return known.some(({ kind }) => kind === 'estimated') ? `~${sum}` : sum;
}

function finishes(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) {
    const word = finishWord(run);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ');
}

function fitsOf(
  answers: readonly { turn: Turn; run: Run }[],
  fits: FitsSchema | undefined,
): string | undefined {
  const asked = answers.flatMap(({ turn, run }) => {
    const schema = askedFormat(run.setup.params)?.schema;
    return schema === undefined ? [] : [{ text: textOf(candidateOf(run, turn.shownChoice)), schema }];
  });
  if (asked.length === 0 || !fits) return undefined;
  const fitting = asked.filter(({ text, schema }) => {
    const reply = jsonReplyOf(text, false, true);
    const reading = reply && parseExactJson(reply.text);
    return reading?.ok === true && fits(reading.value, schema);
  });
  return `${fitting.length} of ${asked.length}`;
}

function turnSummary(
  data: SessionData,
  promptId: PromptId,
  number: number,
  contests: readonly (Contest & { promptId: PromptId })[],
): TurnSummary {
  const contest = contests.find((each) => each.promptId === promptId);
  const winner = contest?.rivals.find(({ turnId }) => turnId === contest.vote?.winner);
  const prompt = data.prompts[promptId];
  const said = prompt?.messages.map(({ content }) => textOfContent(content)).join(' ') ?? '';
  const asked = said.replaceAll(/\s+/g, ' ').trim();
  const results = prompt?.results?.length ?? 0;
  return {
    promptId,
    number,
    asked: asked === '' && results > 0 ? pluralize(results, 'tool result') : shortened(asked),
    better: contest?.vote?.winner === 'equal' ? 'Equal' : winner?.letter,
    isOpen: contest !== undefined && contest.blockedBy === undefined,
    contest,
  };
}

const longestPrompt = 160;

function shortened(text: string): string {
  const letters = Array.from(text.slice(0, 2 * longestPrompt));
  return letters.length > longestPrompt ? `${letters.slice(0, longestPrompt - 1).join('')}…` : text;
}

function notesOf(
  { lanes, turns, compared }: Pick<Summary, 'lanes' | 'turns' | 'compared'>,
  contests: readonly Contest[],
  isChecked: boolean,
): string[] {
  const open = turns.filter(({ better, isOpen }) => isOpen && better === undefined);
  const votes = contests.flatMap(({ vote }) => vote ?? []);
  const blind = votes.filter(({ blind: isBlind }) => isBlind).length;
  const answers = lanes.map((lane) => lane.answers);
  const most = Math.max(0, ...answers);
  return [
    ...(open.length === 0 || compared === 0 ? [] : [openWords(open, compared)]),
    ...(votes.length === 0
      ? []
      : [
          `Votes by one person, ${blind === 0 ? 'names shown' : blind === votes.length ? 'names hidden' : `${blind} of ${votes.length} with names hidden`}.`,
        ]),
    ...(most < 2
      ? []
      : [`Medians of ${answers.every((count) => count === most) ? '' : 'up to '}${most} answers per lane.`]),
    ...(isChecked && lanes.every(({ fits }) => fits === undefined)
      ? ['No answer was checked against a schema.']
      : []),
    ...(lanes.some(({ hasHiddenReasoning }) => hasHiddenReasoning) ? [hiddenReasoningNote] : []),
    ...costNotes(lanes.flatMap(({ cost }) => cost ?? [])),
  ];
}

/** List prices are not a bill: what is cached may cost less, and other things may cost something, too. */
function costNotes(costs: readonly Cost[]): string[] {
  if (costs.length === 0) return [];
  const least = costs.some(({ isLeast }) => isLeast) ? [' ≥: the price of some answers is not known.'] : [];
  const sources = new Set(costs.map(({ source }) => source));
  const listed = 'by the prices that the gateway lists now, without discounts and fees';
  const reported = 'as the provider reported it';
  const source = sources.has('mixed') || sources.size > 1 ? 'mixed' : costs[0]?.source;
  const words =
    source === 'mixed' ? `${reported}, else ${listed}` : source === 'reported' ? reported : listed;
  return [`Cost ${words}.${least.join('')}`];
}

const hiddenReasoningNote = 'TTFT includes reasoning that was not streamed. Speed leaves it out.';

function openWords(open: readonly TurnSummary[], compared: number): string {
  if (open.length === compared && compared > 1) return 'No turn has a vote yet.';
  if (open.length === 1) return `Turn ${open[0]?.number ?? 1} has no vote yet.`;
  return `${pluralize(open.length, 'turn')} have no vote yet.`;
}
