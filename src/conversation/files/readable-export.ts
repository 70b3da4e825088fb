/** A session as it is read on paper: the shown path of every lane, with model, parameters and numbers per answer. */
import type { Source } from '../../gateway/media/sources.ts';
import type { ContentPart, Message } from '../../gateway/wire.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, formatSpeed, type Measure } from '../../lib/format.ts';
import { formatCost } from '../../lib/usd.ts';
import { endingOf } from '../reply/ending.ts';
import {
  describeFirstToken,
  describeSpeed,
  describeTokens,
  metricsOf,
  type Figure,
} from '../reply/metrics.ts';
import { finishWord, listRunSources } from '../reply/run.ts';
import { estimateSoundBytes } from '../reply/sound-file.ts';
import { candidateOf } from '../session/candidates.ts';
import { rowsOf } from '../session/prompt-rows.ts';
import { answerVersions, laneLetter, promptVersions, runOf, writtenOf } from '../session/turn-tree.ts';
import type { Choice, Run, SessionData, Turn } from '../session/types.ts';
import { fieldsOf } from '../setup/params.ts';

export interface ReadingRow {
  number: number;
  /** Which version of several is shown, as `2 of 3`. */
  version?: string;
  said: SaidMessage[];
  answers: ReadingAnswer[];
}

export interface SaidMessage {
  /** You, Assistant, System, Tool, or `Result of NAME`. */
  who: string;
  text: string;
  /** Addresses as they are in the message. */
  images: string[];
}

export interface ReadingAnswer {
  /** `Lane A`, or nothing where there is one lane. */
  lane: string;
  model: string;
  version?: string;
  /** Where it is another than for the answer above it in the lane. */
  system?: string;
  /** Each parameter that was sent, as `temperature 0.4`. */
  parameters: string[];
  reasoning: string;
  text: string;
  /** Addresses as they are in the answer. */
  images: string[];
  /** Size of the spoken answer, whose transcript is the text. */
  speechBytes?: number;
  sources: readonly Source[];
  calls: { name: string; arguments: string }[];
  /** How it ended, where that needs saying. */
  ending?: string;
  numbers: string[];
  /** The person's own mark and words. */
  remark?: string;
}

export interface Reading {
  title: string;
  /** As `2026-06-14`, in universal time; nothing where the clock was broken. */
  day: string;
  rows: ReadingRow[];
}

export function readingOf(data: SessionData): Reading {
  const systems = new Map<string, string>();
  const rows = rowsOf(data).map((row): ReadingRow => {
    const prompt = data.prompts[row.promptId];
    const turns = row.cells.flatMap(({ turnId }) => data.turns[turnId] ?? []);
    const first = turns[0];
    const versions = first ? promptVersions(data, first) : [];
    const version = versionWords(
      versions.findIndex(({ id }) => id === row.promptId),
      versions.length,
    );
    const results = (prompt?.results ?? []).map((result): SaidMessage => {
      return { who: `Result of ${result.call.name}`, text: result.content, images: [] };
    });
    return {
      number: row.number,
      ...(version === undefined ? {} : { version }),
      said: [...results, ...(prompt?.messages ?? []).map(saidMessage)],
      answers: turns.flatMap((turn) => answerOf(data, turn, systems) ?? []),
    };
  });
  return { title: data.session.title, day: dayOf(data.session.createdAt), rows };
}

function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

const roles = {
  user: 'You',
  assistant: 'Assistant',
  system: 'System',
  developer: 'Developer',
  tool: 'Tool',
};

function saidMessage(message: Message): SaidMessage {
  const name = message.name === undefined ? '' : ` (${message.name})`;
  const parts: ContentPart[] = Array.isArray(message.content) ? message.content : [];
  const text =
    typeof message.content === 'string'
      ? message.content
      : parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const images = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  return { who: roles[message.role] + name, text, images };
}

function answerOf(data: SessionData, turn: Turn, systems: Map<string, string>): ReadingAnswer | undefined {
  const index = data.session.laneIds.indexOf(turn.laneId);
  const lane = data.session.laneIds.length > 1 ? `Lane ${laneLetter(Math.max(0, index))}` : '';
  const versions = answerVersions(data, turn);
  const version = versionWords(
    versions.findIndex(({ id }) => id === turn.id),
    versions.length,
  );
  const common = { lane, ...(version === undefined ? {} : { version }), ...remarkOf(turn) };
  const written = writtenOf(turn);
  if (written) return writtenAnswer(written, common);
  const run = runOf(data, turn);
  if (!run) return undefined;
  const { system } = run.setup;
  const isNewSystem = (systems.get(turn.laneId) ?? '') !== system;
  systems.set(turn.laneId, system);
  const choice = candidateOf(run, turn.shownChoice);
  const ending = endingOf(run);
  return {
    ...common,
    model: run.setup.model,
    ...(isNewSystem ? { system } : {}),
    parameters: Object.entries(fieldsOf(run.setup.params)).map(
      ([name, value]) => `${name} ${shortJson(value)}`,
    ),
    reasoning: textOfParts(choice, 'thinking'),
    text: textOfParts(choice, 'text') || textOfParts(choice, 'refusal'),
    images: listImages(choice),
    ...(choice?.sound ? { speechBytes: estimateSoundBytes(choice.sound) } : {}),
    sources: listRunSources(run, choice),
    calls: (choice?.parts ?? []).flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
    ),
    ...(ending
      ? { ending: [`${ending.title}.`, ending.text, ending.report?.message].filter(Boolean).join(' ') }
      : {}),
    numbers: numbersOf(run),
  };
}

function writtenAnswer(written: Message, common: Pick<ReadingAnswer, 'lane'>): ReadingAnswer {
  const calls = written.role === 'assistant' ? (written.tool_calls ?? []) : [];
  return {
    ...common,
    model: 'Written by hand',
    parameters: [],
    reasoning: '',
    text: saidMessage(written).text,
    images: saidMessage(written).images,
    sources: [],
    calls: calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments })),
    numbers: [],
  };
}

const marks = { good: 'Marked good', bad: 'Marked bad', star: 'Starred' };

function remarkOf({ remark }: Turn): { remark?: string } {
  const words = [remark?.mark === undefined ? '' : marks[remark.mark], remark?.text ?? ''].filter(
    (part) => part !== '',
  );
  return words.length === 0 ? {} : { remark: words.join(': ') };
}

function versionWords(index: number, count: number): string | undefined {
  return count < 2 || index < 0 ? undefined : `${index + 1} of ${count}`;
}

function textOfParts(choice: Choice | undefined, type: 'text' | 'thinking' | 'refusal'): string {
  return (choice?.parts ?? []).reduce((all, part) => (part.type === type ? all + part.text : all), '');
}

function listImages(choice: Choice | undefined): string[] {
  return (choice?.parts ?? []).flatMap((part) => (part.type === 'image' ? [part.url] : []));
}

function shortJson(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = writeExactJson(value);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

/** As in the app: measured and reported plain, estimated with `~`, missing left out. */
function numbersOf(run: Run): string[] {
  const metrics = metricsOf(run);
  const requestId = run.returnedRequestId ?? run.requestId;
  const finish = finishWord(run);
  return [
    ...inWords(
      metrics.timeToFirstToken,
      (ms) => `${measure(formatDuration(ms))} to first token`,
      describeFirstToken(metrics),
    ),
    ...inWords(metrics.tokensPerSecond, (speed) => measure(formatSpeed(speed)), describeSpeed(metrics)),
    ...inWords(metrics.tokensIn, (count) => `${formatCount(count)} tokens in`),
    ...inWords(metrics.tokensOut, (count) => `${formatCount(count)} tokens out`, describeTokens(metrics)),
    ...inWords(metrics.duration, (ms) => `${measure(formatDuration(ms))} total`),
    ...(metrics.costUsd === undefined ? [] : [`cost ${formatCost(metrics.costUsd)}`]),
    ...(finish === undefined ? [] : [`finish ${finish}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
}

function inWords(figure: Figure, say: (value: number) => string, remark?: string): string[] {
  if (!('value' in figure)) return [];
  const words = `${figure.kind === 'estimated' ? '~' : ''}${say(figure.value)}`;
  return [remark === undefined ? words : `${words} (${remark})`];
}

function measure({ number, unit }: Measure): string {
  return `${number} ${unit}`;
}
