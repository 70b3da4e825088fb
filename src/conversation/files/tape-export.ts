/**
 * Tapes as JSON Lines, so that someone else sees exactly what was seen. The first line says what the file is, the
 * second is the session as one line of the sessions format (with its images), and then comes one event per line:
 * `{"run":"…","at":12.5,"data":"…"}`, the entries of each run in order. Nothing of the moment of export is in it.
 */
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { Revived } from '../session/read-session.ts';
import { pathTo, recordsById, runOf } from '../session/turn-tree.ts';
import type { RunId, SessionData, TurnId } from '../session/types.ts';
import { demoNote, exportPieces, hasDemoAnswers, sessionJson } from './session-export.ts';

export const tapeFormat = 'bench-tapes';
/** 2: requests with their text, answers with the opaque fields of their provider. */
export const tapeVersion = 2;

export interface Tape {
  runId: RunId;
  entries: readonly TapeEntry[];
}

/** The file, line by line; every piece ends with a line break. `images` are data URLs by hash. */
export function tapeLines(
  session: Revived,
  tapes: readonly Tape[],
  images: Readonly<Record<string, string>> = {},
): string[] {
  const note = hasDemoAnswers(session.data) ? { note: demoNote } : {};
  const sessions: unknown = JSON.parse(exportPieces([sessionJson(session)], images).join(''));
  const lines = [{ format: tapeFormat, version: tapeVersion, ...note }, sessions];
  return [
    ...lines.map(lineOf),
    ...tapes.flatMap(({ runId, entries }) => entries.map((entry) => lineOf({ run: runId, ...entry }))),
  ];
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The part of a session that led to these turns: their lanes, what was said above them, and nothing beside it. */
export function sessionOfTurns(data: SessionData, turnIds: readonly TurnId[]): SessionData {
  const paths = turnIds.map((turnId) => pathTo(data, turnId));
  const turns = paths.flat();
  const lanes = paths.flatMap((path) => {
    const last = path.at(-1);
    const lane = last && data.lanes[last.laneId];
    return lane && last ? [{ ...lane, tip: last.id }] : [];
  });
  const prompts = turns.flatMap((turn) => data.prompts[turn.promptId] ?? []);
  const runs = turns.flatMap((turn) => runOf(data, turn) ?? []);
  const laneIds = data.session.laneIds.filter((id) => lanes.some((lane) => lane.id === id));
  const known = new Set(prompts.map(({ id }) => id));
  return {
    session: { ...data.session, laneIds },
    lanes: recordsById(lanes),
    prompts: recordsById(
      prompts.map(({ replaces, ...prompt }) =>
        replaces && known.has(replaces) ? { ...prompt, replaces } : prompt,
      ),
    ),
    turns: recordsById(turns),
    runs: recordsById(runs),
  };
}
