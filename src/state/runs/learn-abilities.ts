/** Stores abilities observed in runs, and opens the run in which an ability was observed. */
import { findTurnByRun } from '../../conversation/session/turn-tree.ts';
import type { Run } from '../../conversation/session/types.ts';
import { readLearnedAbilities, type Sighting } from '../../conversation/setup/learned-abilities.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import type { LearnedModels } from '../learned-models.ts';
import type { Router } from '../route.ts';
import type { Library } from '../sessions/library.ts';
import { getCurrentSession, type SessionStore } from '../sessions/session-store.ts';
import { inspectTurn } from './inspector-actions.ts';
import { type InspectorStore } from './inspector-store.ts';

const loadEvidence = createPreloadableImport(() => import('../../conversation/setup/abilities-evidence.ts'));

interface LearningDeps {
  library: Pick<Library, 'readTapeFrom'>;
  learnedModels: LearnedModels;
  now: () => number;
}

/** Learns from a finished run. Its tape must be stored. */
export async function learnFromRun(run: Run, { library, learnedModels, now }: LearningDeps): Promise<void> {
  const { entries } = await library.readTapeFrom(run.id, 0);
  const request = entries.find((entry) => 'request' in entry);
  if (!request || !('request' in request)) return;
  const { collectEvidence, withEvidence } = await loadEvidence();
  const evidence = collectEvidence(run, request.request);
  if (evidence.length === 0) return;
  const sighting = { sessionId: run.sessionId, runId: run.id, at: now() };
  const key = learnedModels.getKey(run.setup);
  learnedModels.update(
    run.setup,
    withEvidence(readLearnedAbilities(learnedModels.state.getState(), key), evidence, sighting),
  );
}

interface SightingDeps {
  session: SessionStore;
  router: Router;
  inspector: InspectorStore;
  actions: { openSession: (id: string) => Promise<unknown> };
}

/**
 * Opens the session of a sighting with the inspector on its run, unless the user has navigated in the meantime. Returns
 * false if the run was deleted.
 */
export async function openSighting({ sessionId, runId }: Sighting, deps: SightingDeps): Promise<boolean> {
  const { session, router, inspector, actions } = deps;
  if (session.getState().currentId !== sessionId) {
    const hasNavigated = router.trackNavigation();
    await actions.openSession(sessionId);
    if (hasNavigated()) return true;
    router.navigate({ screen: 'playground', sessionId });
  }
  const data = getCurrentSession(session.getState());
  const turn = data && findTurnByRun(data, runId);
  if (!data || !turn) return false;
  inspectTurn(inspector, data, turn);
  return true;
}
