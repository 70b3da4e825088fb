/**
 * Folds the entries of a tape into a run. The fold is pure and incremental: single events, batches and the whole tape
 * give the same run.
 */
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { mergeSources, type Source } from '../../gateway/media/sources.ts';
import { mergeUsage } from '../../gateway/stream/parse-usage.ts';
import type { NoteKind, StreamEvent } from '../../gateway/stream/stream-events.ts';
import type { TapeEnd } from '../../gateway/stream/tape.ts';
import { pluralize } from '../../lib/format.ts';
import { shortenBase64 } from '../../lib/text/shorten-base64.ts';
import type { Choice, Part, Run, RunId, RunPhase, SessionData, SessionId, Setup } from '../session/types.ts';
import { endThinkTag, splitMixedTags, splitThinkTags } from './think-tags.ts';

/** Event with its arrival time, in monotonic ms since the POST. */
export type TimedEvent = { atMs: number; event: StreamEvent };

export function createRun(id: RunId, sessionId: SessionId, setup: Setup): Run {
  return { id, sessionId, setup, phase: { name: 'queued' }, choices: [], deltas: 0, notes: [] };
}

export function isLive(run: Run): boolean {
  return run.phase.name === 'queued' || run.phase.name === 'waiting' || run.phase.name === 'streaming';
}

export function hasLiveRun({ runs }: Pick<SessionData, 'runs'>): boolean {
  return Object.values(runs).some(isLive);
}

/** Marks the request as sent; from here on times count from the POST. */
export function markRunSent(
  run: Run,
  sentFields: {
    sentAt: number;
    requestId: string;
    estimatedPromptTokens: number;
    imagesLeftOut?: number;
    filesLeftOut?: number;
    gatewayId?: string;
    gateway?: string;
    messageFields?: string[];
  },
): Run {
  return { ...run, ...sentFields, phase: { name: 'waiting' } };
}

/** Returns the run before its tape: the request without any part of the response. */
export function resetRun({ phase, ...run }: Run): Run {
  const emptyRun = createRun(run.id, run.sessionId, run.setup);
  if (phase.name !== 'queued') emptyRun.phase = { name: 'waiting' };
  if (run.sentAt !== undefined) emptyRun.sentAt = run.sentAt;
  if (run.requestId !== undefined) emptyRun.requestId = run.requestId;
  if (run.estimatedPromptTokens !== undefined) emptyRun.estimatedPromptTokens = run.estimatedPromptTokens;
  if (run.gatewayId !== undefined) emptyRun.gatewayId = run.gatewayId;
  if (run.gateway !== undefined) emptyRun.gateway = run.gateway;
  if (run.messageFields !== undefined) emptyRun.messageFields = run.messageFields;
  if (run.isImported) emptyRun.isImported = true;
  if (run.imagesLeftOut !== undefined) emptyRun.imagesLeftOut = run.imagesLeftOut;
  if (run.filesLeftOut !== undefined) emptyRun.filesLeftOut = run.filesLeftOut;
  return emptyRun;
}

/** Marks a queued run as stopped before it was sent. */
export function stopQueuedRun(run: Run): Run {
  return { ...run, phase: { name: 'stopped' } };
}

/** Marks the run as failed because of an error in the app, with a report if there is one. Received data is kept. */
export function failRun(run: Run, message: string, report?: ErrorReport): Run {
  if (!isLive(run)) return run;
  const failed = interruptRun(run);
  return {
    ...failed,
    phase: { name: 'failed', error: report ?? { source: 'app', kind: 'failed', message } },
  };
}

/** Marks a live run as interrupted because its page closed. Held text is appended, so that no received data is lost. */
export function interruptRun(run: Run): Run {
  if (!isLive(run)) return run;
  const draft = { ...run, choices: run.choices.map((choice) => ({ ...choice, parts: [...choice.parts] })) };
  for (const choice of draft.choices) flushHeldText(draft, new Set(), choice, run.lastEventMs ?? 0);
  draft.phase = { name: 'interrupted' };
  if (run.lastEventMs !== undefined) draft.endedMs = run.lastEventMs;
  return draft;
}

/** Applies events to the run. Unchanged choices and parts keep their identity. */
export function applyEvents(run: Run, events: readonly TimedEvent[]): Run {
  if (events.length === 0) return run;
  const draft: Run = { ...run, choices: [...run.choices], notes: [...run.notes] };
  const copies = new Set<object>();
  for (const { atMs, event } of events) applyEvent(draft, copies, event, atMs);
  return draft;
}

function applyEvent(draft: Run, copies: Set<object>, event: StreamEvent, atMs: number): void {
  switch (event.type) {
    case 'response-start':
      draft.status = event.status;
      if (event.timedBy !== undefined) draft.timedBy = event.timedBy;
      if (event.requestId !== undefined) draft.returnedRequestId = event.requestId;
      return;
    case 'identity':
      if (event.id) draft.responseId = event.id;
      if (event.model) draft.model = event.model;
      return;
    case 'text-delta': {
      if (event.text === '') return;
      recordDelta(draft, atMs);
      const choice = ensureChoiceCopy(draft, copies, event.choice);
      const isFirstTag = choice.tags === undefined;
      const pieces = splitThinkTags(choice, event.text);
      if (isFirstTag && choice.inThinkTag !== undefined && choice.parts.at(-1)?.type === 'thinking')
        choice.hasOwnReasoning = true;
      for (const piece of pieces) {
        if (piece.reclassifiesText) convertTextToReasoning(draft, copies, choice, atMs);
        appendText(draft, copies, choice, piece, atMs);
      }
      return;
    }
    case 'thinking-delta':
    case 'refusal-delta': {
      if (event.text === '') return;
      recordDelta(draft, atMs);
      const type = event.type === 'thinking-delta' ? 'thinking' : 'refusal';
      const choice = ensureChoiceCopy(draft, copies, event.choice);
      if (type === 'thinking' && choice.tags === 'opened') choice.hasOwnReasoning = true;
      appendText(draft, copies, choice, { type, text: event.text }, atMs);
      return;
    }
    case 'tool-call-delta':
      recordDelta(draft, atMs);
      appendToolCall(copies, ensureChoiceCopy(draft, copies, event.choice), event);
      return;
    case 'opaque-fields':
      setOpaqueFields(copies, ensureChoiceCopy(draft, copies, event.choice), event);
      return;
    case 'image': {
      recordDelta(draft, atMs);
      const { parts } = ensureChoiceCopy(draft, copies, event.choice);
      // Different URLs may become the same image once it is stored.
      if (!parts.some((part) => part.type === 'image' && part.url === event.url))
        parts.push({ type: 'image', url: event.url });
      return;
    }
    case 'sound-delta': {
      recordDelta(draft, atMs);
      const choice = ensureChoiceCopy(draft, copies, event.choice);
      choice.sound = { ...choice.sound, data: (choice.sound?.data ?? '') + event.data };
      if (event.format !== undefined) choice.sound.format = event.format;
      return;
    }
    case 'sources': {
      addSources(draft, copies, event);
      draft.lastEventMs = atMs;
      return;
    }
    case 'choice-end':
      ensureChoiceCopy(draft, copies, event.choice).finishReason = event.reason;
      return;
    case 'usage':
      draft.usage = mergeUsage(draft.usage, event.usage);
      return;
    case 'blocked':
      draft.blockReason ??= event.reason;
      return;
    case 'error':
      draft.phase = { name: 'failed', error: event.report };
      // The answer ends here for the user; the connection may be closed later or never.
      draft.endedMs ??= atMs;
      return;
    case 'keep-alive':
      draft.lastEventMs = atMs;
      return;
    case 'done':
      draft.done = true;
      return;
    case 'note':
      addNote(draft, event.note, event.detail);
      if ('raw' in event && event.raw) addExtraData(draft, event.raw);
      return;
    case 'end':
      endRun(draft, copies, event, atMs);
  }
}

/** Adds each source once, to its candidate or, if shared by all candidates, to the run. */
function addSources(draft: Run, copies: Set<object>, event: Extract<StreamEvent, { type: 'sources' }>): void {
  if (event.choice !== undefined) {
    const isShared = ({ url }: Source) => draft.sources?.some((source) => source.url === url) ?? false;
    const sharedSources = event.sources.filter(isShared);
    if (sharedSources.length > 0) draft.sources = mergeSources(draft.sources, sharedSources);
    const ownSources = event.sources.filter((source) => !isShared(source));
    const choice = ensureChoiceCopy(draft, copies, event.choice);
    if (ownSources.length > 0) choice.sources = mergeSources(choice.sources, ownSources);
    return;
  }
  const urls = new Set(event.sources.map(({ url }) => url));
  const isInEvent = ({ url }: Source) => urls.has(url);
  const earlierSources = draft.choices.flatMap(({ sources = [] }) => sources.filter(isInEvent));
  draft.sources = mergeSources(mergeSources(draft.sources, event.sources), earlierSources);
  draft.choices.forEach(({ sources }, index) => {
    if (!sources?.some(isInEvent)) return;
    const choice = ensureChoiceCopy(draft, copies, index);
    const ownSources = sources.filter((source) => !isInEvent(source));
    if (ownSources.length > 0) choice.sources = ownSources;
    else delete choice.sources;
  });
}

function recordDelta(draft: Run, atMs: number): void {
  draft.deltas += 1;
  draft.firstTokenMs ??= atMs;
  draft.lastEventMs = atMs;
  if (draft.phase.name === 'waiting' || draft.phase.name === 'queued') draft.phase = { name: 'streaming' };
}

function ensureChoiceCopy(draft: Run, copies: Set<object>, index: number): Choice {
  while (draft.choices.length <= index) draft.choices.push({ parts: [] });
  const choice = draft.choices[index] ?? { parts: [] };
  if (copies.has(choice)) return choice;
  const copy: Choice = { ...choice, parts: [...choice.parts] };
  copies.add(copy);
  draft.choices[index] = copy;
  return copy;
}

function appendText(
  draft: Run,
  copies: Set<object>,
  choice: Choice,
  piece: { type: 'text' | 'thinking' | 'refusal'; text: string },
  atMs: number,
): void {
  if (piece.text === '') return;
  if (piece.type === 'text') draft.firstTextMs ??= atMs;
  const last = choice.parts.at(-1);
  if (last?.type !== piece.type) {
    const part: Part =
      piece.type === 'thinking'
        ? { type: 'thinking', text: piece.text, startedMs: atMs, endedMs: atMs, deltas: 1 }
        : { type: piece.type, text: piece.text };
    copies.add(part);
    choice.parts.push(part);
    return;
  }
  const part = ensurePartCopy(copies, choice, choice.parts.length - 1, last);
  part.text += piece.text;
  if (part.type === 'thinking') {
    part.endedMs = atMs;
    part.deltas += 1;
  }
}

/** Converts text to reasoning after a closing tag without an opening one. */
function convertTextToReasoning(draft: Run, copies: Set<object>, choice: Choice, atMs: number): void {
  const startedMs = draft.firstTextMs ?? atMs;
  choice.parts = choice.parts.map((part): Part => {
    if (part.type !== 'text') return part;
    const thinking: Part = {
      type: 'thinking',
      text: part.text,
      startedMs,
      endedMs: atMs,
      deltas: draft.deltas,
    };
    copies.add(thinking);
    return thinking;
  });
  if (!draft.choices.some(({ parts }) => parts.some(({ type }) => type === 'text'))) delete draft.firstTextMs;
}

function ensurePartCopy<P extends Part>(copies: Set<object>, choice: Choice, index: number, part: P): P {
  if (copies.has(part)) return part;
  const copy = { ...part };
  copies.add(copy);
  choice.parts[index] = copy;
  return copy;
}

function appendToolCall(
  copies: Set<object>,
  choice: Choice,
  event: Extract<StreamEvent, { type: 'tool-call-delta' }>,
): void {
  const index = choice.parts.findIndex((part) => part.type === 'tool-call' && part.slot === event.slot);
  const existingPart = choice.parts[index];
  if (existingPart?.type !== 'tool-call') {
    const part: Part = {
      type: 'tool-call',
      slot: event.slot,
      ...(event.id === undefined ? {} : { id: event.id }),
      name: event.name ?? '',
      arguments: event.arguments ?? '',
    };
    copies.add(part);
    choice.parts.push(part);
    return;
  }
  const part = ensurePartCopy(copies, choice, index, existingPart);
  if (event.id !== undefined) part.id = event.id;
  part.name += event.name ?? '';
  part.arguments = (event.isReplacing ? '' : part.arguments) + (event.arguments ?? '');
}

function setOpaqueFields(
  copies: Set<object>,
  choice: Choice,
  { fields, calls }: Extract<StreamEvent, { type: 'opaque-fields' }>,
): void {
  if (Object.keys(fields).length > 0) choice.opaque = fields;
  for (const call of calls) {
    const index = choice.parts.findIndex((part) => part.type === 'tool-call' && part.slot === call.slot);
    const part = choice.parts[index];
    if (part?.type === 'tool-call' && Object.keys(call.fields).length > 0)
      ensurePartCopy(copies, choice, index, part).opaque = call.fields;
  }
}

function addNote(draft: Run, kind: NoteKind, detail: string | undefined): void {
  const index = draft.notes.findIndex((note) => note.kind === kind);
  const existingNote = draft.notes[index];
  if (existingNote)
    draft.notes[index] = {
      ...existingNote,
      count: existingNote.count + 1,
      ...mergeDetail(existingNote.detail, detail),
    };
  else draft.notes.push(detail === undefined ? { kind, count: 1 } : { kind, count: 1, detail });
}

const maxDetailChars = 200;

/** Joins details that differ, up to the maximum length. */
function mergeDetail(existing: string | undefined, added: string | undefined): { detail?: string } {
  if (existing === undefined || added === undefined || existing.length + added.length > maxDetailChars)
    return {};
  return existing.split('; ').includes(added) ? {} : { detail: `${existing}; ${added}` };
}

const maxExtraChars = 64 * 1024;

function addExtraData(draft: Run, data: string): void {
  const { leftOver } = draft;
  const raw = shortenBase64(data);
  const remainingChars = maxExtraChars - (leftOver?.length ?? 0);
  if (remainingChars > 0)
    draft.leftOver = `${leftOver === undefined ? '' : `${leftOver}\n`}${raw.slice(0, remainingChars)}`;
}

function flushHeldText(draft: Run, copies: Set<object>, choice: Choice, atMs: number): void {
  const isTagOpen = choice.inThinkTag !== undefined && choice.hasOwnReasoning === undefined;
  delete choice.hasOwnReasoning;
  const piece = endThinkTag(choice);
  if (piece) appendText(draft, copies, choice, piece, atMs);
  const last = choice.parts.at(-1);
  if (!isTagOpen || last?.type !== 'thinking') return;
  const split = splitMixedTags(last.text);
  if (!split) return;
  ensurePartCopy(copies, choice, choice.parts.length - 1, last).text = split.thinking;
  appendText(draft, copies, choice, { type: 'text', text: split.text }, atMs);
}

function endRun(
  draft: Run,
  copies: Set<object>,
  event: Extract<StreamEvent, { type: 'end' }>,
  atMs: number,
): void {
  draft.endedMs ??= atMs;
  draft.choices.forEach((choice, index) => {
    if (choice.held === undefined && choice.inThinkTag === undefined) return;
    flushHeldText(draft, copies, ensureChoiceCopy(draft, copies, index), atMs);
  });
  if (draft.phase.name === 'failed') return;
  const isFinished = hasFinished(draft, event.end);
  if (isFinished && event.end === 'lost') addNote(draft, 'lost-after-end', event.report?.message);
  draft.phase = isFinished ? { name: 'complete' } : getUnfinishedPhase(draft, event.end, event.report);
}

/** Returns true after a finish reason or [DONE]; a clean end of the transport alone proves nothing. */
function hasFinished(run: Run, end: TapeEnd): boolean {
  // Text between the events may have overwritten some of them.
  if (hasOutsideText(run)) return false;
  if (run.done || run.blockReason !== undefined) return true;
  // A gateway may skip an index or return fewer candidates than requested, and a lost connection may have lost some.
  const startedChoices = run.choices.filter(
    ({ parts, sound, finishReason }) => parts.length > 0 || sound !== undefined || finishReason !== undefined,
  );
  const hasAllCandidates = end === 'closed' || startedChoices.length >= countRequestedCandidates(run);
  return (
    hasAllCandidates &&
    startedChoices.length > 0 &&
    startedChoices.every(({ finishReason }) => finishReason !== undefined)
  );
}

/** Returns true if the stream contained text outside its events. */
export function hasOutsideText(run: Run): boolean {
  return run.notes.some(({ kind }) => kind === 'outside-text');
}

function getUnfinishedPhase(run: Run, end: TapeEnd, error?: ErrorReport): RunPhase {
  if (end === 'aborted') return { name: 'stopped' };
  const name = run.status === undefined ? 'failed' : 'truncated';
  return error === undefined ? { name } : { name, error };
}

/** Returns the requested number of candidates. */
export function countRequestedCandidates(run: Run): number {
  const { n } = run.setup.params;
  return n?.sent === true ? Number(n.text) : 1;
}

/** Returns the text of one candidate exactly as received, without reasoning. */
export function getAnswerText(choice: Choice | undefined): string {
  return (choice?.parts ?? []).reduce((text, part) => (part.type === 'text' ? text + part.text : text), '');
}

/** Returns true if the candidate has an image or audio, which makes it an answer even without text. */
export function hasMedia(choice: Choice): boolean {
  return choice.sound !== undefined || choice.parts.some(({ type }) => type === 'image');
}

/** Lists the sources of a candidate: first the run's shared sources, whose numbers the text may cite, then its own. */
export function listRunSources(run: Run, choice: Choice | undefined): readonly Source[] {
  return [...(run.sources ?? []), ...(choice?.sources ?? [])];
}

/** Returns a description such as "2 images, speech", or an empty string without media. */
export function describeMedia(choice: Choice | undefined): string {
  const imageCount = (choice?.parts ?? []).filter(({ type }) => type === 'image').length;
  return [
    ...(imageCount > 0 ? [pluralize(imageCount, 'image')] : []),
    ...(choice?.sound ? ['speech'] : []),
  ].join(', ');
}

/** Returns the provider's reason for blocking the prompt. A filter result next to an answer does not count. */
export function findPromptBlock({ blockReason, choices }: Run): string | undefined {
  return choices.every(({ parts }) => parts.length === 0) ? blockReason : undefined;
}

/** Returns the displayed finish reason: the provider's value or the local ending, `undefined` while the run is live. */
export function getFinishLabel(run: Run): string | undefined {
  const reason = run.choices.findLast((choice) => choice.finishReason !== undefined)?.finishReason;
  switch (run.phase.name) {
    case 'complete':
      return reason ?? findPromptBlock(run) ?? 'none reported';
    case 'stopped':
    case 'interrupted':
      return run.phase.name;
    case 'truncated':
      return 'cut off';
    case 'failed':
      return 'error';
    default:
      return undefined;
  }
}
