/** Prepares a session for reading: the shown path of every lane, with model, parameters and metrics per answer. */
import { isEqual, pickBy } from 'es-toolkit';

import type { Source } from '../../gateway/media/sources.ts';
import type { ContentPart, Message } from '../../gateway/wire.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, formatSpeed, type Measure } from '../../lib/format.ts';
import { getLaneHeadlines, type LaneHeadline } from '../comparison/lane-headline.ts';
import type { SummaryOptions } from '../comparison/summary.ts';
import { computeCost, formatCostWithSource, type GetModelPrice } from '../reply/cost.ts';
import { getEnding } from '../reply/ending.ts';
import {
  describeFirstToken,
  describeSpeed,
  describeTokens,
  computeMetrics,
  type Metric,
} from '../reply/metrics.ts';
import { getRunGatewayLabel } from '../reply/run-gateway.ts';
import { getFinishLabel, listRunSources } from '../reply/run.ts';
import { estimateSoundBytes } from '../reply/sound-file.ts';
import { getFileText } from '../request/file-blocks.ts';
import { getFileName, getWrittenText, isTextFile, listFiles } from '../request/message-files.ts';
import { getMediaSource } from '../request/message-images.ts';
import { getContentText } from '../request/request.ts';
import { getCandidate } from '../session/candidates.ts';
import { getLaneName } from '../session/lanes.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import {
  getAnswerVersions,
  getCopiedTurn,
  getLaneLetter,
  getPromptVersions,
  getRun,
  getManualReply,
} from '../session/turn-tree.ts';
import type { Choice, Run, SessionData, Turn } from '../session/types.ts';
import { canHaveVariables, fillMessage, fillVariables, findVariables } from '../session/variables.ts';
import { buildRequestFields, defaultParams } from '../setup/params.ts';

export interface ReadableTurn {
  number: number;
  /** Shown version among several, such as `2 of 3`. */
  version?: string;
  messages: ReadableMessage[];
  answers: ReadableAnswer[];
}

export interface ReadableMessage {
  /** Author of the message: You, Assistant, System, Tool, or `Result of NAME`. */
  author: string;
  text: string;
  /** Attached files: text files with their text, others with their source as in the message. */
  files: ({ name: string } & ({ text: string } | { source: string }))[];
  /** Image URLs as in the message. */
  images: string[];
}

export interface ReadableAnswer {
  /** Letter of the lane; empty if there is only one. */
  letter: string;
  /** Name of the lane, by what distinguishes it from the others. */
  headline: string;
  /** Name that the user gave to the lane. */
  name?: string;
  model: string;
  /** Run with the numbers of this answer; absent for copies, answers written by hand and hidden names. */
  run?: Run;
  version?: string;
  /** System prompt, if it differs from that of the previous answer in the lane. */
  system?: string;
  /** Sent parameters, such as `temperature 0.4`. */
  parameters: string[];
  reasoning: string;
  text: string;
  /** Image URLs as in the answer. */
  images: string[];
  /** Size of the spoken answer in bytes; `text` is its transcript. */
  speechBytes?: number;
  sources: readonly Source[];
  calls: { name: string; arguments: string }[];
  /** Description of an unusual ending. */
  ending?: string;
  metrics: string[];
  /** Mark and note of the user. */
  remark?: string;
}

export interface ReadableExport {
  title: string;
  /** Variables that were filled in, such as `customer = Ada`. */
  variables: string[];
  /** Day in UTC, such as `2026-06-14`; empty if the clock was invalid. */
  day: string;
  turns: ReadableTurn[];
}

/** Prices for the cost of answers, the gateways whose labels are written, and whether names are left out. */
type ReadableOptions = Pick<SummaryOptions, 'getModelPrice' | 'gateways' | 'namesHidden'>;

export function buildReadableExport(
  data: SessionData,
  { getModelPrice = () => undefined, gateways = [], namesHidden = false }: ReadableOptions = {},
): ReadableExport {
  const { variables = {} } = data.session;
  const options = {
    getModelPrice,
    gateways,
    // A single lane has nothing to compare, so its name is always shown.
    namesHidden: namesHidden && data.session.laneIds.length > 1,
  };
  const systemByLane = new Map<string, string>();
  const readableTurns = buildPromptRows(data).map((row): ReadableTurn => {
    const prompt = data.prompts[row.promptId];
    const turns = row.cells.flatMap(({ turnId }) => data.turns[turnId] ?? []);
    const headlines = getLaneHeadlines(
      turns.map((turn) => getRun(data, turn)?.setup),
      gateways,
      turns.map((turn) => getLaneName(data, turn.laneId)),
    );
    const first = turns[0];
    const versions = first ? getPromptVersions(data, first) : [];
    const version = formatVersion(
      versions.findIndex(({ id }) => id === row.promptId),
      versions.length,
    );
    const results = (prompt?.results ?? []).map((result): ReadableMessage => {
      return { author: `Result of ${result.call.name}`, text: result.content, files: [], images: [] };
    });
    return {
      number: row.number,
      ...(version === undefined ? {} : { version }),
      messages: [
        ...results,
        ...(prompt?.messages ?? []).map((message) => toReadableMessage(fillMessage(message, variables))),
      ],
      answers: turns.flatMap(
        (turn, index) => toReadableAnswer(data, turn, headlines[index], systemByLane, options) ?? [],
      ),
    };
  });
  return {
    title: data.session.title,
    variables: listFilledVariables(data, options.namesHidden),
    day: formatDay(data.session.createdAt),
    turns: readableTurns,
  };
}

function listFilledVariables({ session, prompts, lanes }: SessionData, namesHidden: boolean): string[] {
  const { variables = {} } = session;
  const messages = Object.values(prompts).flatMap((prompt) => prompt.messages.filter(canHaveVariables));
  const names = findVariables([
    ...(namesHidden ? [] : Object.values(lanes).map(({ setup }) => setup.system)),
    ...messages.map(({ content }) => getWrittenText(content)),
  ]);
  return names.flatMap((name) => (Object.hasOwn(variables, name) ? `${name} = ${variables[name]}` : []));
}

function formatDay(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

const roleLabels = {
  user: 'You',
  assistant: 'Assistant',
  system: 'System',
  developer: 'Developer',
  tool: 'Tool',
};

function toReadableMessage(message: Message): ReadableMessage {
  const name = message.name === undefined ? '' : ` (${message.name})`;
  const parts: ContentPart[] = Array.isArray(message.content) ? message.content : [];
  const text = getWrittenText(message.content);
  const files = listFiles(message.content).map((part) => ({
    name: getFileName(part),
    ...(isTextFile(part) ? { text: getFileText(part) } : { source: getMediaSource(part) }),
  }));
  const images = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  return { author: roleLabels[message.role] + name, text, files, images };
}

function toReadableAnswer(
  data: SessionData,
  turn: Turn,
  laneHeadline: LaneHeadline | undefined,
  systemByLane: Map<string, string>,
  { getModelPrice, gateways, namesHidden }: Required<ReadableOptions>,
): ReadableAnswer | undefined {
  const { laneIds } = data.session;
  const letter = laneIds.length > 1 ? getLaneLetter(Math.max(0, laneIds.indexOf(turn.laneId))) : '';
  const versions = getAnswerVersions(data, turn);
  const version = formatVersion(
    versions.findIndex(({ id }) => id === turn.id),
    versions.length,
  );
  const { headline = '', name } = laneHeadline ?? {};
  const commonFields = {
    letter,
    ...(namesHidden || name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...createRemarkField(turn),
  };
  const manualReply = getManualReply(turn);
  if (manualReply) return createManualAnswer(manualReply, commonFields);
  const run = getRun(data, turn);
  if (!run) return undefined;
  const system = fillVariables(run.setup.system, data.session.variables ?? {});
  const isNewSystem = (systemByLane.get(turn.laneId) ?? '') !== system;
  systemByLane.set(turn.laneId, system);
  const choice = getCandidate(run, turn.shownChoice);
  const ending = getEnding(run);
  const hiddenName = `Model ${letter}`;
  const originalTurn = getCopiedTurn(data, turn);
  return {
    ...commonFields,
    ...(namesHidden
      ? { headline: hiddenName, model: hiddenName, parameters: [], metrics: [] }
      : {
          headline,
          model: run.setup.model,
          ...(isNewSystem ? { system } : {}),
          parameters: listParameters(run),
          ...(originalTurn
            ? { metrics: [`copied from lane ${getLaneLetter(laneIds.indexOf(originalTurn.laneId))}`] }
            : {
                run,
                metrics: [
                  ...formatMetrics(run, getModelPrice),
                  `gateway ${getRunGatewayLabel(run, gateways)}`,
                ],
              }),
        }),
    reasoning: joinPartTexts(choice, 'thinking'),
    text: joinPartTexts(choice, 'text') || joinPartTexts(choice, 'refusal'),
    images: listImages(choice),
    ...(choice?.sound ? { speechBytes: estimateSoundBytes(choice.sound) } : {}),
    sources: listRunSources(run, choice),
    calls: (choice?.parts ?? []).flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
    ),
    ...(ending
      ? {
          // Messages of gateways often contain the name of the model.
          ending: [`${ending.title}.`, ...(namesHidden ? [] : [ending.text, ending.report?.message])]
            .filter(Boolean)
            .join(' '),
        }
      : {}),
  };
}

/** Lists the sent parameters, without those that every new lane sends. */
function listParameters({ setup: { params } }: Run): string[] {
  const chosenParams = pickBy(params, (setting, name) => !isEqual(setting, defaultParams[name]));
  return Object.entries(buildRequestFields(chosenParams)).map(
    ([name, value]) => `${name} ${formatShortJson(value)}`,
  );
}

function createManualAnswer(
  message: Message,
  commonFields: Pick<ReadableAnswer, 'letter' | 'name'>,
): ReadableAnswer {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const model = 'Written by hand';
  return {
    ...commonFields,
    headline: commonFields.name ?? model,
    model,
    parameters: [],
    reasoning: '',
    text: getContentText(message.content),
    images: toReadableMessage(message).images,
    sources: [],
    calls: calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments })),
    metrics: [],
  };
}

const markLabels = { good: 'Marked good', bad: 'Marked bad', star: 'Starred' };

function createRemarkField({ remark }: Turn): { remark?: string } {
  const remarkParts = [remark?.mark === undefined ? '' : markLabels[remark.mark], remark?.text ?? ''].filter(
    (part) => part !== '',
  );
  return remarkParts.length === 0 ? {} : { remark: remarkParts.join(': ') };
}

function formatVersion(index: number, count: number): string | undefined {
  return count < 2 || index < 0 ? undefined : `${index + 1} of ${count}`;
}

function joinPartTexts(choice: Choice | undefined, type: 'text' | 'thinking' | 'refusal'): string {
  return (choice?.parts ?? []).reduce((all, part) => (part.type === type ? all + part.text : all), '');
}

function listImages(choice: Choice | undefined): string[] {
  return (choice?.parts ?? []).flatMap((part) => (part.type === 'image' ? [part.url] : []));
}

function formatShortJson(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = writeExactJson(value);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

/** Formats metrics as in the app: estimates get a `~` and missing ones are omitted. */
function formatMetrics(run: Run, getModelPrice: GetModelPrice): string[] {
  const metrics = computeMetrics(run);
  const cost = computeCost([{ run, metrics }], getModelPrice);
  const requestId = run.returnedRequestId ?? run.requestId;
  const finishLabel = getFinishLabel(run);
  return [
    ...formatMetric(
      metrics.timeToFirstToken,
      (ms) => `${formatMeasure(formatDuration(ms))} to first token`,
      describeFirstToken(metrics),
    ),
    ...formatMetric(
      metrics.tokensPerSecond,
      (speed) => formatMeasure(formatSpeed(speed)),
      describeSpeed(metrics),
    ),
    ...formatMetric(metrics.tokensIn, (count) => `${formatCount(count)} tokens in`),
    ...formatMetric(
      metrics.tokensOut,
      (count) => `${formatCount(count)} tokens out`,
      describeTokens(metrics),
    ),
    ...formatMetric(metrics.duration, (ms) => `${formatMeasure(formatDuration(ms))} total`),
    ...(cost ? [formatCostWithSource(cost)] : []),
    ...(finishLabel === undefined ? [] : [`finish reason ${finishLabel}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
}

function formatMetric(metric: Metric, formatValue: (value: number) => string, detail?: string): string[] {
  if (!('value' in metric)) return [];
  const text = `${metric.kind === 'estimated' ? '~' : ''}${formatValue(metric.value)}`;
  return [detail === undefined ? text : `${text} (${detail})`];
}

function formatMeasure({ number, unit }: Measure): string {
  return `${number} ${unit}`;
}
