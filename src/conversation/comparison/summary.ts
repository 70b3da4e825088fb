/**
 * Summarises a session per lane: votes, marks, medians, tokens and finish reasons. Lanes keep their order, because
 * counts are not a verdict.
 */
import { parseExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, formatSpeed, pluralize, type Measure } from '../../lib/format.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import {
  addCosts,
  computeCost,
  describeCost,
  formatTotalCost,
  type Cost,
  type GetModelPrice,
} from '../reply/cost.ts';
import { getRequestedFormat, parseJsonReply } from '../reply/json-reply-text.ts';
import { computeMetrics, type Metric, type Metrics } from '../reply/metrics.ts';
import { getRunGatewayLabel, type GatewayName } from '../reply/run-gateway.ts';
import { getFinishLabel, isLive, getAnswerText } from '../reply/run.ts';
import { getTextOrFileNames } from '../request/message-files.ts';
import { getCandidate } from '../session/candidates.ts';
import { getLaneName } from '../session/lanes.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import { getCopiedTurn, getLaneLetter, getLanePath, getRun } from '../session/turn-tree.ts';
import type { LaneId, PromptId, Run, SessionData, Setup, Turn } from '../session/types.ts';
import { fillMessage } from '../session/variables.ts';
import { getLaneHeadlines, type LaneHeadline } from './lane-headline.ts';
import { listTurnVotes, countWins, type TurnVote } from './turn-vote.ts';

/** Checks a value against a schema. Passed in by the caller because the validator is large. */
export type SchemaValidator = (value: Json, schema: JsonObject) => boolean;

export interface SummaryOptions {
  validateSchema?: SchemaValidator;
  getModelPrice?: GetModelPrice;
  /** Gateways of the server, whose labels are shown. */
  gateways?: readonly GatewayName[];
  namesHidden?: boolean;
}

/** Number with a unit, prefixed with `~` if part of it is estimated; `undefined` if unknown. */
export type SummaryMeasure = Measure | undefined;

export interface LaneSummary extends LaneHeadline {
  laneId: LaneId;
  letter: string;
  /** Displayed model name; "Model A" while names are hidden. */
  model: string;
  /** Names of the gateways that answered; empty without answers. */
  gateway: string;
  /** One entry per compared turn; true if this lane won. */
  winsByTurn: boolean[];
  goodCount: number;
  badCount: number;
  answerCount: number;
  timeToFirstToken: SummaryMeasure;
  speed: SummaryMeasure;
  /** True if some answers have hidden (not streamed) reasoning, which is excluded from their speed. */
  hasHiddenReasoning: boolean;
  /** Tokens in and out, such as "1,128 / 214". */
  tokens: string;
  tokensOut: string;
  /** Cost of the answers; `undefined` if there are none. */
  cost: Cost | undefined;
  /** Finish reasons with counts, such as "stop 2, length 1". */
  finish: string;
  /** Answers that match the schema, such as "2 of 3"; `undefined` if no schema was sent. */
  schemaFit: string | undefined;
}

export interface TurnSummary {
  promptId: PromptId;
  number: number;
  promptText: string;
  /** Letter of the better lane, or "Equal"; `undefined` without a vote. */
  winner: string | undefined;
  /** True if this turn can be voted on. */
  canVote: boolean;
  turnVote: TurnVote | undefined;
}

export interface SessionSummary {
  title: string;
  /** Size of the session, such as "3 turns in 3 lanes". */
  extent: string;
  lanes: LaneSummary[];
  /** Number of turns with at least two answers. */
  comparedCount: number;
  equalCount: number;
  turns: TurnSummary[];
  /** Notes that explain the numbers. */
  notes: string[];
  namesHidden: boolean;
}

/** Formatted cells of a table; unknown values are "". */
export interface SummaryTableData {
  header: string[];
  rows: string[][];
}

export function summarizeSession(data: SessionData, options: SummaryOptions = {}): SessionSummary {
  const { namesHidden = false, validateSchema, gateways = [] } = options;
  const turnVotes = listTurnVotes(data);
  const { comparedCount, equalCount } = countWins(turnVotes);
  const lanePaths = data.session.laneIds.map((laneId) => {
    const lane = data.lanes[laneId];
    return { laneId, lane, turns: lane ? getLanePath(data, lane) : [] };
  });
  const setups = lanePaths.map(({ lane, turns }) => getLastSetup(data, turns) ?? lane?.setup);
  const headlines = getLaneHeadlines(
    setups,
    gateways,
    lanePaths.map(({ laneId }) => getLaneName(data, laneId)),
  );
  // The gateway is not a chip here, because the table has a column for it.
  const chips = getLaneHeadlines(setups).map((headline) => headline.chips);
  const lanes = lanePaths.map(({ laneId, turns }, index): LaneSummary => {
    const letter = getLaneLetter(index);
    const namedHeadline = headlines[index] ?? { headline: '', subtitle: '', chips: [] };
    const hiddenHeadline = { headline: `Model ${letter}`, subtitle: '', chips: [] };
    return {
      ...(namesHidden ? hiddenHeadline : { ...namedHeadline, chips: chips[index] ?? [] }),
      laneId,
      letter,
      model: namesHidden ? `Model ${letter}` : formatModels(data, turns, setups[index]),
      gateway: formatGateways(data, turns, gateways),
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
    // The notes name gateways and costs.
    notes: namesHidden
      ? []
      : buildSummaryNotes({ lanes, turns, comparedCount }, turnVotes, validateSchema !== undefined),
    namesHidden,
  };
}

/** Returns true if a run of the session requested output that matches a schema. */
export function hasSchema(data: SessionData): boolean {
  return Object.values(data.runs).some(({ setup }) => getRequestedFormat(setup.params)?.schema !== undefined);
}

/** Builds the lane table as plain text, shared by the page, exported files and the clipboard. */
export function buildLaneTable({
  lanes,
  comparedCount,
  equalCount,
  namesHidden,
}: SessionSummary): SummaryTableData {
  const hasFits = lanes.some(({ schemaFit }) => schemaFit !== undefined);
  const hasGateway = hasSeveralGateways(lanes);
  const hasCost = hasKnownCost(lanes);
  const hasMarks = hasMarkedAnswers(lanes);
  const hideIfBlind = (text: string) => (namesHidden ? 'hidden' : text);
  const rows = lanes.map((lane) => [
    `${lane.letter}: ${[...(lane.name === undefined ? [] : [lane.name]), lane.model, ...lane.chips].join(', ')}`,
    ...(hasGateway ? [hideIfBlind(lane.gateway)] : []),
    hideIfBlind(`${countLaneWins(lane)} of ${comparedCount}`),
    ...(hasMarks ? [`${lane.goodCount} / ${lane.badCount}`] : []),
    hideIfBlind(formatMeasure(lane.timeToFirstToken)),
    hideIfBlind(formatMeasure(lane.speed)),
    hideIfBlind(lane.tokens),
    ...(hasCost ? [hideIfBlind(lane.cost ? formatTotalCost(lane.cost) : '')] : []),
    hideIfBlind(lane.finish),
    ...(hasFits ? [lane.schemaFit ?? ''] : []),
  ]);
  const header = [
    'Lane',
    ...(hasGateway ? ['Gateway'] : []),
    'Better in',
    ...(hasMarks ? ['Good / bad'] : []),
    'TTFT, median',
    'Speed, median',
    'Tokens in / out',
    ...(hasCost ? ['Cost'] : []),
    'Finish',
    ...(hasFits ? ['Fits schema'] : []),
  ];
  const equalRow = header.map((_, index) =>
    index === 0 ? 'Equal' : index === header.indexOf('Better in') ? `${equalCount} of ${comparedCount}` : '',
  );
  return { header, rows: lanes.length > 1 ? [...rows, equalRow] : rows };
}

/** Builds the turn table as plain text. */
export function buildTurnTable({ turns }: SessionSummary): SummaryTableData {
  const formatWinner = (turn: TurnSummary) => turn.winner ?? (turn.canVote ? 'no vote' : '');
  return {
    header: ['Turn', 'Prompt', 'Better'],
    rows: turns.map((turn) => [String(turn.number), turn.promptText, formatWinner(turn)]),
  };
}

/** Returns true if the lanes have answers of different gateways. */
export function hasSeveralGateways(lanes: readonly LaneSummary[]): boolean {
  return new Set(lanes.map(({ gateway }) => gateway).filter((label) => label !== '')).size > 1;
}

/** Returns true if an answer is marked good or bad. */
export function hasMarkedAnswers(lanes: readonly LaneSummary[]): boolean {
  return lanes.some(({ goodCount, badCount }) => goodCount + badCount > 0);
}

/** Returns true if the cost of at least one answer is known. */
export function hasKnownCost(lanes: readonly LaneSummary[]): boolean {
  return lanes.some(({ cost }) => cost !== undefined && cost.source !== 'unknown');
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

/** Returns the model name, or several if the user changed the model during the session. */
function formatModels(data: SessionData, turns: readonly Turn[], setup: Setup | undefined): string {
  const models = new Set(turns.flatMap((turn) => getRun(data, turn)?.setup.model ?? []));
  return models.size === 0 ? (setup?.model ?? '') : [...models].join(', ');
}

function formatGateways(data: SessionData, turns: readonly Turn[], gateways: readonly GatewayName[]): string {
  const labels = turns.flatMap((turn) => {
    const run = getRun(data, turn);
    return run && !getCopiedTurn(data, turn) ? [getRunGatewayLabel(run, gateways)] : [];
  });
  return [...new Set(labels)].join(', ');
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
    return run && !isLive(run) && !getCopiedTurn(data, turn)
      ? [{ turn, run, metrics: computeMetrics(run) }]
      : [];
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

/** Returns "~1,128" if any value is estimated, "?" if none is known. */
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
  const { variables = {} } = data.session;
  const messages = prompt?.messages.map((message) => fillMessage(message, variables)) ?? [];
  const joinedText = messages.map(({ content }) => getTextOrFileNames(content)).join(' ');
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
    ...buildGatewayNotes(lanes),
    ...buildCostNotes(lanes),
  ];
}

/** Names the gateway if all answers came from the same one; otherwise the table has a column for it. */
function buildGatewayNotes(lanes: readonly LaneSummary[]): string[] {
  const label = lanes.find(({ gateway }) => gateway !== '')?.gateway;
  return label === undefined || hasSeveralGateways(lanes) ? [] : [`Gateway: ${label}.`];
}

/** Describes the origin of the costs, and what they omit. */
function buildCostNotes(lanes: readonly LaneSummary[]): string[] {
  const total = hasKnownCost(lanes) ? addCosts(lanes.flatMap(({ cost }) => cost ?? [])) : undefined;
  return total ? [describeCost(total)] : [];
}

const hiddenReasoningNote = 'TTFT includes reasoning that was not streamed. Speed excludes it.';

function describeOpenTurns(openTurns: readonly TurnSummary[], comparedCount: number): string {
  if (openTurns.length === comparedCount && comparedCount > 1) return 'No turn has a vote yet.';
  if (openTurns.length === 1) return `Turn ${openTurns[0]?.number ?? 1} has no vote yet.`;
  return `${pluralize(openTurns.length, 'turn')} have no vote yet.`;
}
