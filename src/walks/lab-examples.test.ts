/** Tests that the lab's examples work as described with the demo gateway's models. */
import { expect, it } from 'vitest';

import { createLocalEngine } from '../embedding/engine/local-engine.ts';
import { starterTexts } from '../features/embeddings/texts/starter-texts.ts';
import { noModel } from '../state/lab/lab-input.ts';
import { createLab } from '../state/lab/lab.ts';
import { createMemoryVectorStore } from '../storage/vector-store.ts';
import { createBench } from '../testing/bench.ts';

/** Returns the share of texts (0 to 1) whose nearest neighbour is in the same group. */
async function computeGroupShare(typed: string, model: string): Promise<number> {
  const { gateways, page } = await createBench();
  const { now, newId } = page;
  const engine = createLocalEngine({ now, pause: () => Promise.resolve() });
  const deps = { gateways, vectors: createMemoryVectorStore(), now, newId, random: () => 0.5 };
  const lab = await createLab(deps, engine);
  lab.edit({ typed, models: { A: { model }, B: noModel } });
  await lab.embed();
  const { sets, texts } = lab.state.getState();
  const view = { set: 'A', dimensions: sets.A?.dimensions ?? 0 };
  const groupMatches = await Promise.all(
    texts.map(async ({ group }, row) => {
      const { rows } = await engine.search(view, { row }, 1);
      return texts[rows[0] ?? -1]?.group === group;
    }),
  );
  return groupMatches.filter(Boolean).length / texts.length;
}

it('finds a nearest neighbour in the same group for all texts by meaning, but for under 75% by spelling', async () => {
  const { support, paraphrases, subjects } = starterTexts;
  for (const typed of [support, paraphrases, subjects]) {
    expect(await computeGroupShare(typed, 'demo/meaning-en')).toBe(1);
    expect(await computeGroupShare(typed, 'demo/embedding-8B')).toBeLessThan(0.75);
  }
});
