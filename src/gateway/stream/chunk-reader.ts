import { isRecord, numberProperty, ownProperty } from '../../lib/json.ts';
import { findBlockReason } from '../errors/block-reason.ts';
import { isEmpty } from '../errors/error-value.ts';
import { mergeSources, findSources, type Source } from '../media/sources.ts';
import { knownInCall, knownInChoice, knownInDelta, unknownFields, unsaidIn } from '../models/known-fields.ts';
import { createOpaqueCollector, type OpaqueCollector } from '../opaque-fields.ts';
import type { OpaqueFields, Usage } from '../wire.ts';
import {
  blocksIn,
  contentOf,
  rawText,
  readImageParts,
  readMediaPart,
  readSoundPart,
  thinkingFields,
  thinkingOf,
  writtenJson,
  type Said,
} from './delta-text.ts';
import { findUsage, usageOf } from './parse-usage.ts';
import { createToolSlots, type PlacedFragment, type ToolFragment } from './tool-call-indexer.ts';

/** What chunks and whole completions say: the part of StreamEvent that comes from the model. */
export type ChunkEvent =
  | { type: 'identity'; id?: string; model?: string; created?: number }
  | { type: 'text-delta'; choice: number; text: string }
  | { type: 'thinking-delta'; choice: number; text: string }
  | { type: 'refusal-delta'; choice: number; text: string }
  /**
   * `slot` says which call of this choice it belongs to: late or missing ids and reused indexes are already
   * resolved. `id` comes once; `name` (never repeated) and `arguments` are pieces to append. `isReplacing`: the
   * arguments so far were a placeholder, whose place these take.
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
  /** The opaque fields of a candidate so far, in place of those said before. Comes with the end of the candidate. */
  | {
      type: 'opaque-fields';
      choice: number;
      fields: OpaqueFields;
      calls: { slot: number; fields: OpaqueFields }[];
    }
  /** `url`: a data URL, a web address, or a reference to an image that is stored here. It may come again. */
  | { type: 'image'; choice: number; url: string }
  /** `data`: the next piece of base64, cut anywhere. What is spoken comes as text. */
  | { type: 'sound-delta'; choice: number; data: string; format?: string }
  /** News only. Without a choice they are those of all candidates. */
  | { type: 'sources'; choice?: number; sources: Source[] }
  | { type: 'choice-end'; choice: number; reason: string }
  | { type: 'usage'; usage: Usage }
  /** The provider refused the prompt before any answer, and gave this word for it. */
  | { type: 'blocked'; reason: string }
  /** `raw`: what is shown nowhere else. */
  | { type: 'note'; note: 'skipped-value'; detail: string; raw: string }
  | { type: 'note'; note: 'changed-identity'; detail: string };

/** An index is a small whole number or it is refused. */
const mostChoices = 128;
/** Beside id, model and created. */
const furtherFacts = ['system_fingerprint', 'provider', 'service_tier'] as const;
const legacyCallIndex = -1;

interface ChoiceState {
  hasSpoken: boolean;
  /** Its text so far. */
  text: string;
  place: (fragment: ToolFragment) => PlacedFragment | undefined;
  opaque: OpaqueCollector;
  /** Collectors of its calls, by slot. */
  callOpaque: Map<number, OpaqueCollector>;
  /** True if opaque fields arrived that no event has reported yet. */
  hasNewOpaque: boolean;
  callIndexes: SeenIndexes;
  hasSound: boolean;
  sources: SeenSources;
}

/** Position of a piece of the answer in the JSON that it was parsed from. */
interface Place {
  /** Undefined where the JSON was cut off: an opaque field that is not whole is of no use. */
  text: string | undefined;
  path: readonly (string | number)[];
}

function inner({ text, path }: Place, ...keys: (string | number)[]): Place {
  return { text, path: [...path, ...keys] };
}

interface SeenSources {
  list: readonly Source[];
  /** Items that name no address, each noted once. */
  unread: Set<string>;
}

const newSources = (): SeenSources => ({ list: [], unread: new Set() });

/** The indexes that were sent so far. */
interface SeenIndexes {
  hasZero: boolean;
  hasOthers: boolean;
}

/** True if other indexes were sent but never 0, which programs in Go leave out. */
function isZeroOmitted(seen: SeenIndexes, list: readonly unknown[]): boolean {
  for (const item of list) {
    const index = indexOf(ownProperty(item, 'index'), -1) ?? -1;
    if (index === 0) seen.hasZero = true;
    if (index > 0) seen.hasOthers = true;
  }
  return seen.hasOthers && !seen.hasZero;
}

interface ChunkReader {
  /**
   * What a chunk (§2.5) or a whole completion (§2.4) says. `isFailed`: it carries an error, so a finish
   * reason `error` is not an end of its own. `text` is the JSON that it was parsed from, unless that was
   * cut off.
   */
  read: (chunk: Record<string, unknown>, isFailed: boolean, text?: string) => ChunkEvent[];
  /** Returns events for opaque fields not reported yet, at the end of the answer. */
  readOpaque: () => ChunkEvent[];
  /** Text of a candidate that was read elsewhere. */
  heard: (choice: number, text: string) => void;
}

/** The one door for what models send: unknown fields are ignored, wrong ones are noted, nothing throws. */
export function createChunkReader(): ChunkReader {
  const choices = new Map<number, ChoiceState>();
  const sharedSources = newSources();
  const choiceIndexes: SeenIndexes = { hasZero: false, hasOthers: false };
  let id: string | undefined;
  let model: string | undefined;
  let created: string | undefined;
  /** What else a response says of itself, by the name of the field. */
  const otherFacts = new Map<string, string>();
  const changed = new Set<string>();

  /** Said once for each field: some gateways change it with every chunk. */
  function noteChange(field: string, was: string | undefined, is: string | undefined, events: ChunkEvent[]) {
    if (was === undefined || was === is || changed.has(field)) return;
    changed.add(field);
    events.push({ type: 'note', note: 'changed-identity', detail: `${field} ${was}, then ${is}` });
  }

  function readIdentity(chunk: Record<string, unknown>, events: ChunkEvent[]) {
    const newId = rawText(ownProperty(chunk, 'id')) || id;
    const newModel = rawText(ownProperty(chunk, 'model')) || model;
    const newCreated = rawText(ownProperty(chunk, 'created')) || created;
    for (const field of furtherFacts) {
      const is = rawText(ownProperty(chunk, field));
      if (is === '') continue;
      noteChange(field, otherFacts.get(field), is, events);
      otherFacts.set(field, is);
    }
    if (newId === id && newModel === model && newCreated === created) return;
    noteChange('id', id, newId, events);
    noteChange('model', model, newModel, events);
    noteChange('created', created, newCreated, events);
    const event: ChunkEvent = { type: 'identity' };
    if (newId !== undefined && newId !== id) event.id = newId;
    if (newModel !== undefined && newModel !== model) event.model = newModel;
    const time = numberProperty(chunk, 'created');
    if (time !== undefined && newCreated !== created) event.created = time;
    id = newId;
    model = newModel;
    created = newCreated;
    if (Object.keys(event).length > 1) events.push(event);
  }

  function stateOf(choice: number): ChoiceState {
    let state = choices.get(choice);
    if (!state) {
      state = {
        hasSpoken: false,
        text: '',
        place: createToolSlots(),
        opaque: createOpaqueCollector(),
        callOpaque: new Map(),
        hasNewOpaque: false,
        callIndexes: { hasZero: false, hasOthers: false },
        hasSound: false,
        sources: newSources(),
      };
      choices.set(choice, state);
    }
    return state;
  }

  /** `taken`: the candidates that this chunk has spoken of before. */
  function readChoice(
    item: unknown,
    position: number,
    events: ChunkEvent[],
    isFailed: boolean,
    taken: Set<number>,
    at: Place,
    missingIndex: number,
  ) {
    if (!isRecord(item)) return void events.push(skipped('choice that is not an object', item));
    const given = indexOf(ownProperty(item, 'index'), missingIndex);
    if (given === undefined) return void events.push(skipped('choice index', item));
    // Two pieces of one candidate may come together, two whole messages of one may not.
    const isWhole = isRecord(ownProperty(item, 'message'));
    const choice = isWhole && taken.has(given) ? position : given;
    taken.add(choice);
    const state = stateOf(choice);
    const saidBefore = events.length;
    readSaid(item, choice, state, events, at);
    state.hasSpoken ||= hasWords(events, saidBefore);
    for (const event of events.slice(saidBefore)) if (event.type === 'text-delta') state.text += event.text;
    // §2.5: null until the final chunk; some send "" instead.
    const reason = ownProperty(item, 'finish_reason');
    if (isEmpty(reason) || (isFailed && /^error$/i.test(rawText(reason)))) return;
    events.push({ type: 'choice-end', choice, reason: rawText(reason) });
    if (state.hasNewOpaque) events.push(opaqueEvent(choice, state));
  }

  return {
    heard(choice, text) {
      stateOf(choice).text += text;
    },
    readOpaque: () =>
      [...choices].flatMap(([choice, state]) => (state.hasNewOpaque ? [opaqueEvent(choice, state)] : [])),
    read(chunk, isFailed, text) {
      const events: ChunkEvent[] = [];
      readIdentity(chunk, events);
      const given = ownProperty(chunk, 'choices');
      const list = listOf(given);
      const taken = new Set<number>();
      const omitsZero = isZeroOmitted(choiceIndexes, list);
      const counts = ownProperty(chunk, 'usage');
      if (
        !isEmpty(counts) &&
        !usageOf(counts) &&
        (typeof counts !== 'object' || unsaidIn(counts, '').length > 0)
      )
        events.push(skipped('usage', counts));
      for (let position = 0; position < list.length && position < mostChoices; position++) {
        const at = { text, path: ['choices', ...findKey(given, list[position], position)] };
        readChoice(list[position], position, events, isFailed, taken, at, omitsZero ? 0 : position);
      }
      if (list.length > mostChoices)
        events.push(skipped('choices beyond the 128th', list.slice(mostChoices)));
      readSources(chunk, undefined, sharedSources, events, false);
      // §6.3: usage may come in a chunk of its own, without choices.
      const usage = findUsage(chunk);
      if (usage) events.push({ type: 'usage', usage });
      const reason = findBlockReason(chunk);
      if (reason !== undefined) events.push({ type: 'blocked', reason });
      return events;
    },
  };
}

const skipped = (detail: string, value: unknown): ChunkEvent => ({
  type: 'note',
  note: 'skipped-value',
  detail,
  raw: rawText(value),
});

/** Choices as a list; some send the one that there is, or a table by index. */
function listOf(choices: unknown): readonly unknown[] {
  if (Array.isArray(choices)) return choices;
  if (isEmpty(choices)) return [];
  return isRecord(choices) &&
    Object.values(choices).every(isRecord) &&
    !Object.hasOwn(choices, 'delta') &&
    !Object.hasOwn(choices, 'message')
    ? Object.values(choices)
    : [choices];
}

/** Returns the path of an item that listOf found; empty if it stands alone. */
function findKey(choices: unknown, item: unknown, position: number): (string | number)[] {
  if (Array.isArray(choices)) return [position];
  const key = isRecord(choices) && choices !== item ? Object.keys(choices)[position] : undefined;
  return key === undefined ? [] : [key];
}

function opaqueEvent(choice: number, state: ChoiceState): ChunkEvent {
  state.hasNewOpaque = false;
  const calls = [...state.callOpaque].map(([slot, collector]) => ({ slot, fields: collector.fields() }));
  return { type: 'opaque-fields', choice, fields: state.opaque.fields(), calls };
}

/** Some write the number as text. */
function indexOf(value: unknown, fallback: number): number | undefined {
  if (value === undefined || value === null) return fallback;
  const index = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < mostChoices
    ? index
    : undefined;
}

/** True if an event from this position on is neither an image, nor sound, nor sources, which arrive apart from the text. */
function hasWords(events: readonly ChunkEvent[], from: number): boolean {
  return events
    .slice(from)
    .some(({ type }) => type !== 'image' && type !== 'sound-delta' && type !== 'sources');
}

function say(said: readonly Said[], choice: number, state: ChoiceState, events: ChunkEvent[]) {
  for (const item of said) {
    if (item.type === 'skipped') events.push(skipped(item.what, item.value));
    else if (item.type === 'sound') {
      state.hasSound = true;
      events.push({ type: 'sound-delta', choice, ...item.sound });
    } else if (item.type === 'image') events.push({ type: 'image', choice, url: item.url });
    else events.push({ type: `${item.type}-delta`, choice, text: item.text });
  }
}

/** Adds new sources. `isNoted`: unreadable items are kept raw. */
function readSources(
  value: Record<string, unknown>,
  choice: number | undefined,
  seen: SeenSources,
  events: ChunkEvent[],
  isNoted = true,
) {
  const { sources, unread } = findSources(value);
  for (const { field, item } of isNoted ? unread : []) {
    const raw = rawText(item);
    if (!seen.unread.has(raw)) events.push(skipped(field, { [field]: item }));
    seen.unread.add(raw);
  }
  const merged = mergeSources(seen.list, sources);
  if (merged === seen.list) return;
  const before = new Set(seen.list);
  seen.list = merged;
  const news = merged.filter((source) => !before.has(source));
  events.push({ type: 'sources', ...(choice === undefined ? {} : { choice }), sources: news });
}

/** What an item says in its `delta`, or where that says nothing in its `message`, or its `text`. */
function readSaid(
  item: Record<string, unknown>,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
  at: Place,
) {
  const delta = ownProperty(item, 'delta');
  const message = ownProperty(item, 'message');
  // Some leave the wrapper out.
  if (isEmpty(delta) && isEmpty(message)) return readDelta(item, choice, state, events, at);
  const saidBefore = events.length;
  const pieces: readonly unknown[] = Array.isArray(delta) ? delta : [delta];
  for (const [index, piece] of pieces.entries()) {
    const inDelta = Array.isArray(delta) ? inner(at, 'delta', index) : inner(at, 'delta');
    if (isRecord(piece)) readDelta(piece, choice, state, events, inDelta);
    else say(contentOf(piece), choice, state, events);
  }
  const hasSpoken = state.hasSpoken || hasWords(events, saidBefore);
  readMessage(message, choice, state, hasSpoken, events, inner(at, 'message'));
  readSources(item, choice, state.sources, events);
  noteUnknown(item, knownInChoice, events);
}

/** A whole message is never put on top of what was streamed; where it differs, it is kept raw. */
function readMessage(
  message: unknown,
  choice: number,
  state: ChoiceState,
  hasSpoken: boolean,
  events: ChunkEvent[],
  at: Place,
) {
  if (!hasSpoken) {
    if (isRecord(message)) readDelta(message, choice, state, events, at, true);
    else say(contentOf(message), choice, state, events);
    return;
  }
  if (isRecord(message)) collect(state.opaque, message, state, at, true);
  const said = contentOf(isRecord(message) ? ownProperty(message, 'content') : message);
  const text = said.map((item) => (item.type === 'text' ? item.text : '')).join('');
  const holdsMore = said.some(({ type }) => type !== 'text' && type !== 'image' && type !== 'sound');
  const media = isRecord(message) ? [...said, ...readMediaFields(message)] : said;
  say(
    media.filter(({ type }) => type === 'image' || (type === 'sound' && !state.hasSound)),
    choice,
    state,
    events,
  );
  if (isRecord(message)) readSources(message, choice, state.sources, events);
  if (holdsMore || (text !== '' && text !== state.text))
    events.push(skipped('another whole message', message));
}

/** Reads images and sound from fields beside the content. */
function readMediaFields(delta: Record<string, unknown>): Said[] {
  return [
    ...['images', 'image'].flatMap((field) => readImageParts(ownProperty(delta, field), field)),
    ...readSoundPart(ownProperty(delta, 'audio')),
    ...blocksIn(delta).flatMap(readMediaPart),
  ];
}

/** Unknown fields are shown raw, also those that are kept with the message for the model that wrote them. */
function noteUnknown(value: Record<string, unknown>, known: RegExp, events: ChunkEvent[]) {
  for (const [name, field] of unknownFields(value, known))
    if (!findUsage({ [name]: field })) events.push(skipped(name, { [name]: field }));
}

/** `isWhole`: a whole message, each of whose calls is one of its own. */
function readDelta(
  delta: Record<string, unknown>,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
  at: Place,
  isWhole = false,
) {
  collect(state.opaque, delta, state, at);
  const thinking = thinkingOf(delta);
  if (thinking !== '') events.push({ type: 'thinking-delta', choice, text: thinking });
  for (const name of thinkingFields)
    if (unsaidIn(ownProperty(delta, name), thinking).length > 0)
      events.push(skipped(name, { [name]: delta[name] }));
  const content = contentOf(ownProperty(delta, 'content'));
  say(content, choice, state, events);
  const inContent = content.map((item) => ('text' in item ? item.text : '')).join('');
  for (const block of blocksIn(delta))
    if (readMediaPart(block).length === 0 && unsaidIn(block, thinking + inContent).length > 0)
      events.push(skipped('content_blocks', { content_blocks: [block] }));
  // The older completions format.
  say(contentOf(ownProperty(delta, 'text')), choice, state, events);
  // Some send the transcript as content, too.
  const isWritten = (text: string) => content.some((item) => item.type === 'text' && item.text === text);
  say(
    readMediaFields(delta).filter((item) => item.type !== 'text' || !isWritten(item.text)),
    choice,
    state,
    events,
  );
  readSources(delta, choice, state.sources, events);
  const role = ownProperty(delta, 'role');
  if (!isEmpty(role) && !/^assistant$/i.test(rawText(role))) events.push(skipped('role', { role }));
  const refusal = rawText(ownProperty(delta, 'refusal'));
  if (refusal) events.push({ type: 'refusal-delta', choice, text: refusal });
  const calls = ownProperty(delta, 'tool_calls');
  const inCalls = inner(at, 'tool_calls');
  const list: readonly unknown[] = Array.isArray(calls)
    ? calls
    : isTable(calls)
      ? Object.values(calls)
      : [calls];
  const omitsZero = isZeroOmitted(state.callIndexes, list);
  list.forEach((call, position) => {
    const isUnnamed = !ownProperty(call, 'id') && !hasIndex(call);
    const isAnother = isWhole || (position > 0 && isUnnamed && !omitsZero);
    readCall(call, choice, state, events, inner(inCalls, ...findCallKey(calls, position)), {
      ...(isAnother ? { isAnother } : {}),
      ...(omitsZero ? { isZeroOmitted: omitsZero } : {}),
    });
  });
  const legacyCall = ownProperty(delta, 'function_call');
  if (isRecord(legacyCall)) noteUnknown(legacyCall, knownInCall, events);
  if (!isEmpty(legacyCall))
    place({ ...callParts(legacyCall), index: legacyCallIndex }, choice, state, events);
  noteUnknown(delta, knownInDelta, events);
}

/** Calls by their numbers; there may be none. */
function isTable(calls: unknown): calls is Record<string, unknown> {
  if (!isRecord(calls)) return false;
  return Object.entries(calls).every(([key, call]) => /^\d{1,3}$/.test(key) && isRecord(call));
}

function findCallKey(calls: unknown, position: number): (string | number)[] {
  if (Array.isArray(calls)) return [position];
  const key = isTable(calls) ? Object.keys(calls)[position] : undefined;
  return key === undefined ? [] : [key];
}

function hasIndex(call: unknown): boolean {
  return (indexOf(ownProperty(call, 'index'), -1) ?? -1) >= 0;
}

function readCall(
  call: unknown,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
  at: Place,
  context: Pick<ToolFragment, 'isAnother' | 'isZeroOmitted'>,
) {
  if (!isRecord(call)) {
    const text = rawText(call);
    if (text !== '') place({ arguments: text, ...context }, choice, state, events);
    return;
  }
  const given = ownProperty(call, 'index');
  const index = indexOf(given, -1);
  if (index === undefined) return void events.push(skipped('tool call index', call));
  const body = ownProperty(call, 'function') ?? ownProperty(call, 'custom');
  noteUnknown(call, knownInCall, events);
  if (isRecord(body)) noteUnknown(body, knownInCall, events);
  const fragment = { ...callParts(body ?? call), ...context };
  const id = rawText(ownProperty(call, 'id')) || rawText(ownProperty(call, 'call_id'));
  if (index >= 0) fragment.index = index;
  if (id) fragment.id = id;
  const slot = place(fragment, choice, state, events);
  if (slot === undefined) return;
  const collector = state.callOpaque.get(slot) ?? createOpaqueCollector();
  state.callOpaque.set(slot, collector);
  collect(collector, call, state, at);
}

function collect(
  collector: OpaqueCollector,
  piece: Record<string, unknown>,
  state: ChoiceState,
  { text, path }: Place,
  isRepeated?: boolean,
) {
  if (text !== undefined && collector.add(piece, text, path, isRepeated)) state.hasNewOpaque = true;
}

function callParts(source: unknown): ToolFragment {
  const fragment: ToolFragment = {};
  if (!isRecord(source)) return isEmpty(source) ? fragment : { arguments: rawText(source) };
  const name = rawText(ownProperty(source, 'name'));
  const given = ownProperty(source, 'arguments') ?? ownProperty(source, 'input');
  if (name) fragment.name = name;
  // Some gateways send the arguments parsed.
  if (typeof given === 'string') fragment.arguments = given;
  else if (given !== undefined && given !== null) fragment.arguments = writtenJson(given);
  return fragment;
}

/** Places the fragment and returns the slot of its call; undefined beyond the limit. */
function place(
  fragment: ToolFragment,
  choice: number,
  state: ChoiceState,
  events: ChunkEvent[],
): number | undefined {
  const placed = state.place(fragment);
  if (!placed) {
    events.push(skipped('tool call beyond the 128th', fragment));
    return undefined;
  }
  const text = placed.isRepeated ? '' : (fragment.arguments ?? '');
  if (!placed.isNew && placed.id === undefined && placed.name === undefined && text === '')
    return placed.slot;
  const event: ChunkEvent = { type: 'tool-call-delta', choice, slot: placed.slot };
  if (placed.id !== undefined) event.id = placed.id;
  if (placed.name !== undefined) event.name = placed.name;
  if (text !== '') event.arguments = text;
  if (placed.isReplacing) event.isReplacing = true;
  events.push(event);
  return placed.slot;
}
