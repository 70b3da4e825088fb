/** Builds a session from stored records. Unreadable records are reported separately instead of being hidden. */
import * as v from 'valibot';

import { getStringProperty } from '../../lib/json.ts';
import type { Environment } from './edit-session.ts';
import { reissueIds } from './reissue-ids.ts';
import { laneSchema, promptSchema, runSchema, sessionSchema, turnSchema } from './session-schemas.ts';
import { compareSeq, findNewestLeaf } from './turn-tree.ts';
import type { Lane, LaneId, Run, Session, SessionData, TurnId } from './types.ts';

export interface ReadSessionResult {
  data: SessionData;
  /** Unreadable raw records with the reason; they stay in the database. */
  unreadable: { kind: string; id: string; reason: string; raw: unknown }[];
}

export interface RawSession {
  session: unknown;
  lanes: unknown[];
  prompts: unknown[];
  turns: unknown[];
  runs: unknown[];
}

/** Returns `undefined` if the session record itself is unreadable. Lanes without records are omitted. */
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

/** Returns the stored run, or `undefined` if it is unreadable. */
export function readRun(raw: unknown): Run | undefined {
  const result = v.safeParse(runSchema, raw);
  return result.success ? result.output : undefined;
}

export function readSessionRecord(raw: unknown): Session | undefined {
  const result = v.safeParse(sessionSchema, raw);
  return result.success ? result.output : undefined;
}

/**
 * Orders lanes (listed ones first) and moves each tip to the end of an existing path. A tip in the middle of a path
 * means that another tab added turns below it at the same time.
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

/** Returns the end of the path through this turn, or the lane's newest turn if this turn no longer exists. */
function findExistingTip(data: SessionData, laneId: LaneId, tip: TurnId): TurnId | undefined {
  if (data.turns[tip]) return findNewestLeaf(data, tip);
  return Object.values(data.turns)
    .filter((turn) => turn.laneId === laneId)
    .toSorted(compareSeq)
    .at(-1)?.id;
}

/** Copies the session under new IDs. `runIds` maps old to new IDs, for the tapes. */
export function copySession(
  data: SessionData,
  { now, newId }: Environment,
  title: string,
): { data: SessionData; runIds: [string, string][] } {
  const copy = reissueIds(data, newId);
  const session: Session = { ...copy.data.session, title, titled: true, createdAt: now(), updatedAt: now() };
  return { ...copy, data: { ...copy.data, session } };
}
