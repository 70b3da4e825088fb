import { parseJson } from '../../lib/json.ts';

/** One fragment of a tool call as received (§2.2 does not show its fields). */
export interface ToolCallFragment {
  /** Already checked; -1 stands for the one legacy function_call. */
  index?: number;
  /** Other calls of this choice have an index above 0, and none has 0: a program in Go leaves a zero out. */
  isZeroOmitted?: true;
  id?: string;
  name?: string;
  arguments?: string;
  /** It is known to be a call of its own, whatever it calls itself. */
  isSeparateCall?: true;
}

/** Where a fragment belongs, and what of it is news: the id once, and no name twice. */
export interface IndexedFragment {
  slot: number;
  isNew: boolean;
  id?: string;
  name?: string;
  /** The whole call came once more: its arguments are there already. */
  isRepeated?: true;
  /** The arguments so far were a placeholder: these take their place. */
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

/** Looks at the last letter first: a call may come in thousands of pieces. */
const isCompleteJson = (text: string) => /[}\]]\s*$/.test(text.slice(-20)) && parseJson(text).ok;

/** True for an empty object, which means no arguments or a placeholder for those that follow. */
const isPlaceholder = (text: string) => text.length <= 20 && /^\s*\{\s*\}\s*$/.test(text);

const areArgumentsComplete = (text: string) => !isPlaceholder(text) && isCompleteJson(text);

/**
 * Tells the tool calls of one choice apart. An id decides where there is one, else the index, else the
 * order: gateways leave out the index, use the same one for every call, send the id late, make up
 * one for every piece, or repeat id and name in each. Returns undefined beyond 128 calls.
 */
export function createToolCallIndexer(): (fragment: ToolCallFragment) => IndexedFragment | undefined {
  const slots: ToolCallSlot[] = [];
  const slotsByIndex = new Map<number, ToolCallSlot>();
  let lastSlot: ToolCallSlot | undefined;

  const findSlotWithoutIndex = () => slots.find((slot) => slot.index === undefined);

  /** Returns the index as sent, or the omitted 0. Calls with a known id need no index. */
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
    // Some repeat id and name to the last, others have one id for all calls.
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
    // A late id belongs to the call that is still without one, unless this is clearly another call.
    if (likelySlot) {
      const isRepeatedPlaceholder =
        index === undefined && Boolean(name) && isPlaceholder(fragment.arguments ?? '');
      const isSeparateCall =
        isNewCall(likelySlot, name) || (isRepeatedPlaceholder && isPlaceholder(likelySlot.arguments));
      return isSeparateCall ? undefined : likelySlot;
    }
    // An index that counts pieces instead of calls.
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

/** Under its own id and at its own place, with the same name and the same whole arguments: some send it all once more at the end. */
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

/** A name where there is one already is a repetition, unless it is another name or the arguments were complete. */
function isNewCall(slot: ToolCallSlot, name: string | undefined): boolean {
  if (!name || slot.name === '') return false;
  return (name !== slot.name && slot.arguments !== '') || areArgumentsComplete(slot.arguments);
}

/** The arguments of the call are open, and what came is not a beginning of others. */
function isContinuation(slot: ToolCallSlot, { name, arguments: text = '' }: ToolCallFragment): boolean {
  const isOpen = slot.arguments !== '' && !isCompleteJson(slot.arguments);
  return isOpen && (!name || name === slot.name) && !/^\s*[{[]/.test(text);
}

/** What of a name was not said yet: it comes in pieces, again, or as a whole that grows. */
function getNewNamePart(name: string, previousName: string): string {
  return name.startsWith(previousName) ? name.slice(previousName.length) : name;
}
