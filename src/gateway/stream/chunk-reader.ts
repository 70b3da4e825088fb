import { isRecord, getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import { findBlockReason } from '../errors/block-reason.ts';
import { isBlankValue } from '../errors/error-value.ts';
import { mergeSources, findSources, type Source } from '../media/sources.ts';
import {
  knownToolCallFields,
  knownChoiceFields,
  knownDeltaFields,
  findUnknownFields,
  findUnreadTexts,
} from '../models/known-fields.ts';
import { createOpaqueCollector, type OpaqueCollector } from '../opaque-fields.ts';
import type { OpaqueFields, Usage } from '../wire.ts';
import {
  listBlocks,
  readContent,
  toRawText,
  readImageParts,
  readMediaPart,
  readSoundPart,
  reasoningFieldNames,
  readReasoning,
  stringifyJson,
  type DeltaContent,
} from './delta-text.ts';
import { findUsage, parseUsage } from './parse-usage.ts';
import { createToolCallIndexer, type IndexedFragment, type ToolCallFragment } from './tool-call-indexer.ts';

/** Events from chunks and whole completions: the StreamEvents that come from the model. */
export type ChunkEvent =
  | { type: 'identity'; id?: string; model?: string; created?: number }
  | { type: 'text-delta'; choice: number; text: string }
  | { type: 'thinking-delta'; choice: number; text: string }
  | { type: 'refusal-delta'; choice: number; text: string }
  /**
   * `slot` identifies the call within this choice; late or missing IDs and reused indexes are already resolved. `id`
   * comes once; `name` (never repeated) and `arguments` are pieces to append. With `isReplacing`, they replace earlier
   * arguments that were a placeholder.
   */
  | {
      type: 'tool-call-delta';
      choice: number;
      slot: number;
      id?: string;
      name?: string;
      arguments?: string;
      isReplacing?: true;
    }
  /** All opaque fields of a candidate, replacing earlier ones. Sent at the end of the candidate. */
  | {
      type: 'opaque-fields';
      choice: number;
      fields: OpaqueFields;
      calls: { slot: number; fields: OpaqueFields }[];
    }
  /** `url` is a data URL, a web URL or a reference to a stored image. The same image may come again. */
  | { type: 'image'; choice: number; url: string }
  /** `data` is the next piece of base64, cut anywhere. The transcript comes as text. */
  | { type: 'sound-delta'; choice: number; data: string; format?: string }
  /** New sources only; without a choice they belong to all candidates. */
  | { type: 'sources'; choice?: number; sources: Source[] }
  | { type: 'choice-end'; choice: number; reason: string }
  | { type: 'usage'; usage: Usage }
  /** The provider rejected the prompt before any answer, for this reason. */
  | { type: 'blocked'; reason: string }
  /** `raw` is content that is shown nowhere else. */
  | { type: 'note'; note: 'skipped-value'; detail: string; raw: string }
  | { type: 'note'; note: 'changed-identity'; detail: string };

/** Indexes must be small whole numbers. */
const maxChoices = 128;
/** Metadata besides ID, model and created. */
const extraIdentityFields = ['system_fingerprint', 'provider', 'service_tier'] as const;
const legacyCallIndex = -1;

interface ChoiceState {
  hasText: boolean;
  /** Text so far. */
  text: string;
  assignSlot: (fragment: ToolCallFragment) => IndexedFragment | undefined;
  collector: OpaqueCollector;
  /** Collectors of the candidate's calls, by slot. */
  callCollectors: Map<number, OpaqueCollector>;
  /** True if opaque fields arrived that no event has reported yet. */
  hasNewOpaqueFields: boolean;
  callIndexes: SeenIndexes;
  hasSound: boolean;
  sources: SeenSources;
}

/** Position of a piece of the answer in the JSON from which it was parsed. */
interface ChunkLocation {
  /** Undefined if the JSON was cut off: an incomplete opaque field is useless. */
  text: string | undefined;
  path: readonly (string | number)[];
}

function getInnerLocation({ text, path }: ChunkLocation, ...keys: (string | number)[]): ChunkLocation {
  return { text, path: [...path, ...keys] };
}

interface SeenSources {
  list: readonly Source[];
  /** Items without a URL, each noted once. */
  unread: Set<string>;
}

const createSeenSources = (): SeenSources => ({ list: [], unread: new Set() });

/** Indexes sent so far. */
interface SeenIndexes {
  hasZero: boolean;
  hasOthers: boolean;
}

/** Returns true if other indexes were sent but never 0, which Go programs omit. */
function trackOmittedZero(seen: SeenIndexes, list: readonly unknown[]): boolean {
  for (const item of list) {
    const index = parseIndex(getOwnProperty(item, 'index'), -1) ?? -1;
    if (index === 0) seen.hasZero = true;
    if (index > 0) seen.hasOthers = true;
  }
  return seen.hasOthers && !seen.hasZero;
}

interface ChunkReader {
  /**
   * Returns the events of a chunk (§2.5) or a whole completion (§2.4). `isFailed` means that it contains an error, so a
   * finish reason `error` is not reported separately. `text` is the JSON it was parsed from, unless that was cut off.
   */
  read: (chunk: Record<string, unknown>, isFailed: boolean, text?: string) => ChunkEvent[];
  /** Returns events for opaque fields not reported yet, at the end of the answer. */
  flushOpaqueFields: () => ChunkEvent[];
  /** Adds text of a candidate that was read in another way. */
  addText: (choice: number, text: string) => void;
}

/** The only parser of model output: unknown fields are ignored, malformed ones are noted, and nothing throws. */
export function createChunkReader(): ChunkReader {
  const choices = new Map<number, ChoiceState>();
  const sharedSources = createSeenSources();
  const choiceIndexes: SeenIndexes = { hasZero: false, hasOthers: false };
  let id: string | undefined;
  let model: string | undefined;
  let created: string | undefined;
  /** Other response metadata, by field name. */
  const identityValues = new Map<string, string>();
  const notedFields = new Set<string>();

  /** Noted once per field, since some gateways change it with every chunk. */
  function noteChange(
    field: string,
    previous: string | undefined,
    current: string | undefined,
    events: ChunkEvent[],
  ) {
    if (previous === undefined || previous === current || notedFields.has(field)) return;
    notedFields.add(field);
    events.push({ type: 'note', note: 'changed-identity', detail: `${field} ${previous}, then ${current}` });
  }

  function readIdentity(chunk: Record<string, unknown>, events: ChunkEvent[]) {
    const newId = toRawText(getOwnProperty(chunk, 'id')) || id;
    const newModel = toRawText(getOwnProperty(chunk, 'model')) || model;
    const newCreated = toRawText(getOwnProperty(chunk, 'created')) || created;
    for (const field of extraIdentityFields) {
      const currentValue = toRawText(getOwnProperty(chunk, field));
      if (currentValue === '') continue;
      noteChange(field, identityValues.get(field), currentValue, events);
      identityValues.set(field, currentValue);
    }
    if (newId === id && newModel === model && newCreated === created) return;
    noteChange('id', id, newId, events);
    noteChange('model', model, newModel, events);
    noteChange('created', created, newCreated, events);
    const event: ChunkEvent = { type: 'identity' };
    if (newId !== undefined && newId !== id) event.id = newId;
    if (newModel !== undefined && newModel !== model) event.model = newModel;
    const time = getNumberProperty(chunk, 'created');
    if (time !== undefined && newCreated !== created) event.created = time;
    id = newId;
    model = newModel;
    created = newCreated;
    if (Object.keys(event).length > 1) events.push(event);
  }

  function getChoiceState(choice: number): ChoiceState {
    let state = choices.get(choice);
    if (!state) {
      state = {
        hasText: false,
        text: '',
        assignSlot: createToolCallIndexer(),
        collector: createOpaqueCollector(),
        callCollectors: new Map(),
        hasNewOpaqueFields: false,
        callIndexes: { hasZero: false, hasOthers: false },
        hasSound: false,
        sources: createSeenSources(),
      };
      choices.set(choice, state);
    }
    return state;
  }

  /** `seenChoices` are the candidates already seen in this chunk. */
  function readChoice(
    item: unknown,
    position: number,
    events: ChunkEvent[],
    isFailed: boolean,
    seenChoices: Set<number>,
    chunkLocation: ChunkLocation,
    missingIndex: number,
  ) {
    if (!isRecord(item)) return void events.push(createSkippedNote('choice that is not an object', item));
    const parsedIndex = parseIndex(getOwnProperty(item, 'index'), missingIndex);
    if (parsedIndex === undefined) return void events.push(createSkippedNote('choice index', item));
    // A chunk may contain two pieces of one candidate, but not two whole messages.
    const isWholeMessage = isRecord(getOwnProperty(item, 'message'));
    const choice = isWholeMessage && seenChoices.has(parsedIndex) ? position : parsedIndex;
    seenChoices.add(choice);
    const state = getChoiceState(choice);
    const startIndex = events.length;
    readChoiceContent(item, choice, state, events, chunkLocation);
    state.hasText ||= hasNonMediaEvents(events, startIndex);
    for (const event of events.slice(startIndex)) if (event.type === 'text-delta') state.text += event.text;
    // §2.5: null until the final chunk; some gateways send "" instead.
    const reason = getOwnProperty(item, 'finish_reason');
    if (isBlankValue(reason) || (isFailed && /^error$/i.test(toRawText(reason)))) return;
    events.push({ type: 'choice-end', choice, reason: toRawText(reason) });
    if (state.hasNewOpaqueFields) events.push(createOpaqueFieldsEvent(choice, state));
  }

  return {
    addText(choice, text) {
      getChoiceState(choice).text += text;
    },
    flushOpaqueFields: () =>
      [...choices].flatMap(([choice, state]) =>
        state.hasNewOpaqueFields ? [createOpaqueFieldsEvent(choice, state)] : [],
      ),
    read(chunk, isFailed, text) {
      const events: ChunkEvent[] = [];
      readIdentity(chunk, events);
      const rawChoices = getOwnProperty(chunk, 'choices');
      const list = listChoices(rawChoices);
      const seenChoices = new Set<number>();
      const hasOmittedZero = trackOmittedZero(choiceIndexes, list);
      const usageValue = getOwnProperty(chunk, 'usage');
      if (
        !isBlankValue(usageValue) &&
        !parseUsage(usageValue) &&
        (typeof usageValue !== 'object' || findUnreadTexts(usageValue, '').length > 0)
      )
        events.push(createSkippedNote('usage', usageValue));
      for (let position = 0; position < list.length && position < maxChoices; position++) {
        const chunkLocation = {
          text,
          path: ['choices', ...findChoiceKey(rawChoices, list[position], position)],
        };
        readChoice(
          list[position],
          position,
          events,
          isFailed,
          seenChoices,
          chunkLocation,
          hasOmittedZero ? 0 : position,
        );
      }
      if (list.length > maxChoices)
        events.push(createSkippedNote('more than 128 choices', list.slice(maxChoices)));
      readSources(chunk, undefined, sharedSources, events, false);
      // §6.3: usage may come in a separate chunk without choices.
      const usage = findUsage(chunk);
      if (usage) events.push({ type: 'usage', usage });
      const reason = findBlockReason(chunk);
      if (reason !== undefined) events.push({ type: 'blocked', reason });
      return events;
    },
  };
}

const createSkippedNote = (detail: string, value: unknown): ChunkEvent => ({
  type: 'note',
  note: 'skipped-value',
  detail,
  raw: toRawText(value),
});

/** Returns the choices as a list; some gateways send a single choice or a table by index. */
function listChoices(choices: unknown): readonly unknown[] {
  if (Array.isArray(choices)) return choices;
  if (isBlankValue(choices)) return [];
  return isRecord(choices) &&
    Object.values(choices).every(isRecord) &&
    !Object.hasOwn(choices, 'delta') &&
    !Object.hasOwn(choices, 'message')
    ? Object.values(choices)
    : [choices];
}

/** Returns the path of an item from listChoices; empty if it is a single choice. */
function findChoiceKey(choices: unknown, item: unknown, position: number): (string | number)[] {
  if (Array.isArray(choices)) return [position];
  const key = isRecord(choices) && choices !== item ? Object.keys(choices)[position] : undefined;
  return key === undefined ? [] : [key];
}

function createOpaqueFieldsEvent(choice: number, state: ChoiceState): ChunkEvent {
  state.hasNewOpaqueFields = false;
  const calls = [...state.callCollectors].map(([slot, collector]) => ({
    slot,
    fields: collector.getFields(),
  }));
  return { type: 'opaque-fields', choice, fields: state.collector.getFields(), calls };
}

/** Some gateways write the number as text. */
function parseIndex(value: unknown, fallback: number): number | undefined {
  if (value === undefined || value === null) return fallback;
  const index = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < maxChoices
    ? index
    : undefined;
}

/**
 * Returns true if an event from this position on is not an image, audio or a source; these arrive separately from the
 * text.
 */
function hasNonMediaEvents(events: readonly ChunkEvent[], startIndex: number): boolean {
  return events
    .slice(startIndex)
    .some(({ type }) => type !== 'image' && type !== 'sound-delta' && type !== 'sources');
}

function addContentEvents(
  items: readonly DeltaContent[],
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
) {
  for (const item of items) {
    if (item.type === 'skipped') events.push(createSkippedNote(item.description, item.value));
    else if (item.type === 'sound') {
      state.hasSound = true;
      events.push({ type: 'sound-delta', choice, ...item.sound });
    } else if (item.type === 'image') events.push({ type: 'image', choice, url: item.url });
    else events.push({ type: `${item.type}-delta`, choice, text: item.text });
  }
}

/** Adds new sources. With `shouldNote`, unreadable items are kept raw. */
function readSources(
  value: Record<string, unknown>,
  choice: number | undefined,
  seen: SeenSources,
  events: ChunkEvent[],
  shouldNote = true,
) {
  const { sources, unread } = findSources(value);
  for (const { field, item } of shouldNote ? unread : []) {
    const raw = toRawText(item);
    if (!seen.unread.has(raw)) events.push(createSkippedNote(field, { [field]: item }));
    seen.unread.add(raw);
  }
  const mergedSources = mergeSources(seen.list, sources);
  if (mergedSources === seen.list) return;
  const previousSources = new Set(seen.list);
  seen.list = mergedSources;
  const addedSources = mergedSources.filter((source) => !previousSources.has(source));
  events.push({ type: 'sources', ...(choice === undefined ? {} : { choice }), sources: addedSources });
}

/** Reads the `delta` of an item or, if that is empty, its `message` or `text`. */
function readChoiceContent(
  item: Record<string, unknown>,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
  chunkLocation: ChunkLocation,
) {
  const delta = getOwnProperty(item, 'delta');
  const message = getOwnProperty(item, 'message');
  // Some gateways omit the wrapper.
  if (isBlankValue(delta) && isBlankValue(message))
    return readDelta(item, choice, state, events, chunkLocation);
  const startIndex = events.length;
  const pieces: readonly unknown[] = Array.isArray(delta) ? delta : [delta];
  for (const [index, piece] of pieces.entries()) {
    const deltaLocation = Array.isArray(delta)
      ? getInnerLocation(chunkLocation, 'delta', index)
      : getInnerLocation(chunkLocation, 'delta');
    if (isRecord(piece)) readDelta(piece, choice, state, events, deltaLocation);
    else addContentEvents(readContent(piece), choice, state, events);
  }
  const hasText = state.hasText || hasNonMediaEvents(events, startIndex);
  readMessage(message, choice, state, hasText, events, getInnerLocation(chunkLocation, 'message'));
  readSources(item, choice, state.sources, events);
  noteUnknownFields(item, knownChoiceFields, events);
}

/** A whole message is never added to streamed text; if it differs, it is kept raw. */
function readMessage(
  message: unknown,
  choice: number,
  state: ChoiceState,
  hasText: boolean,
  events: ChunkEvent[],
  chunkLocation: ChunkLocation,
) {
  if (!hasText) {
    if (isRecord(message)) readDelta(message, choice, state, events, chunkLocation, true);
    else addContentEvents(readContent(message), choice, state, events);
    return;
  }
  if (isRecord(message)) collectOpaqueFields(state.collector, message, state, chunkLocation, true);
  const contentItems = readContent(isRecord(message) ? getOwnProperty(message, 'content') : message);
  const text = contentItems.map((item) => (item.type === 'text' ? item.text : '')).join('');
  const hasOtherContent = contentItems.some(
    ({ type }) => type !== 'text' && type !== 'image' && type !== 'sound',
  );
  const media = isRecord(message) ? [...contentItems, ...readMediaFields(message)] : contentItems;
  addContentEvents(
    media.filter(({ type }) => type === 'image' || (type === 'sound' && !state.hasSound)),
    choice,
    state,
    events,
  );
  if (isRecord(message)) readSources(message, choice, state.sources, events);
  if (hasOtherContent || (text !== '' && text !== state.text))
    events.push(createSkippedNote('second complete message', message));
}

/** Reads images and audio from fields next to the content. */
function readMediaFields(delta: Record<string, unknown>): DeltaContent[] {
  return [
    ...['images', 'image'].flatMap((field) => readImageParts(getOwnProperty(delta, field), field)),
    ...readSoundPart(getOwnProperty(delta, 'audio')),
    ...listBlocks(delta).flatMap(readMediaPart),
  ];
}

/** Shows unknown fields raw, including those kept with the message for the model that wrote it. */
function noteUnknownFields(value: Record<string, unknown>, knownNames: RegExp, events: ChunkEvent[]) {
  for (const [name, field] of findUnknownFields(value, knownNames))
    if (!findUsage({ [name]: field })) events.push(createSkippedNote(name, { [name]: field }));
}

/** With `isWholeMessage`, each call in the list is a separate one. */
function readDelta(
  delta: Record<string, unknown>,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
  chunkLocation: ChunkLocation,
  isWholeMessage = false,
) {
  collectOpaqueFields(state.collector, delta, state, chunkLocation);
  const reasoning = readReasoning(delta);
  if (reasoning !== '') events.push({ type: 'thinking-delta', choice, text: reasoning });
  for (const name of reasoningFieldNames)
    if (findUnreadTexts(getOwnProperty(delta, name), reasoning).length > 0)
      events.push(createSkippedNote(name, { [name]: delta[name] }));
  const content = readContent(getOwnProperty(delta, 'content'));
  addContentEvents(content, choice, state, events);
  const contentText = content.map((item) => ('text' in item ? item.text : '')).join('');
  for (const block of listBlocks(delta))
    if (readMediaPart(block).length === 0 && findUnreadTexts(block, reasoning + contentText).length > 0)
      events.push(createSkippedNote('content_blocks', { content_blocks: [block] }));
  // Field of the older completions format.
  addContentEvents(readContent(getOwnProperty(delta, 'text')), choice, state, events);
  // Some gateways also send the transcript as content.
  const isInContent = (text: string) => content.some((item) => item.type === 'text' && item.text === text);
  addContentEvents(
    readMediaFields(delta).filter((item) => item.type !== 'text' || !isInContent(item.text)),
    choice,
    state,
    events,
  );
  readSources(delta, choice, state.sources, events);
  const role = getOwnProperty(delta, 'role');
  if (!isBlankValue(role) && !/^assistant$/i.test(toRawText(role)))
    events.push(createSkippedNote('role', { role }));
  const refusal = toRawText(getOwnProperty(delta, 'refusal'));
  if (refusal) events.push({ type: 'refusal-delta', choice, text: refusal });
  const calls = getOwnProperty(delta, 'tool_calls');
  const callsLocation = getInnerLocation(chunkLocation, 'tool_calls');
  const list: readonly unknown[] = Array.isArray(calls)
    ? calls
    : isCallTable(calls)
      ? Object.values(calls)
      : [calls];
  const hasOmittedZero = trackOmittedZero(state.callIndexes, list);
  list.forEach((call, position) => {
    const isUnidentified = !getOwnProperty(call, 'id') && !hasIndex(call);
    const isSeparateCall = isWholeMessage || (position > 0 && isUnidentified && !hasOmittedZero);
    readCall(call, choice, state, events, getInnerLocation(callsLocation, ...findCallKey(calls, position)), {
      ...(isSeparateCall ? { isSeparateCall } : {}),
      ...(hasOmittedZero ? { isZeroOmitted: hasOmittedZero } : {}),
    });
  });
  const legacyCall = getOwnProperty(delta, 'function_call');
  if (isRecord(legacyCall)) noteUnknownFields(legacyCall, knownToolCallFields, events);
  if (!isBlankValue(legacyCall))
    addFragmentEvent({ ...readCallFragment(legacyCall), index: legacyCallIndex }, choice, state, events);
  noteUnknownFields(delta, knownDeltaFields, events);
}

/** Returns true for calls keyed by number; the table may be empty. */
function isCallTable(calls: unknown): calls is Record<string, unknown> {
  if (!isRecord(calls)) return false;
  return Object.entries(calls).every(([key, call]) => /^\d{1,3}$/.test(key) && isRecord(call));
}

function findCallKey(calls: unknown, position: number): (string | number)[] {
  if (Array.isArray(calls)) return [position];
  const key = isCallTable(calls) ? Object.keys(calls)[position] : undefined;
  return key === undefined ? [] : [key];
}

function hasIndex(call: unknown): boolean {
  return (parseIndex(getOwnProperty(call, 'index'), -1) ?? -1) >= 0;
}

function readCall(
  call: unknown,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
  chunkLocation: ChunkLocation,
  context: Pick<ToolCallFragment, 'isSeparateCall' | 'isZeroOmitted'>,
) {
  if (!isRecord(call)) {
    const text = toRawText(call);
    if (text !== '') addFragmentEvent({ arguments: text, ...context }, choice, state, events);
    return;
  }
  const rawIndex = getOwnProperty(call, 'index');
  const index = parseIndex(rawIndex, -1);
  if (index === undefined) return void events.push(createSkippedNote('tool call index', call));
  const functionBody = getOwnProperty(call, 'function') ?? getOwnProperty(call, 'custom');
  noteUnknownFields(call, knownToolCallFields, events);
  if (isRecord(functionBody)) noteUnknownFields(functionBody, knownToolCallFields, events);
  const fragment = { ...readCallFragment(functionBody ?? call), ...context };
  const id = toRawText(getOwnProperty(call, 'id')) || toRawText(getOwnProperty(call, 'call_id'));
  if (index >= 0) fragment.index = index;
  if (id) fragment.id = id;
  const slot = addFragmentEvent(fragment, choice, state, events);
  if (slot === undefined) return;
  const collector = state.callCollectors.get(slot) ?? createOpaqueCollector();
  state.callCollectors.set(slot, collector);
  collectOpaqueFields(collector, call, state, chunkLocation);
}

function collectOpaqueFields(
  collector: OpaqueCollector,
  piece: Record<string, unknown>,
  state: ChoiceState,
  { text, path }: ChunkLocation,
  isRepeated?: boolean,
) {
  if (text !== undefined && collector.add(piece, text, path, isRepeated)) state.hasNewOpaqueFields = true;
}

function readCallFragment(source: unknown): ToolCallFragment {
  const fragment: ToolCallFragment = {};
  if (!isRecord(source)) return isBlankValue(source) ? fragment : { arguments: toRawText(source) };
  const name = toRawText(getOwnProperty(source, 'name'));
  const rawArguments = getOwnProperty(source, 'arguments') ?? getOwnProperty(source, 'input');
  if (name) fragment.name = name;
  // Some gateways send parsed arguments.
  if (typeof rawArguments === 'string') fragment.arguments = rawArguments;
  else if (rawArguments !== undefined && rawArguments !== null)
    fragment.arguments = stringifyJson(rawArguments);
  return fragment;
}

/** Assigns the fragment and returns the slot of its call; `undefined` beyond the limit. */
function addFragmentEvent(
  fragment: ToolCallFragment,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
): number | undefined {
  const indexedFragment = state.assignSlot(fragment);
  if (!indexedFragment) {
    events.push(createSkippedNote('more than 128 tool calls', fragment));
    return undefined;
  }
  const text = indexedFragment.isRepeated ? '' : (fragment.arguments ?? '');
  if (
    !indexedFragment.isNew &&
    indexedFragment.id === undefined &&
    indexedFragment.name === undefined &&
    text === ''
  )
    return indexedFragment.slot;
  const event: ChunkEvent = { type: 'tool-call-delta', choice, slot: indexedFragment.slot };
  if (indexedFragment.id !== undefined) event.id = indexedFragment.id;
  if (indexedFragment.name !== undefined) event.name = indexedFragment.name;
  if (text !== '') event.arguments = text;
  if (indexedFragment.isReplacing) event.isReplacing = true;
  events.push(event);
  return indexedFragment.slot;
}
