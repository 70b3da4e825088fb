/** Converts a tape to the event list of the inspector, with one row per received item. */
import { createTapeReader, type StreamEvent } from '../../gateway/stream/stream-events.ts';
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { shortenBase64 } from '../../lib/text/shorten-base64.ts';
import { getErrorTitle } from '../reply/ending.ts';
import type { Run } from '../session/types.ts';
import { buildTraceTicks, type Tick } from './trace.ts';

export const traceKinds = [
  'role',
  'reasoning',
  'content',
  'refusal',
  'tool call',
  'finish',
  'usage',
  'error',
  'comment',
  'end',
  'other',
] as const;

export type TraceKind = (typeof traceKinds)[number];

export interface TraceEvent {
  /** Number of the event, from 1, in order of arrival. */
  number: number;
  /** Index of the entry on the tape. */
  entryIndex: number;
  /** Time in monotonic ms since the POST, by the server's clock if the tape has it. */
  atMs: number;
  /** Delay between server and page in ms, relative to the fastest event of this answer. */
  delayMs?: number;
  /** Time in ms since the previous event; since the POST for the first. */
  gapMs: number;
  kind: TraceKind;
  /** Other kinds in the same event; for example, the last text may arrive with the finish reason. */
  extraKinds: readonly TraceKind[];
  /** Content on one line; answer and reasoning text is unchanged. */
  text: string;
}

export interface TraceList {
  /** Received events and their ticks; both are appended in place. */
  events: TraceEvent[];
  ticks: Tick[];
  /** End of the transport, once it has ended. */
  end?: Extract<TapeEntry, { end: unknown }>;
  push: (entries: readonly TapeEntry[]) => void;
}

/**
 * Reads a growing tape. Everything received except headers becomes an event; the end of the transport is kept
 * separately.
 */
export function createTraceList(): TraceList {
  const readEntry = createTapeReader();
  let entryIndex = 0;
  let lastMs = 0;
  let quickestMs = Number.POSITIVE_INFINITY;
  const list: TraceList = {
    events: [],
    ticks: [],
    push: (entries) => {
      for (const tapeEntry of entries) {
        const streamEvents = readEntry(tapeEntry);
        const atMs = getEntryTime(tapeEntry);
        const transitMs = tapeEntry.at - atMs;
        if (tapeEntry.serverAt !== undefined) quickestMs = Math.min(quickestMs, transitMs);
        const delayFields = tapeEntry.serverAt === undefined ? {} : { delayMs: transitMs - quickestMs };
        for (const tick of buildTraceTicks(streamEvents.map((event) => ({ atMs, event }))))
          list.ticks.push(tick);
        if ('end' in tapeEntry) list.end = tapeEntry;
        else if (!('request' in tapeEntry) && !('status' in tapeEntry)) {
          const { kinds, text } = describeEntry(tapeEntry, streamEvents);
          const [kind = 'other', ...extraKinds] = kinds;
          const number = list.events.length + 1;
          list.events.push({
            number,
            entryIndex,
            atMs,
            gapMs: atMs - lastMs,
            ...delayFields,
            kind,
            extraKinds,
            text,
          });
          lastMs = atMs;
        }
        entryIndex += 1;
      }
    },
  };
  return list;
}

export function buildTraceEvents(entries: readonly TapeEntry[]): TraceEvent[] {
  const list = createTraceList();
  list.push(entries);
  return list.events;
}

/** Returns the event with the error, if any. */
export function findErrorEvent(events: readonly TraceEvent[]): TraceEvent | undefined {
  return events.find(({ kind, extraKinds }) => kind === 'error' || extraKinds.includes('error'));
}

/** Returns the event to show first: of an answer that failed the error, or else its last event. */
export function findInitialEvent(
  events: readonly TraceEvent[],
  { phase }: Pick<Run, 'phase'>,
): TraceEvent | undefined {
  const hasFailed = phase.name === 'failed' || phase.name === 'truncated';
  return hasFailed ? (findErrorEvent(events) ?? events.at(-1)) : events[0];
}

/** Returns what was received with this entry, unchanged. */
export function getEntryText(entry: TapeEntry): string {
  if ('data' in entry) return entry.data;
  if ('body' in entry) return entry.body;
  if ('outside' in entry) return entry.outside;
  return 'comment' in entry ? entry.comment : '';
}

interface EntryDescription {
  kinds: TraceKind[];
  text: string;
}

const traceKindsByEvent: Partial<Record<StreamEvent['type'], TraceKind>> = {
  'thinking-delta': 'reasoning',
  'text-delta': 'content',
  'refusal-delta': 'refusal',
  'tool-call-delta': 'tool call',
  image: 'content',
  'sound-delta': 'content',
  'choice-end': 'finish',
  blocked: 'finish',
  usage: 'usage',
  error: 'error',
  'keep-alive': 'comment',
  done: 'end',
};

function describeEntry(entry: TapeEntry, streamEvents: readonly StreamEvent[]): EntryDescription {
  const kinds: TraceKind[] = [];
  let text = '';
  for (const event of streamEvents) {
    const kind = traceKindsByEvent[event.type];
    if (kind === undefined) continue;
    if (!kinds.includes(kind)) kinds.push(kind);
    const preview = formatPreview(event, 'body' in entry);
    if (preview !== '') text += isVerbatim(event) || text === '' ? preview : ` ${preview}`;
  }
  // The first event usually contains only the role; events without content are described by their other fields.
  return kinds.length > 0 ? { kinds, text } : describeOtherEntry(entry);
}

function isVerbatim(event: StreamEvent): boolean {
  return event.type === 'text-delta' || event.type === 'thinking-delta' || event.type === 'refusal-delta';
}

function formatPreview(event: StreamEvent, isWholeReply: boolean): string {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
    case 'refusal-delta':
      return event.text;
    case 'tool-call-delta':
      return `${event.name ?? ''}${event.name !== undefined && event.arguments !== undefined ? ' ' : ''}${event.arguments ?? ''}`;
    case 'image':
      return 'image';
    case 'sound-delta':
      return 'audio';
    case 'choice-end':
      return `finish_reason "${event.reason}"`;
    case 'blocked':
      return `blocked: ${event.reason}`;
    case 'usage': {
      const { promptTokens, completionTokens, totalTokens, costUsd } = event.usage;
      const counts = [
        ...(promptTokens === undefined ? [] : [`${promptTokens} in`]),
        ...(completionTokens === undefined ? [] : [`${completionTokens} out`]),
        ...(totalTokens === undefined ? [] : [`${totalTokens} total`]),
        ...(costUsd === undefined ? [] : [`cost ${costUsd} USD`]),
      ];
      return counts.join(', ');
    }
    case 'error':
      return event.report.message === '' ? getErrorTitle(event.report) : event.report.message;
    case 'keep-alive':
      return event.comment;
    case 'done':
      return isWholeReply ? '' : '[DONE]';
    default:
      return '';
  }
}

function describeOtherEntry(entry: TapeEntry): EntryDescription {
  if ('body' in entry)
    return { kinds: ['other'], text: shortenBase64(entry.body.slice(0, 1000)).slice(0, 200) };
  if ('outside' in entry) return { kinds: ['other'], text: entry.outside.slice(0, 200) };
  if (!('data' in entry)) return { kinds: ['other'], text: '' };
  const parsed = parseJson(entry.data);
  if (!parsed.ok) return { kinds: ['other'], text: shortenBase64(entry.data.slice(0, 1000)).slice(0, 200) };
  const choices = getOwnProperty(parsed.value, 'choices');
  const firstChoice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = getOwnProperty(firstChoice, 'delta') ?? getOwnProperty(firstChoice, 'message');
  const role = getStringProperty(delta, 'role');
  if (role !== undefined && role !== '') return { kinds: ['role'], text: role };
  const eventPrefix = entry.event === undefined ? '' : `event ${entry.event}, `;
  return { kinds: ['other'], text: eventPrefix + describeOtherData(parsed.value, choices, delta) };
}

function describeOtherData(value: unknown, choices: unknown, delta: unknown): string {
  if (!isRecord(value)) return 'not an object';
  if (!Array.isArray(choices))
    return `object with ${Object.keys(value).slice(0, 6).join(', ') || 'no fields'}`;
  if (choices.length === 0) return 'choices empty';
  const fields = isRecord(delta) ? Object.keys(delta) : [];
  return fields.length === 0 ? 'delta empty' : `delta with ${fields.slice(0, 6).join(', ')}`;
}
