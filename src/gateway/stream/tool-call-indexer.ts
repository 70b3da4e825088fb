import { parseJson } from '../../lib/json.ts';

/** One fragment of a tool call as received (§2.2 does not show its fields). */
export interface ToolFragment {
  /** Already checked; -1 stands for the one legacy function_call. */
  index?: number;
  /** Other calls of this choice have an index above 0, and none has 0: a program in Go leaves a zero out. */
  isZeroOmitted?: true;
  id?: string;
  name?: string;
  arguments?: string;
  /** It is known to be a call of its own, whatever it calls itself. */
  isAnother?: true;
}

/** Where a fragment belongs, and what of it is news: the id once, and no name twice. */
export interface PlacedFragment {
  slot: number;
  isNew: boolean;
  id?: string;
  name?: string;
  /** The whole call came once more: its arguments are there already. */
  isRepeated?: true;
  /** The arguments so far were a placeholder: these take their place. */
  isReplacing?: true;
}

interface Slot {
  number: number;
  index?: number;
  id?: string;
  name: string;
  arguments: string;
}

const mostSlots = 128;

/** Looks at the last letter first: a call may come in thousands of pieces. */
const isWholeJson = (text: string) => /[}\]]\s*$/.test(text.slice(-20)) && parseJson(text).ok;

/** True for an empty object, which means no arguments or a placeholder for those that follow. */
const isPlaceholder = (text: string) => text.length <= 20 && /^\s*\{\s*\}\s*$/.test(text);

const isComplete = (text: string) => !isPlaceholder(text) && isWholeJson(text);

/**
 * Tells the tool calls of one choice apart. An id decides where there is one, else the index, else the
 * order: gateways leave out the index, use the same one for every call, send the id late, make up
 * one for every piece, or repeat id and name in each. Returns undefined beyond 128 calls.
 */
export function createToolSlots(): (fragment: ToolFragment) => PlacedFragment | undefined {
  const slots: Slot[] = [];
  const byIndex = new Map<number, Slot>();
  let last: Slot | undefined;

  const slotWithoutIndex = () => slots.find((slot) => slot.index === undefined);

  /** Returns the index as sent, or the omitted 0. Calls with a known id need no index. */
  function indexFor({ index, id, name, isZeroOmitted }: ToolFragment): number | undefined {
    if (index !== undefined || !isZeroOmitted) return index;
    if (id && slots.some((slot) => slot.id === id)) return undefined;
    return id || name || byIndex.has(0) || slotWithoutIndex() ? 0 : undefined;
  }

  function slotFor(fragment: ToolFragment, index: number | undefined): Slot | undefined {
    const { id, name } = fragment;
    if (fragment.isAnother) return undefined;
    const sameId = id ? slots.filter((slot) => slot.id === id) : [];
    const same = sameId.find((slot) => slot.index === index) ?? sameId.at(-1);
    // Some repeat id and name to the last, others have one id for all calls.
    if (same) {
      if (isAgain(same, fragment)) return same;
      const isMoved = index !== undefined && same.index !== undefined && same.index !== index;
      const isOther = isMoved
        ? name !== undefined && (name !== same.name || isWholeJson(same.arguments))
        : Boolean(fragment.arguments) && startsAnother(same, name);
      return isOther ? undefined : same;
    }
    const candidate =
      index === undefined
        ? last
        : (byIndex.get(index) ?? (fragment.isZeroOmitted && index === 0 ? slotWithoutIndex() : undefined));
    if (id && candidate?.id) {
      const isNamed = name !== undefined && name !== '';
      const goesOn = index !== undefined && !isNamed && !isComplete(candidate.arguments);
      return goesOn || continues(candidate, fragment) ? candidate : undefined;
    }
    // A late id belongs to the call that is still without one, unless this is clearly another call.
    if (candidate) {
      const isEmptyAgain = index === undefined && Boolean(name) && isPlaceholder(fragment.arguments ?? '');
      const isOther = startsAnother(candidate, name) || (isEmptyAgain && isPlaceholder(candidate.arguments));
      return isOther ? undefined : candidate;
    }
    // An index that counts pieces instead of calls.
    return !id && last && continues(last, fragment) ? last : undefined;
  }

  return (fragment) => {
    const index = indexFor(fragment);
    let slot = slotFor(fragment, index);
    const isNew = !slot;
    if (!slot) {
      if (slots.length >= mostSlots) return undefined;
      slot = { number: slots.length, name: '', arguments: '' };
      slots.push(slot);
    }
    last = slot;
    if (index !== undefined) {
      slot.index = index;
      byIndex.set(index, slot);
    }
    const placed: PlacedFragment = { slot: slot.number, isNew };
    const isRepeated = !isNew && isAgain(slot, fragment);
    if (isRepeated) placed.isRepeated = true;
    if (fragment.id && !slot.id) placed.id = slot.id = fragment.id;
    const name = newPartOf(fragment.name ?? '', slot.name);
    if (name !== '') {
      placed.name = name;
      slot.name += name;
    }
    const { arguments: text = '' } = fragment;
    if (!isRepeated && text.trim() !== '' && isPlaceholder(slot.arguments)) {
      placed.isReplacing = true;
      slot.arguments = '';
    }
    if (!isRepeated) slot.arguments += text;
    return placed;
  };
}

/** Under its own id and at its own place, with the same name and the same whole arguments: some send it all once more at the end. */
function isAgain(slot: Slot, { id, index, name, arguments: text }: ToolFragment): boolean {
  return (
    Boolean(id) &&
    slot.id === id &&
    (index === undefined || slot.index === undefined || slot.index === index) &&
    name === slot.name &&
    text === slot.arguments &&
    isWholeJson(slot.arguments)
  );
}

/** A name where there is one already is a repetition, unless it is another name or the arguments were complete. */
function startsAnother(slot: Slot, name: string | undefined): boolean {
  if (!name || slot.name === '') return false;
  return (name !== slot.name && slot.arguments !== '') || isComplete(slot.arguments);
}

/** The arguments of the call are open, and what came is not a beginning of others. */
function continues(slot: Slot, { name, arguments: text = '' }: ToolFragment): boolean {
  const isOpen = slot.arguments !== '' && !isWholeJson(slot.arguments);
  return isOpen && (!name || name === slot.name) && !/^\s*[{[]/.test(text);
}

/** What of a name was not said yet: it comes in pieces, again, or as a whole that grows. */
function newPartOf(name: string, known: string): string {
  return name.startsWith(known) ? name.slice(known.length) : name;
}
