/**
 * Restores opaque fields of answers recorded before these fields were stored with the run; the tapes still contain
 * them.
 */
import { foldInterruptedTape } from '../../conversation/reply/fold-tape.ts';
import { resetRun } from '../../conversation/reply/run.ts';
import type { RequestRules } from '../../conversation/request/request.ts';
import { getPathTo, getRun } from '../../conversation/session/turn-tree.ts';
import type { Run, TurnId } from '../../conversation/session/types.ts';
import { isSameModel } from '../../conversation/setup/model-key.ts';
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
 * Restores the opaque fields of this answer and of earlier answers by the same model from their tapes, and sets the ID
 * of the current gateway. The next request includes the fields.
 */
export async function restoreOpaqueFields(
  deps: {
    store: SessionStore;
    library: Pick<Library, 'readTape'>;
    findGateway: NonNullable<RequestRules['findGateway']>;
  },
  turnId: TurnId,
): Promise<void> {
  const data = getCurrentSession(deps.store.getState());
  if (!data) return;
  const runs = getPathTo(data, turnId).flatMap((turn) => getRun(data, turn) ?? []);
  const setup = runs.at(-1)?.setup;
  const gatewayId = setup && deps.findGateway(setup)?.id;
  // The server has not reported its gateways yet.
  if (gatewayId === undefined) return;
  for (const run of runs) {
    if (run.gatewayId !== undefined || !isSameModel(run.setup, setup)) continue;
    const { choices } = foldInterruptedTape(resetRun(run), await deps.library.readTape(run.id));
    if (choices.length === 0) continue;
    updateRuns(deps.store, [run.id], (current) => ({ ...current, choices, gatewayId }));
  }
}
