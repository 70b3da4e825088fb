/**
 * What a person has prepared in a session and not sent or saved yet. One stored record per session holds the fields
 * that are not empty, but for long pasted texts, which have a record beside it. Stored records are outside data: a
 * field that cannot be read stays there until it is replaced.
 */
import * as v from 'valibot';

import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { DraftToolResult, DraftToolResults } from '../request/pending-tool-results.ts';
import { isDeepEqual } from './request-diff.ts';
import type { LaneId, PromptId, SessionId } from './types.ts';

export interface Draft {
  /** What is in the composer. */
  text: string;
  /** Long texts that were pasted and wait beside its field. */
  pasted: readonly string[];
  images: readonly DraftImage[];
  /** Unsaved text of message editors, by the editor's name. */
  edits: Readonly<Record<string, EditDraft>>;
  view: DraftView;
  /** Unsent results of tool calls. All lanes that answered the same prompt share them. */
  results: Readonly<Record<PromptId, DraftToolResults>>;
  answering: AutoAnswer;
}

/** How calls of tools are answered without asking again. */
export interface AutoAnswer {
  /** By the name of the function. */
  remembered: Readonly<Record<string, DraftToolResult>>;
  /** What is answered so goes out by itself, for a few rounds. */
  isAutomatic: boolean;
}

/** An image that waits in a composer or an editor. */
export interface DraftImage {
  /** `bench-image:HASH`, a web address or a data URL: what the message will hold. */
  url: string;
  /** What the file was called; the host of a web address. */
  name: string;
  /** §2.3; absent: not sent. */
  detail?: string;
  /** Of the image as it will be sent; absent for an address elsewhere. */
  bytes?: number;
  width?: number;
  height?: number;
  /** The image as it was chosen, where this one is scaled down from it. */
  original?: { url: string; width: number; height: number };
}

/** The fields of a message editor. `images` is absent while they are still those of the message. */
export type EditDraft = Record<'text' | 'name' | 'toolCallId' | 'toolCalls', string> & {
  images?: readonly DraftImage[];
};

/** Where the message would go, under whose name, and whether it is a blind look. */
export interface DraftView {
  /** Lanes that the composer does not send to. */
  notTo: readonly LaneId[];
  /** A blind look: nothing on screen tells which model answers. */
  namesHidden: boolean;
  /** Sent as `name` of what is written. */
  author: string;
}

/** A record as it was found or is written; `sessionId` is its key. */
export type StoredDraft = { sessionId: SessionId } & { readonly [Field in keyof Draft]?: unknown };

/** What a new session has. */
export const defaultDraftView: DraftView = { notTo: [], namesHidden: false, author: '' };

export const emptyDraft: Draft = {
  text: '',
  pasted: [],
  images: [],
  edits: {},
  view: defaultDraftView,
  results: {},
  answering: { remembered: {}, isAutomatic: false },
};

/** Reads a stored draft. Whatever cannot be read is left empty; nothing throws. */
export function readDraft(raw: unknown): Draft {
  return {
    text: getStringProperty(raw, 'text') ?? '',
    pasted: toList(getOwnProperty(raw, 'pasted')).filter((text) => typeof text === 'string'),
    images: toList(getOwnProperty(raw, 'images')).filter(isDraftImage),
    edits: readEntries(getOwnProperty(raw, 'edits'), readEdit),
    view: readView(getOwnProperty(raw, 'view')),
    results: readEntries(getOwnProperty(raw, 'results'), (results) => readEntries(results, readResult)),
    answering: readAutoAnswer(getOwnProperty(raw, 'answering')),
  };
}

/** The key of the record for long pasted texts. Browsers copy a record as a whole, which would be felt with every key. */
export function getPasteKey(sessionId: SessionId): string {
  return `${sessionId} pasted`;
}

/** Both records of a draft as one. */
export function mergeDraftRecords(record: unknown, pastedRecord: unknown): Record<string, unknown> {
  const pasted = getOwnProperty(pastedRecord, 'pasted');
  return { ...(isRecord(record) ? record : {}), ...(pasted === undefined ? {} : { pasted }) };
}

type DraftWrite = { store: 'drafts'; put: StoredDraft } | { store: 'drafts'; remove: string };

/**
 * The writes that store the fields in which `after` differs from `before`, which was read from `raw` (mergeDraftRecords).
 * The other fields keep what `raw` holds, readable or not. `raw` of the answer is what is stored then.
 */
export function buildDraftWrites(
  sessionId: SessionId,
  raw: Readonly<Record<string, unknown>>,
  before: Draft,
  after: Draft,
): { raw: Record<string, unknown>; writes: DraftWrite[] } {
  const record: Record<string, unknown> = { ...raw };
  const changedFields = draftFields.filter((field) => !isDeepEqual(after[field], before[field]));
  for (const field of changedFields) {
    if (isDeepEqual(after[field], emptyDraft[field])) delete record[field];
    else record[field] = after[field];
  }
  const { sessionId: _, pasted, ...otherFields } = record;
  const writes: DraftWrite[] = [];
  if (changedFields.some((field) => field !== 'pasted')) writes.push(createWrite(sessionId, otherFields));
  if (changedFields.includes('pasted'))
    writes.push(createWrite(getPasteKey(sessionId), pasted === undefined ? {} : { pasted }));
  return { raw: record, writes };
}

function createWrite(key: string, filledFields: Record<string, unknown>): DraftWrite {
  if (Object.keys(filledFields).length === 0) return { store: 'drafts', remove: key };
  return { store: 'drafts', put: { ...filledFields, sessionId: key } };
}

/** What the composer shows when its stored text arrives after someone began to type: both. */
export function mergeTypedText(stored: string, typed: string): string {
  return stored === typed ? stored : [stored, typed].filter((text) => text !== '').join('\n');
}

/** The draft with new content for a message editor; undefined once that was saved or discarded. */
export function withEdit(draft: Draft, editorKey: string, edit: EditDraft | undefined): Draft {
  const { [editorKey]: _, ...otherEdits } = draft.edits;
  return { ...draft, edits: edit ? { ...otherEdits, [editorKey]: edit } : otherEdits };
}

/** The draft with a new result for one call (`getCallKey`) that answers this prompt. */
export function withResult(draft: Draft, promptId: PromptId, key: string, result: DraftToolResult): Draft {
  const promptResults = { ...draft.results[promptId], [key]: result };
  return { ...draft, results: { ...draft.results, [promptId]: promptResults } };
}

/** With or without a result that answers every further call of this function. */
export function withRememberedResult(draft: Draft, name: string, result: DraftToolResult | undefined): Draft {
  const { [name]: _, ...otherResults } = draft.answering.remembered;
  const remembered = result === undefined ? otherResults : { ...otherResults, [name]: result };
  return { ...draft, answering: { ...draft.answering, remembered } };
}

const draftFields = ['text', 'pasted', 'images', 'edits', 'view', 'results', 'answering'] as const;

/**
 * Merges drafts from before version 3 of the database, which had one record per part: `ID` with the composer's text,
 * and `ID images`, `ID edits` and so on with JSON in their field `text`. Text that cannot be parsed is kept unchanged.
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

/** In these records an editor's images were JSON inside JSON, or '' while they were still those of the message. */
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

function readEdit(value: unknown): EditDraft | undefined {
  const text = getStringProperty(value, 'text');
  if (text === undefined) return undefined;
  const images = getOwnProperty(value, 'images');
  return {
    text,
    name: getStringProperty(value, 'name') ?? '',
    toolCallId: getStringProperty(value, 'toolCallId') ?? '',
    toolCalls: getStringProperty(value, 'toolCalls') ?? '',
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
