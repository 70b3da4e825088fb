/**
 * Tapes as JSON Lines, so that someone else sees exactly what was seen. The first line says what the file is, the
 * second is the session as one line of the sessions format (with its images), and then comes one event per line:
 * `{"run":"…","at":12.5,"data":"…"}`, the entries of each run in order. Nothing of the moment of export is in it.
 */
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ReadSessionResult } from '../session/read-session.ts';
import { getPathTo, indexById, getRun } from '../session/turn-tree.ts';
import type { RunId, SessionData, TurnId } from '../session/types.ts';
import { demoNote, buildExportChunks, hasDemoAnswers, formatSessionJson } from './session-export.ts';

export const tapeFormat = 'bench-tapes';
/** 2: requests with their text, answers with the opaque fields of their provider. */
export const tapeVersion = 2;

export interface Tape {
  runId: RunId;
  entries: readonly TapeEntry[];
}

/** The file, line by line; every piece ends with a line break. `images` are data URLs by hash. */
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

/** The part of a session that led to these turns: their lanes, what was said above them, and nothing beside it. */
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
