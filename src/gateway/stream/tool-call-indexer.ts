import { parseJson } from '../../lib/json.ts';

/** One fragment of a tool call as received (§2.2 does not show its fields). */
export interface ToolCallFragment {
  /** Validated index; -1 is the legacy function_call. */
  index?: number;
  /** Other calls of this choice have an index above 0 and none has 0, since Go programs omit zero. */
  isZeroOmitted?: true;
  id?: string;
  name?: string;
  arguments?: string;
  /** Known to be a separate call, whatever its ID. */
  isSeparateCall?: true;
}

/** Slot of a fragment with only its new parts; IDs and names come once. */
export interface IndexedFragment {
  slot: number;
  isNew: boolean;
  id?: string;
  name?: string;
  /** The whole call was repeated; its arguments are already known. */
  isRepeated?: true;
  /** The earlier arguments were a placeholder and are replaced. */
  isReplacing?: true;
}

interface ToolCallSlot {
  number: number;
  index?: number;
  id?: string;
  name: string;
  arguments: string;
}

const maxToolCalls = 128;

/** Checks the last character first: a call may come in thousands of pieces. */
const isCompleteJson = (text: string) => /[}\]]\s*$/.test(text.slice(-20)) && parseJson(text).ok;

/** Returns true for an empty object, which means no arguments or a placeholder for later ones. */
const isPlaceholder = (text: string) => text.length <= 20 && /^\s*\{\s*\}\s*$/.test(text);

const areArgumentsComplete = (text: string) => !isPlaceholder(text) && isCompleteJson(text);

/**
 * Distinguishes the tool calls of one choice by ID, otherwise by index, otherwise by order. Gateways omit the index,
 * reuse it for every call, send the ID late, invent one per piece, or repeat ID and name in each. Returns undefined
 * beyond 128 calls.
 */
export function createToolCallIndexer(): (fragment: ToolCallFragment) => IndexedFragment | undefined {
  const slots: ToolCallSlot[] = [];
  const slotsByIndex = new Map<number, ToolCallSlot>();
  let lastSlot: ToolCallSlot | undefined;

  const findSlotWithoutIndex = () => slots.find((slot) => slot.index === undefined);

  /** Returns the index as sent, or the omitted 0. Calls with a known ID do not need an index. */
  function resolveIndex({ index, id, name, isZeroOmitted }: ToolCallFragment): number | undefined {
    if (index !== undefined || !isZeroOmitted) return index;
    if (id && slots.some((slot) => slot.id === id)) return undefined;
    return id || name || slotsByIndex.has(0) || findSlotWithoutIndex() ? 0 : undefined;
  }

  function findSlot(fragment: ToolCallFragment, index: number | undefined): ToolCallSlot | undefined {
    const { id, name } = fragment;
    if (fragment.isSeparateCall) return undefined;
    const sameIdSlots = id ? slots.filter((slot) => slot.id === id) : [];
    const sameIdSlot = sameIdSlots.find((slot) => slot.index === index) ?? sameIdSlots.at(-1);
    // Some gateways repeat ID and name until the end; others use one ID for all calls.
    if (sameIdSlot) {
      if (isRepetition(sameIdSlot, fragment)) return sameIdSlot;
      const hasOtherIndex =
        index !== undefined && sameIdSlot.index !== undefined && sameIdSlot.index !== index;
      const isSeparateCall = hasOtherIndex
        ? name !== undefined && (name !== sameIdSlot.name || isCompleteJson(sameIdSlot.arguments))
        : Boolean(fragment.arguments) && isNewCall(sameIdSlot, name);
      return isSeparateCall ? undefined : sameIdSlot;
    }
    const likelySlot =
      index === undefined
        ? lastSlot
        : (slotsByIndex.get(index) ??
          (fragment.isZeroOmitted && index === 0 ? findSlotWithoutIndex() : undefined));
    if (id && likelySlot?.id) {
      const hasName = name !== undefined && name !== '';
      const isUnnamedContinuation =
        index !== undefined && !hasName && !areArgumentsComplete(likelySlot.arguments);
      return isUnnamedContinuation || isContinuation(likelySlot, fragment) ? likelySlot : undefined;
    }
    // A late ID belongs to the call that has none yet, unless this is clearly another call.
    if (likelySlot) {
      const isRepeatedPlaceholder =
        index === undefined && Boolean(name) && isPlaceholder(fragment.arguments ?? '');
      const isSeparateCall =
        isNewCall(likelySlot, name) || (isRepeatedPlaceholder && isPlaceholder(likelySlot.arguments));
      return isSeparateCall ? undefined : likelySlot;
    }
    // This index counts pieces instead of calls.
    return !id && lastSlot && isContinuation(lastSlot, fragment) ? lastSlot : undefined;
  }

  return (fragment) => {
    const index = resolveIndex(fragment);
    let slot = findSlot(fragment, index);
    const isNew = !slot;
    if (!slot) {
      if (slots.length >= maxToolCalls) return undefined;
      slot = { number: slots.length, name: '', arguments: '' };
      slots.push(slot);
    }
    lastSlot = slot;
    if (index !== undefined) {
      slot.index = index;
      slotsByIndex.set(index, slot);
    }
    const indexedFragment: IndexedFragment = { slot: slot.number, isNew };
    const isRepeated = !isNew && isRepetition(slot, fragment);
    if (isRepeated) indexedFragment.isRepeated = true;
    if (fragment.id && !slot.id) indexedFragment.id = slot.id = fragment.id;
    const name = getNewNamePart(fragment.name ?? '', slot.name);
    if (name !== '') {
      indexedFragment.name = name;
      slot.name += name;
    }
    const { arguments: text = '' } = fragment;
    if (!isRepeated && text.trim() !== '' && isPlaceholder(slot.arguments)) {
      indexedFragment.isReplacing = true;
      slot.arguments = '';
    }
    if (!isRepeated) slot.arguments += text;
    return indexedFragment;
  };
}

/**
 * Returns true if the whole call is repeated, as some gateways do at the end: same ID, slot, name and complete
 * arguments.
 */
function isRepetition(slot: ToolCallSlot, { id, index, name, arguments: text }: ToolCallFragment): boolean {
  return (
    Boolean(id) &&
    slot.id === id &&
    (index === undefined || slot.index === undefined || slot.index === index) &&
    name === slot.name &&
    text === slot.arguments &&
    isCompleteJson(slot.arguments)
  );
}

/**
 * Returns true if the name begins another call: the call has a name already and its arguments are complete, or the
 * names differ after arguments have arrived.
 */
function isNewCall(slot: ToolCallSlot, name: string | undefined): boolean {
  if (!name || slot.name === '') return false;
  return (name !== slot.name && slot.arguments !== '') || areArgumentsComplete(slot.arguments);
}

/** Returns true if the call's arguments are unfinished and the fragment does not begin new ones. */
function isContinuation(slot: ToolCallSlot, { name, arguments: text = '' }: ToolCallFragment): boolean {
  const isOpen = slot.arguments !== '' && !isCompleteJson(slot.arguments);
  return isOpen && (!name || name === slot.name) && !/^\s*[{[]/.test(text);
}

/** Returns the new part of a name, which may come in pieces, repeated, or as a growing whole. */
function getNewNamePart(name: string, previousName: string): string {
  return name.startsWith(previousName) ? name.slice(previousName.length) : name;
}
