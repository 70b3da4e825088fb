/** Opaque fields of answers from before they were stored with the run: their tapes still hold them. */
import { foldInterruptedTape } from '../../conversation/reply/fold-tape.ts';
import { resetRun } from '../../conversation/reply/run.ts';
import { getPathTo, getRun } from '../../conversation/session/turn-tree.ts';
import type { Run, TurnId } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { Library } from '../sessions/library.ts';
import { updateRuns, getCurrentSession, type SessionStore } from '../sessions/session-store.ts';

/** Lists the opaque fields on the tape of a run without a stored gateway; none for other runs. */
export function listOpaqueTapeFields(run: Run, tape: readonly TapeEntry[]): string[] {
  if (run.gatewayId !== undefined || tape.length === 0) return [];
  const { choices } = foldInterruptedTape(resetRun(run), tape);
  const records = choices.flatMap(({ opaque, parts }) => [
    opaque ?? {},
    ...parts.map((part) => (part.type === 'tool-call' ? (part.opaque ?? {}) : {})),
  ]);
  return [...new Set(records.flatMap((fields) => Object.keys(fields)))];
}

/**
 * Gives the answer of this turn, and those above it of the same model, the opaque fields of their tapes and the id of the
 * gateway that is asked now: from the next request on they are sent.
 */
export async function restoreOpaqueFields(
  deps: { store: SessionStore; library: Pick<Library, 'readTape'>; gatewayId: string },
  turnId: TurnId,
): Promise<void> {
  const data = getCurrentSession(deps.store.getState());
  // Before the server has told its id, there is none to give.
  if (!data || deps.gatewayId === '') return;
  const runs = getPathTo(data, turnId).flatMap((turn) => getRun(data, turn) ?? []);
  const model = runs.at(-1)?.setup.model;
  for (const run of runs) {
    if (run.gatewayId !== undefined || run.setup.model !== model) continue;
    const { choices } = foldInterruptedTape(resetRun(run), await deps.library.readTape(run.id));
    if (choices.length === 0) continue;
    updateRuns(deps.store, [run.id], (current) => ({ ...current, choices, gatewayId: deps.gatewayId }));
  }
}
