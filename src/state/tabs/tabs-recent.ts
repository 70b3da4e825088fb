import { isSame } from '../../conversation/session/differences.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { isRecord } from '../../lib/json.ts';

/** What this tab itself had a moment ago, of the records that it changed. */
export interface RecentStates {
  /** Own changes of a session: what the records were before is remembered for a while. */
  note: (before: SessionData, after: SessionData) => void;
  /** What the lane or session was before the newest own changes, the oldest first. */
  of: (id: string) => readonly unknown[];
}

/** Longer than another tab takes to hear of a change, and shorter than a person takes to go there and undo it. */
const rememberedMs = 2000;

export function createRecentStates(now: () => number): RecentStates {
  const states = new Map<string, { at: number; record: unknown }[]>();
  const fresh = (id: string) => (states.get(id) ?? []).filter(({ at }) => now() - at < rememberedMs);
  const add = (id: string, record: unknown) => states.set(id, [...fresh(id), { at: now(), record }]);
  return {
    note(before, after) {
      // Every frame of a stream comes by here.
      if (before.session === after.session && before.lanes === after.lanes) return;
      for (const id of states.keys()) if (fresh(id).length === 0) states.delete(id);
      if (before.session !== after.session) add(before.session.id, before.session);
      for (const [id, lane] of Object.entries(before.lanes)) if (after.lanes[id] !== lane) add(id, lane);
    },
    of: (id) => fresh(id).map(({ record }) => record),
  };
}

/**
 * What another tab wrote, but for what it had not heard of yet: a field that is as this tab had it a moment ago is old
 * news, and the newer value stays.
 */
export function withOwnNews(mine: unknown, recent: readonly unknown[], theirs: unknown): unknown {
  if (isSame(mine, theirs)) return theirs;
  if (isRecord(mine) && isRecord(theirs)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    const past = recent.filter(isRecord);
    const fields = [...keys].map((key) => [
      key,
      withOwnNews(
        mine[key],
        past.map((record) => record[key]),
        theirs[key],
      ),
    ]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  return recent.some((record) => isSame(record, theirs)) ? mine : theirs;
}
