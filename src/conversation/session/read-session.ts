/** From records as they were found to a session that can be shown: what cannot be read is set aside, not hidden. */
import * as v from 'valibot';

import { getStringProperty } from '../../lib/json.ts';
import type { Environment } from './edit-session.ts';
import { reissueIds } from './reissue-ids.ts';
import { laneSchema, promptSchema, runSchema, sessionSchema, turnSchema } from './session-schemas.ts';
import { compareSeq, findNewestLeaf } from './turn-tree.ts';
import type { Lane, LaneId, Run, Session, SessionData, TurnId } from './types.ts';

export interface ReadSessionResult {
  data: SessionData;
  /** Records that could not be read, raw, with the reason; they stay in the database. */
  unreadable: { kind: string; id: string; reason: string; raw: unknown }[];
}

export interface RawSession {
  session: unknown;
  lanes: unknown[];
  prompts: unknown[];
  turns: unknown[];
  runs: unknown[];
}

/** Undefined where the session record itself cannot be read. A lane that is missing its records is left out. */
export function readStoredSession(raw: RawSession): ReadSessionResult | undefined {
  const session = readSessionRecord(raw.session);
  if (!session) return undefined;
  const unreadable: ReadSessionResult['unreadable'] = [];
  const readRecords = <T extends { id: string }>(
    kind: string,
    schema: v.GenericSchema<unknown, T>,
    records: unknown[],
  ) =>
    Object.fromEntries(
      records.flatMap((record): [string, T][] => {
        const result = v.safeParse(schema, record);
        if (result.success) return [[result.output.id, result.output]];
        const issue = result.issues[0];
        const reason = `${v.getDotPath(issue) ?? kind}: ${issue.message}`;
        unreadable.push({ kind, id: getStringProperty(record, 'id') ?? 'no id', reason, raw: record });
        return [];
      }),
    );
  const data: SessionData = {
    session,
    lanes: readRecords('lane', laneSchema, raw.lanes),
    prompts: readRecords('prompt', promptSchema, raw.prompts),
    turns: readRecords('turn', turnSchema, raw.turns),
    runs: readRecords('run', runSchema, raw.runs),
  };
  return { data: repairLanes(data), unreadable };
}

/** A stored run, or undefined where it cannot be read. */
export function readRun(raw: unknown): Run | undefined {
  const result = v.safeParse(runSchema, raw);
  return result.success ? result.output : undefined;
}

export function readSessionRecord(raw: unknown): Session | undefined {
  const result = v.safeParse(sessionSchema, raw);
  return result.success ? result.output : undefined;
}

/**
 * Lanes that the session knows, then the others; each shows a turn that is there, to its end. A tip in the middle
 * of a path was written by one tab while another went on below it: nothing else leaves one there.
 */
export function repairLanes(data: SessionData): SessionData {
  const lanes = Object.values(data.lanes).map((lane): Lane => {
    const tip = lane.tip === undefined ? undefined : findExistingTip(data, lane.id, lane.tip);
    if (tip === lane.tip) return lane;
    const { tip: _, ...rest } = lane;
    return tip === undefined ? rest : { ...rest, tip };
  });
  const laneIds = data.session.laneIds.filter((laneId) => data.lanes[laneId]);
  const unlistedLaneIds = Object.keys(data.lanes).filter((laneId) => !laneIds.includes(laneId));
  return {
    ...data,
    lanes: Object.fromEntries(lanes.map((lane) => [lane.id, lane])),
    session: { ...data.session, laneIds: [...laneIds, ...unlistedLaneIds] },
  };
}

/** The end of the path through this turn, or the newest turn of the lane where it is gone. */
function findExistingTip(data: SessionData, laneId: LaneId, tip: TurnId): TurnId | undefined {
  if (data.turns[tip]) return findNewestLeaf(data, tip);
  return Object.values(data.turns)
    .filter((turn) => turn.laneId === laneId)
    .toSorted(compareSeq)
    .at(-1)?.id;
}

/** The same session under new ids, for a copy; `runIds` from old to new, for its tapes. */
export function copySession(
  data: SessionData,
  { now, newId }: Environment,
  title: string,
): { data: SessionData; runIds: [string, string][] } {
  const copy = reissueIds(data, newId);
  const session: Session = { ...copy.data.session, title, titled: true, createdAt: now(), updatedAt: now() };
  return { ...copy, data: { ...copy.data, session } };
}
