import { parseJson } from '../lib/json.ts';

/** One fragment of a tool call as it came (§2.2 does not show its fields). */
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
}

interface Slot {
  number: number;
  index?: number;
  id?: string;
  name: string;
  arguments: string;
}

const mostSlots = 128;

const isWholeJson = (text: string) => text.trim() !== '' && parseJson(text).ok;

/**
 * Tells the tool calls of one choice apart. An id decides where there is one, else the index, else the
 * order: gateways leave out the index (F53), use the same one for every call (F54), send the id late, or
 * repeat id and name in every fragment. Returns undefined beyond 128 calls.
 */
export function createToolSlots(): (fragment: ToolFragment) => PlacedFragment | undefined {
  const slots: Slot[] = [];
  const byIndex = new Map<number, Slot>();

  function slotFor({ index, id, name, ...fragment }: ToolFragment): Slot | undefined {
    if (fragment.isAnother) return undefined;
    const atIndex = index === undefined ? undefined : byIndex.get(index);
    const candidate = index === undefined ? slots.at(-1) : atIndex;
    if (id) {
      const same = slots.find((slot) => slot.id === id);
      if (same && (index === undefined || same.index === undefined || same.index === index)) {
        // Some repeat id and name to the last, others have one id for all calls.
        return fragment.arguments && startsAnother(same, name) ? undefined : same;
      }
      // Some gateways make up a new id for every fragment: without a name it goes on with what is not yet complete.
      if (candidate?.id && index !== undefined && !name && !isWholeJson(candidate.arguments))
        return candidate;
      if (!candidate || candidate.id) return undefined;
      // A late id belongs to the call that is still without one, unless this is clearly another call.
      return startsAnother(candidate, name) ? undefined : candidate;
    }
    if (!candidate) return undefined;
    return startsAnother(candidate, name) ? undefined : candidate;
  }

  /** A name where there is one already is a repetition, unless it is another name or the arguments were complete. */
  function startsAnother(slot: Slot, name: string | undefined): boolean {
    if (!name || slot.name === '') return false;
    return (name !== slot.name && slot.arguments !== '') || isWholeJson(slot.arguments);
  }

  return (fragment) => {
    let slot = slotFor(fragment);
    const isNew = !slot;
    if (!slot) {
      if (slots.length >= mostSlots) return undefined;
      slot = { number: slots.length, name: '', arguments: '' };
      slots.push(slot);
    }
    if (fragment.index !== undefined) {
      slot.index = fragment.index;
      byIndex.set(fragment.index, slot);
    }
    const placed: PlacedFragment = { slot: slot.number, isNew };
    if (fragment.id && !slot.id) placed.id = slot.id = fragment.id;
    if (fragment.name && fragment.name !== slot.name) {
      placed.name = fragment.name;
      slot.name += fragment.name;
    }
    slot.arguments += fragment.arguments ?? '';
    return placed;
  };
}
