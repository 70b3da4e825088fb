import type { Playground } from '../../../state/playground.ts';
import { openVectorStore } from '../../../storage/vector-db.ts';
import { memoryVectorStore } from '../../../storage/vector-store.ts';
import { clearQuery } from '../nearest/find-store.ts';
import { vectorEngine } from '../vector-engine.ts';
import { createLabControl, type LabControl } from './lab-control.ts';

const labs = new WeakMap<Playground, Promise<LabControl>>();

/** The lab of this page: the same one each time the screen is shown, so that going elsewhere loses nothing. */
export function openLab(playground: Playground): Promise<LabControl> {
  const known = labs.get(playground);
  if (known) return known;
  const opening = open(playground);
  labs.set(playground, opening);
  // What failed once is tried again the next time the screen is shown.
  opening.catch(() => labs.delete(playground));
  return opening;
}

async function open({ page, gateway, queue, signals, storage, unsaved }: Playground): Promise<LabControl> {
  let onErased: () => void = () => undefined;
  const isMemory = storage.getState().mode === 'memory';
  const vectors = isMemory ? memoryVectorStore() : await openVectorStore(() => onErased());
  const lab = await createLabControl(
    {
      gateway,
      queue,
      vectors,
      now: page.now,
      newId: page.newId,
      random: () => Math.random(),
      heardStatus: signals.heardStatus,
      unsaved,
    },
    vectorEngine,
  );
  onErased = () => {
    clearQuery();
    void lab.forget();
  };
  page.onHide(() => void lab.keep());
  return lab;
}
