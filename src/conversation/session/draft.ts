/**
 * Draft of a session: content that is not sent or saved yet. One stored record per session contains the non-empty
 * fields; long pasted texts and files have a second record. Stored records are untrusted, and an unreadable field is kept until
 * it is replaced.
 */
import { isEqual } from 'es-toolkit';
import * as v from 'valibot';

import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { FilePart } from '../request/message-files.ts';
import type { DraftToolResult, DraftToolResults } from '../request/pending-tool-results.ts';
import { filePartSchema } from './session-schemas.ts';
import type { LaneId, PromptId, SessionId } from './types.ts';

export interface Draft {
  /** Text in the composer. */
  text: string;
  /** Long pasted texts, attached to the composer. */
  pasted: readonly string[];
  /** Text files, as parts of the message. */
  files: readonly FilePart[];
  images: readonly DraftImage[];
  /** Unsaved content of message editors, by editor key. */
  edits: Readonly<Record<string, EditDraft>>;
  view: DraftView;
  /** Unsent tool results by prompt, shared by all lanes that answered the prompt. */
  results: Readonly<Record<PromptId, DraftToolResults>>;
  answering: AutoAnswer;
}

/** Automatic results of tool calls. */
export interface AutoAnswer {
  /** Remembered results by function name, or by function name, space and canonical arguments. */
  remembered: Readonly<Record<string, DraftToolResult>>;
  /** True if remembered results are sent automatically, for a few rounds. */
  isAutomatic: boolean;
}

/** Image attached to a composer or an editor. */
export interface DraftImage {
  /** URL in the message: `bench-image:HASH`, a web URL or a data URL. */
  url: string;
  /** File name, or the host of a web URL. */
  name: string;
  /** Detail level (§2.3); not sent if absent. */
  detail?: string;
  /** Size in bytes and pixels of the image as sent; absent for web URLs. */
  bytes?: number;
  width?: number;
  height?: number;
  /** Original image, if this one is a scaled-down copy. */
  original?: { url: string; width: number; height: number };
}

/** Fields of a message editor. `files` and `images` are absent until they are edited. */
export type EditDraft = Record<'text' | 'name' | 'toolCallId' | 'toolCalls', string> & {
  files?: readonly FilePart[];
  images?: readonly DraftImage[];
};

/** View settings of the composer: target lanes, author name and blind mode. */
export interface DraftView {
  /** Lanes excluded from sending. */
  notTo: readonly LaneId[];
  /** Blind mode: nothing on screen reveals the models. */
  namesHidden: boolean;
  /** Value sent as `name` of written messages. */
  author: string;
}

/** Stored record, keyed by `sessionId`, with unvalidated fields. */
export type StoredDraft = { sessionId: SessionId } & { readonly [Field in keyof Draft]?: unknown };

/** View settings of a new session. */
export const defaultDraftView: DraftView = { notTo: [], namesHidden: false, author: '' };

export const emptyDraft: Draft = {
  text: '',
  pasted: [],
  files: [],
  images: [],
  edits: {},
  view: defaultDraftView,
  results: {},
  answering: { remembered: {}, isAutomatic: false },
};

/** Reads a stored draft without throwing; unreadable fields are empty. */
export function readDraft(raw: unknown): Draft {
  return {
    text: getStringProperty(raw, 'text') ?? '',
    pasted: toList(getOwnProperty(raw, 'pasted')).filter((text) => typeof text === 'string'),
    files: toList(getOwnProperty(raw, 'files')).filter(isDraftFile),
    images: toList(getOwnProperty(raw, 'images')).filter(isDraftImage),
    edits: readEntries(getOwnProperty(raw, 'edits'), readEdit),
    view: readView(getOwnProperty(raw, 'view')),
    results: readEntries(getOwnProperty(raw, 'results'), (results) => readEntries(results, readResult)),
    answering: readAutoAnswer(getOwnProperty(raw, 'answering')),
  };
}

/**
 * Returns the key of the record for long pasted texts and files. They are stored separately because browsers copy whole records,
 * which would slow down typing.
 */
export function getPasteKey(sessionId: SessionId): string {
  return `${sessionId} pasted`;
}

/** Merges both records of a draft. */
export function mergeDraftRecords(record: unknown, pastedRecord: unknown): Record<string, unknown> {
  return { ...(isRecord(record) ? record : {}), ...pickLongFields(pastedRecord) };
}

type DraftWrite = { store: 'drafts'; put: StoredDraft } | { store: 'drafts'; remove: string };

/**
 * Returns the writes for fields that differ between `before` (read from `raw`, see mergeDraftRecords) and `after`.
 * Other fields keep their raw value, readable or not. The returned `raw` is the new stored state.
 */
export function buildDraftWrites(
  sessionId: SessionId,
  raw: Readonly<Record<string, unknown>>,
  before: Draft,
  after: Draft,
): { raw: Record<string, unknown>; writes: DraftWrite[] } {
  const record: Record<string, unknown> = { ...raw };
  const changedFields = draftFields.filter((field) => !isEqual(after[field], before[field]));
  for (const field of changedFields) {
    if (isEqual(after[field], emptyDraft[field])) delete record[field];
    else record[field] = after[field];
  }
  const { sessionId: _, pasted: _pasted, files: _files, ...otherFields } = record;
  const writes: DraftWrite[] = [];
  if (changedFields.some((field) => !isLongField(field))) writes.push(createWrite(sessionId, otherFields));
  if (changedFields.some(isLongField))
    writes.push(createWrite(getPasteKey(sessionId), pickLongFields(record)));
  return { raw: record, writes };
}

/** Returns true for the fields of the second record. */
function isLongField(field: string): boolean {
  return field === 'pasted' || field === 'files';
}

function pickLongFields(record: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(isRecord(record) ? record : {}).filter(([field]) => isLongField(field)),
  );
}

function createWrite(key: string, filledFields: Record<string, unknown>): DraftWrite {
  if (Object.keys(filledFields).length === 0) return { store: 'drafts', remove: key };
  return { store: 'drafts', put: { ...filledFields, sessionId: key } };
}

/** Joins stored and typed text if the draft loads after typing has started. */
export function mergeTypedText(stored: string, typed: string): string {
  return stored === typed ? stored : [stored, typed].filter((text) => text !== '').join('\n');
}

/** Sets the content of a message editor, or removes it (`undefined`) after it is saved or discarded. */
export function withEdit(draft: Draft, editorKey: string, edit: EditDraft | undefined): Draft {
  const { [editorKey]: _, ...otherEdits } = draft.edits;
  return { ...draft, edits: edit ? { ...otherEdits, [editorKey]: edit } : otherEdits };
}

/** Sets the result for one call (`getCallKey`) after this prompt. */
export function withResult(draft: Draft, promptId: PromptId, key: string, result: DraftToolResult): Draft {
  const promptResults = { ...draft.results[promptId], [key]: result };
  return { ...draft, results: { ...draft.results, [promptId]: promptResults } };
}

/** Function name and canonical arguments of a call. */
interface RememberedCall {
  name: string;
  arguments: string;
}

/** Later calls that get a remembered result: all calls of the function, or those with equal arguments. */
export type RememberedScope = 'function' | 'arguments';

/** Sets or removes the result that is reused for later calls. It replaces a result of the other scope. */
export function withRememberedResult(
  draft: Draft,
  call: RememberedCall,
  remembered: { scope: RememberedScope; result: DraftToolResult } | undefined,
): Draft {
  const argumentsKey = getArgumentsKey(call);
  const { [call.name]: _, [argumentsKey]: __, ...others } = draft.answering.remembered;
  const key = remembered?.scope === 'arguments' ? argumentsKey : call.name;
  const next = remembered === undefined ? others : { ...others, [key]: remembered.result };
  return { ...draft, answering: { ...draft.answering, remembered: next } };
}

/** Finds the result to reuse for a call. A result for its arguments precedes one for all calls of the function. */
export function findRememberedResult(
  remembered: Draft['answering']['remembered'],
  call: RememberedCall,
): { scope: RememberedScope; result: DraftToolResult } | undefined {
  const findResult = (key: string) => (Object.hasOwn(remembered, key) ? remembered[key] : undefined);
  const exact = findResult(getArgumentsKey(call));
  if (exact) return { scope: 'arguments', result: exact };
  const general = findResult(call.name);
  return general && { scope: 'function', result: general };
}

function getArgumentsKey(call: RememberedCall): string {
  return `${call.name} ${call.arguments}`;
}

const draftFields = ['text', 'pasted', 'files', 'images', 'edits', 'view', 'results', 'answering'] as const;

/**
 * Merges drafts from before database version 3, which had one record per part: `ID` with the composer text, and `ID
 * images`, `ID edits` and so on with JSON in their field `text`. Text that cannot be parsed is kept unchanged.
 */
export function migrateDraftParts(parts: readonly unknown[]): StoredDraft[] {
  const drafts = new Map<SessionId, Record<string, unknown>>();
  for (const part of parts) {
    const key = getStringProperty(part, 'sessionId') ?? '';
    const field = draftFields.find((name) => key.endsWith(` ${name}`)) ?? 'text';
    const sessionId = field === 'text' || field === 'pasted' ? key : key.slice(0, -field.length - 1);
    const text = getOwnProperty(part, 'text');
    const parsed = field !== 'text' && typeof text === 'string' ? parseJson(text) : undefined;
    const value = parsed?.ok ? parsed.value : text;
    drafts.set(sessionId, {
      ...drafts.get(sessionId),
      [field]: field === 'edits' ? parseEditImages(value) : value,
    });
  }
  return [...drafts].map(([sessionId, draft]) => ({ ...draft, sessionId }));
}

/** Parses an editor's images in records from before version 3: nested JSON, or '' if they were not edited. */
function parseEditImages(edits: unknown): unknown {
  if (!isRecord(edits)) return edits;
  return readEntries(edits, (edit) => {
    if (!isRecord(edit) || typeof edit['images'] !== 'string') return edit;
    const { images, ...others } = edit;
    const parsed = parseJson(images);
    return parsed.ok ? { ...others, images: parsed.value } : others;
  });
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const sizeSchema = v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const imageSchema = v.object({
  url: v.string(),
  name: v.string(),
  detail: v.exactOptional(v.string()),
  bytes: sizeSchema,
  width: sizeSchema,
  height: sizeSchema,
  original: v.exactOptional(v.object({ url: v.string(), width: v.number(), height: v.number() })),
});

function isDraftImage(value: unknown): value is DraftImage {
  return v.is(imageSchema, value);
}

function isDraftFile(value: unknown): value is FilePart {
  return v.is(filePartSchema, value);
}

function readEdit(value: unknown): EditDraft | undefined {
  const text = getStringProperty(value, 'text');
  if (text === undefined) return undefined;
  const files = getOwnProperty(value, 'files');
  const images = getOwnProperty(value, 'images');
  return {
    text,
    name: getStringProperty(value, 'name') ?? '',
    toolCallId: getStringProperty(value, 'toolCallId') ?? '',
    toolCalls: getStringProperty(value, 'toolCalls') ?? '',
    ...(Array.isArray(files) ? { files: files.filter(isDraftFile) } : {}),
    ...(Array.isArray(images) ? { images: images.filter(isDraftImage) } : {}),
  };
}

function readView(value: unknown): DraftView {
  return {
    notTo: toList(getOwnProperty(value, 'notTo')).filter((id) => typeof id === 'string'),
    namesHidden: getOwnProperty(value, 'namesHidden') === true,
    author: getStringProperty(value, 'author') ?? '',
  };
}

function readAutoAnswer(value: unknown): AutoAnswer {
  return {
    remembered: readEntries(getOwnProperty(value, 'remembered'), readResult),
    isAutomatic: getOwnProperty(value, 'isAutomatic') === true,
  };
}

function readResult(value: unknown): DraftToolResult | undefined {
  const text = getStringProperty(value, 'text');
  if (text === undefined) return undefined;
  return getOwnProperty(value, 'isError') === true ? { text, isError: true } : { text };
}

function readEntries<T>(value: unknown, readEntry: (value: unknown) => T | undefined): Record<string, T> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([key, inner]): [string, T][] => {
      const entry = readEntry(inner);
      return entry === undefined ? [] : [[key, entry]];
    }),
  );
}
