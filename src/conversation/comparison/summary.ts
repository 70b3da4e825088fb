/**
 * What came of a session, lane by lane: how often each was better, marks, medians, tokens, how its answers ended. Counts,
 * never a verdict: lanes stay in their order.
 */
import { parseExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, formatSpeed, pluralize, type Measure } from '../../lib/format.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { computeCost, formatTotalCost, type Cost, type GetModelPrice } from '../reply/cost.ts';
import { getRequestedFormat, parseJsonReply } from '../reply/json-reply-text.ts';
import { computeMetrics, type Metric, type Metrics } from '../reply/metrics.ts';
import { getFinishLabel, isLive, getAnswerText } from '../reply/run.ts';
import { getContentText } from '../request/request.ts';
import { getCandidate } from '../session/candidates.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import { getLaneLetter, getLanePath, getRun } from '../session/turn-tree.ts';
import type { LaneId, PromptId, Run, SessionData, Setup, Turn } from '../session/types.ts';
import { getLaneHeadlines, type LaneHeadline } from './lane-headline.ts';
import { listTurnVotes, countWins, type TurnVote } from './turn-vote.ts';

/** Whether a value fits a schema; it comes from outside, since the checker is large. */
export type SchemaValidator = (value: Json, schema: JsonObject) => boolean;

export interface SummaryOptions {
  validateSchema?: SchemaValidator;
  getModelPrice?: GetModelPrice;
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
  winsByTurn: boolean[];
  goodCount: number;
  badCount: number;
  answerCount: number;
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
  schemaFit: string | undefined;
}

export interface TurnSummary {
  promptId: PromptId;
  number: number;
  promptText: string;
  /** The letter of the better lane, or "Equal"; undefined where nobody chose. */
  winner: string | undefined;
  /** Somebody can choose here. */
  canVote: boolean;
  turnVote: TurnVote | undefined;
}

export interface SessionSummary {
  title: string;
  /** "3 turns in 3 lanes" */
  extent: string;
  lanes: LaneSummary[];
  /** Turns with two answers or more. */
  comparedCount: number;
  equalCount: number;
  turns: TurnSummary[];
  /** What must be known to read the numbers. */
  notes: string[];
  namesHidden: boolean;
}

/** How a part of the table is written; "" where nothing is known. */
export interface SummaryTableData {
  header: string[];
  rows: string[][];
}

export function summarizeSession(data: SessionData, options: SummaryOptions = {}): SessionSummary {
  const { namesHidden = false, validateSchema } = options;
  const turnVotes = listTurnVotes(data);
  const { comparedCount, equalCount } = countWins(turnVotes);
  const lanePaths = data.session.laneIds.map((laneId) => {
    const lane = data.lanes[laneId];
    return { laneId, lane, turns: lane ? getLanePath(data, lane) : [] };
  });
  const setups = lanePaths.map(({ lane, turns }) => getLastSetup(data, turns) ?? lane?.setup);
  const headlines = getLaneHeadlines(setups);
  const lanes = lanePaths.map(({ laneId, turns }, index): LaneSummary => {
    const letter = getLaneLetter(index);
    const namedHeadline = headlines[index] ?? { headline: '', subtitle: '', chips: [] };
    const hiddenHeadline = { headline: `Model ${letter}`, subtitle: '', chips: [] };
    return {
      ...(namesHidden ? hiddenHeadline : namedHeadline),
      laneId,
      letter,
      model: namesHidden ? `Model ${letter}` : formatModels(data, turns, setups[index]),
      winsByTurn: getWinsByTurn(turnVotes, laneId),
      ...countMarks(turns),
      ...computeLaneMetrics(data, turns, options),
    };
  });
  const turns = buildPromptRows(data).map((row) => summarizeTurn(data, row.promptId, row.number, turnVotes));
  return {
    title: data.session.title,
    extent: `${pluralize(turns.length, 'turn')} in ${pluralize(lanes.length, 'lane')}`,
    lanes,
    comparedCount,
    equalCount,
    turns,
    notes: buildSummaryNotes({ lanes, turns, comparedCount }, turnVotes, validateSchema !== undefined),
    namesHidden,
  };
}

/** True where an answer of the session was asked to fit a schema. */
export function hasSchema(data: SessionData): boolean {
  return Object.values(data.runs).some(({ setup }) => getRequestedFormat(setup.params)?.schema !== undefined);
}

/** The lanes as a table of plain words: what the page, the files and the clipboard have in common. */
export function buildLaneTable({
  lanes,
  comparedCount,
  equalCount,
  namesHidden,
}: SessionSummary): SummaryTableData {
  const hasFits = lanes.some(({ schemaFit }) => schemaFit !== undefined);
  const hasCost = lanes.some(({ cost }) => cost !== undefined);
  const hideIfBlind = (text: string) => (namesHidden ? 'hidden' : text);
  const rows = lanes.map((lane) => [
    `${lane.letter}: ${[lane.model, ...lane.chips].join(', ')}`,
    hideIfBlind(`${countLaneWins(lane)} of ${comparedCount}`),
    `${lane.goodCount} / ${lane.badCount}`,
    hideIfBlind(formatMeasure(lane.timeToFirstToken)),
    hideIfBlind(formatMeasure(lane.speed)),
    hideIfBlind(lane.tokens),
    ...(hasCost ? [hideIfBlind(lane.cost ? formatTotalCost(lane.cost) : '')] : []),
    hideIfBlind(lane.finish),
    ...(hasFits ? [lane.schemaFit ?? ''] : []),
  ]);
  const header = [
    'Lane',
    'Better in',
    'Good / bad',
    'TTFT, median',
    'Speed, median',
    'Tokens in / out',
    ...(hasCost ? ['Cost'] : []),
    'Finish',
    ...(hasFits ? ['Fits schema'] : []),
  ];
  const equalRow = header.map((_, index) =>
    index === 0 ? 'Equal' : index === 1 ? `${equalCount} of ${comparedCount}` : '',
  );
  return { header, rows: lanes.length > 1 ? [...rows, equalRow] : rows };
}

/** The turns as a table of plain words. */
export function buildTurnTable({ turns }: SessionSummary): SummaryTableData {
  const formatWinner = (turn: TurnSummary) => turn.winner ?? (turn.canVote ? 'no vote' : '');
  return {
    header: ['Turn', 'Prompt', 'Better'],
    rows: turns.map((turn) => [String(turn.number), turn.promptText, formatWinner(turn)]),
  };
}

export function countLaneWins({ winsByTurn }: LaneSummary): number {
  return winsByTurn.filter(Boolean).length;
}

function formatMeasure(measure: SummaryMeasure): string {
  return measure === undefined ? '' : `${measure.number} ${measure.unit}`;
}

function getLastSetup(data: SessionData, turns: readonly Turn[]): Setup | undefined {
  return turns.flatMap((turn) => getRun(data, turn) ?? []).at(-1)?.setup;
}

/** Whoever changed the model on the way has several. */
function formatModels(data: SessionData, turns: readonly Turn[], setup: Setup | undefined): string {
  const models = new Set(turns.flatMap((turn) => getRun(data, turn)?.setup.model ?? []));
  return models.size === 0 ? (setup?.model ?? '') : [...models].join(', ');
}

function getWinsByTurn(turnVotes: readonly TurnVote[], laneId: LaneId): boolean[] {
  const comparedVotes = turnVotes.filter((turnVote) => countWins([turnVote]).comparedCount > 0);
  return comparedVotes.map((turnVote) => countWins([turnVote]).byLane[laneId] === 1);
}

function countMarks(turns: readonly Turn[]): { goodCount: number; badCount: number } {
  const countMark = (mark: string) => turns.filter(({ remark }) => remark?.mark === mark).length;
  return { goodCount: countMark('good'), badCount: countMark('bad') };
}

function computeLaneMetrics(
  data: SessionData,
  turns: readonly Turn[],
  { validateSchema, getModelPrice = () => undefined }: SummaryOptions,
) {
  const answers = turns.flatMap((turn) => {
    const run = getRun(data, turn);
    return run && !isLive(run) ? [{ turn, run, metrics: computeMetrics(run) }] : [];
  });
  const allMetrics = answers.map(({ metrics }) => metrics);
  const tokensOut = formatSum(allMetrics, ({ tokensOut: out }) => out);
  return {
    answerCount: answers.length,
    timeToFirstToken: computeMedian(allMetrics, (metrics) => metrics.timeToFirstToken, formatDuration),
    speed: computeMedian(allMetrics, (metrics) => metrics.tokensPerSecond, formatSpeed),
    hasHiddenReasoning: allMetrics.some(({ hiddenReasoningTokens }) => hiddenReasoningTokens !== undefined),
    tokens: answers.length === 0 ? '' : `${formatSum(allMetrics, ({ tokensIn }) => tokensIn)} / ${tokensOut}`,
    tokensOut,
    cost: computeCost(answers, getModelPrice),
    finish: formatFinishReasons(answers.map(({ run }) => run)),
    schemaFit: formatSchemaFit(answers, validateSchema),
  };
}

function computeMedian(
  allMetrics: readonly Metrics[],
  getMetric: (metrics: Metrics) => Metric,
  format: (value: number) => Measure,
): SummaryMeasure {
  const knownMetrics = allMetrics.flatMap((metrics) => {
    const metric = getMetric(metrics);
    return 'value' in metric ? [metric] : [];
  });
  const values = knownMetrics.map(({ value }) => value).toSorted((a, b) => a - b);
  const [low, high] = [values[Math.ceil(values.length / 2) - 1], values[Math.floor(values.length / 2)]];
  if (low === undefined || high === undefined) return undefined;
  const measure = format((low + high) / 2);
  const isEstimated = knownMetrics.some(({ kind }) => kind === 'estimated');
  return isEstimated ? { ...measure, number: `~${measure.number}` } : measure;
}

/** "~1,128" where one of them is an estimate, "?" where none is known. */
function formatSum(allMetrics: readonly Metrics[], getMetric: (metrics: Metrics) => Metric): string {
  const knownMetrics = allMetrics.flatMap((metrics) => {
    const metric = getMetric(metrics);
    return 'value' in metric ? [metric] : [];
  });
  if (knownMetrics.length === 0) return '?';
  const sum = formatCount(knownMetrics.reduce((total, { value }) => total + value, 0));
  return knownMetrics.some(({ kind }) => kind === 'estimated') ? `~${sum}` : sum;
}

function formatFinishReasons(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) {
    const label = getFinishLabel(run);
    if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].map(([label, count]) => `${label} ${count}`).join(', ');
}

function formatSchemaFit(
  answers: readonly { turn: Turn; run: Run }[],
  validateSchema: SchemaValidator | undefined,
): string | undefined {
  const schemaAnswers = answers.flatMap(({ turn, run }) => {
    const schema = getRequestedFormat(run.setup.params)?.schema;
    return schema === undefined ? [] : [{ text: getAnswerText(getCandidate(run, turn.shownChoice)), schema }];
  });
  if (schemaAnswers.length === 0 || !validateSchema) return undefined;
  const validAnswers = schemaAnswers.filter(({ text, schema }) => {
    const reply = parseJsonReply(text, false, true);
    const parsed = reply && parseExactJson(reply.text);
    return parsed?.ok === true && validateSchema(parsed.value, schema);
  });
  return `${validAnswers.length} of ${schemaAnswers.length}`;
}

function summarizeTurn(
  data: SessionData,
  promptId: PromptId,
  number: number,
  turnVotes: readonly (TurnVote & { promptId: PromptId })[],
): TurnSummary {
  const turnVote = turnVotes.find((item) => item.promptId === promptId);
  const winner = turnVote?.options.find(({ turnId }) => turnId === turnVote.vote?.winner);
  const prompt = data.prompts[promptId];
  const joinedText = prompt?.messages.map(({ content }) => getContentText(content)).join(' ') ?? '';
  const promptText = joinedText.replaceAll(/\s+/g, ' ').trim();
  const resultCount = prompt?.results?.length ?? 0;
  return {
    promptId,
    number,
    promptText:
      promptText === '' && resultCount > 0
        ? pluralize(resultCount, 'tool result')
        : shortenPrompt(promptText),
    winner: turnVote?.vote?.winner === 'equal' ? 'Equal' : winner?.letter,
    canVote: turnVote !== undefined && turnVote.disabledReason === undefined,
    turnVote,
  };
}

const maxPromptChars = 160;

function shortenPrompt(text: string): string {
  const chars = Array.from(text.slice(0, 2 * maxPromptChars));
  return chars.length > maxPromptChars ? `${chars.slice(0, maxPromptChars - 1).join('')}…` : text;
}

function buildSummaryNotes(
  { lanes, turns, comparedCount }: Pick<SessionSummary, 'lanes' | 'turns' | 'comparedCount'>,
  turnVotes: readonly TurnVote[],
  hasSchemaCheck: boolean,
): string[] {
  const openTurns = turns.filter(({ winner, canVote }) => canVote && winner === undefined);
  const votes = turnVotes.flatMap(({ vote }) => vote ?? []);
  const blindCount = votes.filter(({ blind: isBlind }) => isBlind).length;
  const answerCounts = lanes.map((lane) => lane.answerCount);
  const maxAnswers = Math.max(0, ...answerCounts);
  return [
    ...(openTurns.length === 0 || comparedCount === 0 ? [] : [describeOpenTurns(openTurns, comparedCount)]),
    ...(votes.length === 0
      ? []
      : [
          `One person voted, ${blindCount === 0 ? 'with names shown' : blindCount === votes.length ? 'with names hidden' : `${blindCount} of ${votes.length} times with names hidden`}.`,
        ]),
    ...(maxAnswers < 2
      ? []
      : [
          `Medians of ${answerCounts.every((count) => count === maxAnswers) ? '' : 'up to '}${maxAnswers} answers per lane.`,
        ]),
    ...(hasSchemaCheck && lanes.every(({ schemaFit }) => schemaFit === undefined)
      ? ['No answer was checked against a schema.']
      : []),
    ...(lanes.some(({ hasHiddenReasoning }) => hasHiddenReasoning) ? [hiddenReasoningNote] : []),
    ...buildCostNotes(lanes.flatMap(({ cost }) => cost ?? [])),
  ];
}

/** List prices are not a bill: what is cached may cost less, and other things may cost something, too. */
function buildCostNotes(costs: readonly Cost[]): string[] {
  if (costs.length === 0) return [];
  const lowerBoundNotes = costs.some(({ isLowerBound }) => isLowerBound)
    ? [' ≥ means that some prices are unknown.']
    : [];
  const sources = new Set(costs.map(({ source }) => source));
  const listedText = 'at the current list prices of the gateway, without discounts and fees';
  const reportedText = 'as reported by the provider';
  const source = sources.has('mixed') || sources.size > 1 ? 'mixed' : costs[0]?.source;
  const sourceText =
    source === 'mixed'
      ? `${reportedText}, otherwise ${listedText}`
      : source === 'reported'
        ? reportedText
        : listedText;
  return [`Cost ${sourceText}.${lowerBoundNotes.join('')}`];
}

const hiddenReasoningNote = 'TTFT includes reasoning that was not streamed. Speed excludes it.';

function describeOpenTurns(openTurns: readonly TurnSummary[], comparedCount: number): string {
  if (openTurns.length === comparedCount && comparedCount > 1) return 'No turn has a vote yet.';
  if (openTurns.length === 1) return `Turn ${openTurns[0]?.number ?? 1} has no vote yet.`;
  return `${pluralize(openTurns.length, 'turn')} have no vote yet.`;
}
