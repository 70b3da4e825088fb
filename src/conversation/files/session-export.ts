/**
 * Exports stored sessions as one JSON file; each run also has its text, status and metrics as plain fields. Export,
 * import into an empty store and export again gives identical bytes: the order of records and fields is fixed, and no
 * export time is written. Tapes are exported separately.
 */
import * as v from 'valibot';

import { isRecord } from '../../lib/json.ts';
import { trimEndChars, trimStartChars } from '../../lib/text/trim.ts';
import { computeMetrics, type Metric } from '../reply/metrics.ts';
import { getFinishLabel, isLive, getAnswerText } from '../reply/run.ts';
import { findMediaHashes, findRunImageHashes } from '../request/message-images.ts';
import { getCandidate, listCandidateIndexes } from '../session/candidates.ts';
import type { ReadSessionResult } from '../session/read-session.ts';
import {
  laneSchema,
  promptSchema,
  runSchema,
  sessionSchema,
  toStoredTurn,
  storedTurnSchema,
} from '../session/session-schemas.ts';
import { compareSeq, getManualReply } from '../session/turn-tree.ts';
import type { Lane, Run, SessionData } from '../session/types.ts';
import { withoutImportMarks } from './imported-fields.ts';

export const exportFormat = 'bench-sessions';
/**
 * Format version. Version 2 adds providers' opaque fields to answers, version 3 the gateways of setups and answers,
 * version 4 the text files of messages, version 5 names of lanes, version 6 documents and sounds of messages, version 7
 * embedding sets.
 */
export const exportVersion = 7;

/** Note in every export that contains answers of the demo gateway. */
export const demoNote =
  'Models whose ID starts with demo/ are small programs built into Bench. They are not language models.';

/** Returns true if any answer came from the demo gateway. */
export function hasDemoAnswers(data: SessionData): boolean {
  return Object.values(data.runs).some((run) => run.setup.model.startsWith('demo/'));
}

/** Formats one session as an indented element of `sessions` in the file. */
export function formatSessionJson({ data, unreadable }: ReadSessionResult): string {
  const { importedFields: _, ...session } = data.session;
  const runs = sortRecords(data.runs, compareById);
  const isPartial = runs.some(isLive);
  const damagedRecords = unreadable.map(({ kind, id, reason, raw }) => ({
    kind,
    id,
    reason,
    raw: toJsonValue(raw),
  }));
  const entry = {
    ...normalizeRecord(sessionSchema, session),
    ...(isPartial ? { partial: true } : {}),
    ...(hasDemoAnswers(data) ? { note: demoNote } : {}),
    lanes: sortLanes(data).map((lane) => normalizeRecord(laneSchema, lane)),
    prompts: sortRecords(data.prompts, compareSeq).map((prompt) =>
      normalizeRecord(promptSchema, { ...prompt, messages: withoutImportMarks(prompt.messages) }),
    ),
    turns: sortRecords(data.turns, compareSeq).map((turn) =>
      normalizeRecord(storedTurnSchema, toStoredTurn(turn)),
    ),
    runs: runs.map(({ isImported: _mark, ...run }) => ({
      ...withHttpStatus(normalizeRecord(runSchema, run)),
      ...summarizeRun(run),
    })),
    ...(damagedRecords.length > 0 ? { unreadable: damagedRecords } : {}),
  };
  return JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ');
}

/**
 * Returns the file in pieces, to avoid one huge string. `images` maps hashes to data URLs; `trials` contains the file
 * lines of each trial; `sets` contains each embedding set as JSON.
 */
export function buildExportChunks(
  sessions: readonly string[],
  images: Readonly<Record<string, string>> = {},
  trials: readonly (readonly string[])[] = [],
  sets: readonly string[] = [],
): string[] {
  const head = `{\n  "format": "${exportFormat}",\n  "version": ${exportVersion},\n  "sessions": [`;
  const elements = sessions.map((session, index) => `${index === 0 ? '\n    ' : ',\n    '}${session}`);
  const hashes = Object.keys(images).toSorted();
  const imageEntries = hashes.map(
    (hash, index) =>
      `${index === 0 ? '\n    ' : ',\n    '}${JSON.stringify(hash)}: ${JSON.stringify(images[hash] ?? '')}`,
  );
  const tail = hashes.length === 0 ? '' : [',\n  "images": {', ...imageEntries, '\n  }'].join('');
  const trialLists = trials.map(
    (lines, index) => `${index === 0 ? '\n    ' : ',\n    '}[\n      ${lines.join(',\n      ')}\n    ]`,
  );
  const trialChunks = trialLists.length === 0 ? [] : [',\n  "trials": [', ...trialLists, '\n  ]'];
  const setChunk = sets.length === 0 ? '' : `,\n  "sets": [\n    ${sets.join(',\n    ')}\n  ]`;
  return [head, ...elements, sessions.length === 0 ? ']' : '\n  ]', ...trialChunks, setChunk, tail, '\n}\n'];
}

/**
 * Returns the record as its schema parses it, which equals the imported record. A record that does not match its schema
 * is written unchanged, so that nothing is lost.
 */
function normalizeRecord<T extends object>(schema: v.GenericSchema<unknown, T>, record: T): object {
  const plain = toJsonValue(record);
  const result = v.safeParse(schema, plain);
  if (result.success) return result.output;
  return isRecord(plain) ? plain : {};
}

/** Returns the value as it is after a JSON round trip, without undefined fields. */
function toJsonValue(value: unknown): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(value ?? null));
  return plain;
}

function sortLanes({ session, lanes }: SessionData): Lane[] {
  const sessionLanes = session.laneIds.flatMap((id) => lanes[id] ?? []);
  const otherLanes = sortRecords(lanes, compareById).filter((lane) => !session.laneIds.includes(lane.id));
  return [...sessionLanes, ...otherLanes];
}

function sortRecords<T>(
  records: Readonly<Record<string, T>>,
  compare: (a: NoInfer<T>, b: NoInfer<T>) => number,
): T[] {
  return Object.values(records).toSorted(compare);
}

function compareById(a: { id: string }, b: { id: string }): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Renames the HTTP status of a run, because `status` in the file describes how the run ended. */
function withHttpStatus(record: object): object {
  if (!isRecord(record)) return record;
  const { status, ...rest } = record;
  return status === undefined ? rest : { ...rest, httpStatus: status };
}

/** Converts an exported run back to its stored form. */
export function readExportedRun(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const { status: _, httpStatus, ...rest } = raw;
  return httpStatus === undefined ? rest : { ...rest, status: httpStatus };
}

/** Returns fields derived from the run, for programs that read the file without folding tapes. */
function summarizeRun(run: Run): object {
  const metrics = computeMetrics(run);
  const candidates = listCandidateIndexes(run);
  const exportedMetrics = {
    timeToFirstTokenMs: metrics.timeToFirstToken,
    tokensPerSecond: metrics.tokensPerSecond,
    tokensIn: metrics.tokensIn,
    tokensOut: metrics.tokensOut,
    durationMs: metrics.duration,
  };
  const estimated = Object.entries(exportedMetrics).flatMap(([name, metric]) =>
    metric.kind === 'estimated' ? [name] : [],
  );
  return {
    status: run.phase.name,
    ...(isLive(run) ? { partial: true } : {}),
    text: getAnswerText(getCandidate(run, 0)),
    ...(candidates.length > 1 ? { texts: candidates.map((index) => getAnswerText(run.choices[index])) } : {}),
    metrics: {
      ...Object.fromEntries(
        Object.entries(exportedMetrics).map(([name, metric]) => [name, getMetricValue(metric)]),
      ),
      ...(metrics.reasoningTokens === undefined ? {} : { reasoningTokens: metrics.reasoningTokens }),
      ...(metrics.hiddenReasoningTokens === undefined
        ? {}
        : { hiddenReasoningTokens: metrics.hiddenReasoningTokens }),
      ...(metrics.cachedTokens === undefined ? {} : { cachedTokens: metrics.cachedTokens }),
      ...(metrics.costUsd === undefined ? {} : { costUsd: metrics.costUsd }),
      finishReason: getFinishLabel(run) ?? null,
      requestId: run.returnedRequestId ?? run.requestId ?? null,
      ...(estimated.length > 0 ? { estimated } : {}),
    },
  };
}

function getMetricValue(metric: Metric): number | null {
  return 'value' in metric ? metric.value : null;
}

/** Returns the hashes of stored images in messages and answers of the session, without duplicates. */
export function listImageHashes(data: SessionData): string[] {
  const messageHashes = findMediaHashes([
    ...Object.values(data.prompts).flatMap((prompt) => prompt.messages),
    ...Object.values(data.turns).flatMap((turn) => getManualReply(turn) ?? []),
  ]);
  return [...new Set([...messageHashes, ...findRunImageHashes(Object.values(data.runs))])];
}

/**
 * Converts a title to a safe file name with letters and digits of any script. The prefix `bench-` avoids reserved
 * device names.
 */
export function toFileName(title: string, extension: string): string {
  const slug = trimStartChars(title.normalize('NFC').replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-'), '-');
  const shortSlug = trimEndChars(Array.from(slug).slice(0, 50).join(''), '-');
  return `bench-${shortSlug === '' ? 'session' : shortSlug}.${extension}`;
}

/** Counts the prompts and answers of a session, for the message after an export. */
export function countMessages(data: SessionData): { prompts: number; answers: number } {
  return { prompts: Object.keys(data.prompts).length, answers: Object.keys(data.runs).length };
}
