import { parseJson } from '../../lib/json.ts';

/** One fragment of a tool call as received (§2.2 does not show its fields). */
export interface ToolFragment {
  /** Already checked; -1 stands for the one legacy function_call. */
  index?: number;
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

/**
 * Tells the tool calls of one choice apart. An id decides where there is one, else the index, else the
 * order: gateways leave out the index (F53), use the same one for every call (F54), send the id late, make up
 * one for every piece, or repeat id and name in each. Returns undefined beyond 128 calls.
 */
export function createToolSlots(): (fragment: ToolFragment) => PlacedFragment | undefined {
  const slots: Slot[] = [];
  const byIndex = new Map<number, Slot>();
  let last: Slot | undefined;

  function slotFor(fragment: ToolFragment): Slot | undefined {
    const { index, id, name } = fragment;
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
    const candidate = index === undefined ? last : byIndex.get(index);
    if (id && candidate?.id) {
      const isNamed = name !== undefined && name !== '';
      const goesOn = index !== undefined && !isNamed && !isWholeJson(candidate.arguments);
      return goesOn || continues(candidate, fragment) ? candidate : undefined;
    }
    // A late id belongs to the call that is still without one, unless this is clearly another call.
    if (candidate) return startsAnother(candidate, name) ? undefined : candidate;
    // An index that counts pieces instead of calls.
    return !id && last && continues(last, fragment) ? last : undefined;
  }

  return (fragment) => {
    let slot = slotFor(fragment);
    const isNew = !slot;
    if (!slot) {
      if (slots.length >= mostSlots) return undefined;
      slot = { number: slots.length, name: '', arguments: '' };
      slots.push(slot);
    }
    last = slot;
    if (fragment.index !== undefined) {
      slot.index = fragment.index;
      byIndex.set(fragment.index, slot);
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
    if (!isRepeated) slot.arguments += fragment.arguments ?? '';
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
  return (name !== slot.name && slot.arguments !== '') || isWholeJson(slot.arguments);
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
