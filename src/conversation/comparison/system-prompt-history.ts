import { compareSeq, getAnswerVersions, getLanePath, getRun } from '../session/turn-tree.ts';
import type { LaneId, SessionData, Setup, Turn, TurnId } from '../session/types.ts';
/** History of the system prompt in a session, derived from the setups of its runs. */
import { getSystemKey } from '../setup/setup.ts';
import { getComparedText } from './compared-answers.ts';

export interface SystemPromptVersion {
  /** Identity of text and role. */
  key: string;
  system: string;
  systemRole?: NonNullable<Setup['systemRole']>;
  /** Time of the first request in epoch ms; absent if the prompt is not sent yet. */
  firstSentAt?: number;
  /** Turns that were answered with it, oldest first. */
  turns: Turn[];
}

/** Returns the different system prompts of these lanes, newest first, including those that are not sent yet. */
export function listSystemPrompts(data: SessionData, laneIds: readonly LaneId[]): SystemPromptVersion[] {
  const versions = new Map<string, SystemPromptVersion>();
  for (const laneId of laneIds) {
    const setup = data.lanes[laneId]?.setup;
    if (setup) versions.set(getSystemKey(setup), createVersion(setup));
  }
  for (const turn of Object.values(data.turns).toSorted(compareSeq)) {
    const run = getRun(data, turn);
    if (!run || !laneIds.includes(turn.laneId)) continue;
    const key = getSystemKey(run.setup);
    const version = versions.get(key) ?? createVersion(run.setup);
    const sentAt = run.sentAt ?? data.prompts[turn.promptId]?.createdAt ?? 0;
    versions.set(key, {
      ...version,
      firstSentAt: Math.min(version.firstSentAt ?? sentAt, sentAt),
      turns: [...version.turns, turn],
    });
  }
  return [...versions.values()].toSorted((a, b) => (b.firstSentAt ?? Infinity) - (a.firstSentAt ?? Infinity));
}

function createVersion(setup: Setup): SystemPromptVersion {
  const { system, systemRole } = setup;
  return { key: getSystemKey(setup), system, ...(systemRole ? { systemRole } : {}), turns: [] };
}

/**
 * Returns two answers to the same prompt, older first: one made with this version, the other with the current prompt,
 * else with the nearest newer one, else with the nearest older one.
 */
export function findAnswersToCompare(
  data: SessionData,
  laneIds: readonly LaneId[],
  {
    versions,
    version,
    currentKey,
  }: {
    versions: readonly SystemPromptVersion[];
    version: SystemPromptVersion;
    currentKey: string;
  },
): [TurnId, TurnId] | undefined {
  const index = versions.indexOf(version);
  const newerKeys = versions.slice(0, index).map(({ key }) => key);
  const olderKeys = versions.slice(index + 1).map(({ key }) => key);
  const otherKeys = [currentKey, ...newerKeys.toReversed(), ...olderKeys].filter(
    (key) => key !== version.key,
  );
  const shownTurns = laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    return lane ? getLanePath(data, lane).toReversed() : [];
  });
  for (const otherKey of otherKeys) {
    for (const shownTurn of shownTurns) {
      const findAnswer = (key: string) =>
        getAnswerVersions(data, shownTurn).findLast((turn) => {
          const run = getRun(data, turn);
          return (
            run !== undefined && getSystemKey(run.setup) === key && getComparedText(data, turn.id) !== ''
          );
        });
      const [answer, otherAnswer] = [findAnswer(version.key), findAnswer(otherKey)];
      if (!answer || !otherAnswer) continue;
      const [older, newer] = [answer, otherAnswer].toSorted(compareSeq);
      if (older && newer) return [older.id, newer.id];
    }
  }
  return undefined;
}
