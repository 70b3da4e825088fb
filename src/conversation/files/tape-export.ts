/**
 * Exports tapes as JSON Lines for exact replay. Line 1 contains the format, line 2 the session with its images, and
 * each later line one tape entry, in order per run: `{"run":"…","at":12.5,"data":"…"}`. No export time is written.
 */
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ReadSessionResult } from '../session/read-session.ts';
import { getPathTo, indexById, getRun } from '../session/turn-tree.ts';
import type { RunId, SessionData, TurnId } from '../session/types.ts';
import { demoNote, buildExportChunks, hasDemoAnswers, formatSessionJson } from './session-export.ts';

export const tapeFormat = 'bench-tapes';
/** Format version. Version 2 adds request texts and providers' opaque fields. */
export const tapeVersion = 2;

export interface Tape {
  runId: RunId;
  entries: readonly TapeEntry[];
}

/** Returns the file in pieces that end with a line break. `images` maps hashes to data URLs. */
export function buildTapeFile(
  session: ReadSessionResult,
  tapes: readonly Tape[],
  images: Readonly<Record<string, string>> = {},
): string[] {
  const note = hasDemoAnswers(session.data) ? { note: demoNote } : {};
  const sessions: unknown = JSON.parse(buildExportChunks([formatSessionJson(session)], images).join(''));
  const lines = [{ format: tapeFormat, version: tapeVersion, ...note }, sessions];
  return [
    ...lines.map(formatLine),
    ...tapes.flatMap(({ runId, entries }) => entries.map((entry) => formatLine({ run: runId, ...entry }))),
  ];
}

function formatLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Returns the part of a session that leads to these turns: their lanes and ancestors, and nothing else. */
export function extractTurns(data: SessionData, turnIds: readonly TurnId[]): SessionData {
  const paths = turnIds.map((turnId) => getPathTo(data, turnId));
  const turns = paths.flat();
  const lanes = paths.flatMap((path) => {
    const last = path.at(-1);
    const lane = last && data.lanes[last.laneId];
    return lane && last ? [{ ...lane, tip: last.id }] : [];
  });
  const prompts = turns.flatMap((turn) => data.prompts[turn.promptId] ?? []);
  const runs = turns.flatMap((turn) => getRun(data, turn) ?? []);
  const laneIds = data.session.laneIds.filter((id) => lanes.some((lane) => lane.id === id));
  const promptIds = new Set(prompts.map(({ id }) => id));
  return {
    session: { ...data.session, laneIds },
    lanes: indexById(lanes),
    prompts: indexById(
      prompts.map(({ replaces, ...prompt }) =>
        replaces && promptIds.has(replaces) ? { ...prompt, replaces } : prompt,
      ),
    ),
    turns: indexById(turns),
    runs: indexById(runs),
  };
}
