/** Vectors of queries, in the model and size of what is loaded. */
import { vectorKey } from '../../../embedding/items/vector-key.ts';
import type { EmbeddingJob } from '../../../state/embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../../../state/embedding/embedding-job.ts';
import type { Lab } from '../hooks/use-lab.ts';
import type { LabCore } from './lab-core.ts';

export function createLabQueries({ parts, setups }: LabCore): Pick<Lab, 'knownQuery' | 'embedQuery'> {
  const knownQuery: Lab['knownQuery'] = async (slot, text) => {
    const setup = setups[slot];
    if (!setup) return undefined;
    const [stored] = await parts.vectors.get([await vectorKey(setup.model, setup.dimensions, text)]);
    return stored?.vector;
  };
  return {
    knownQuery,
    embedQuery: async (slot, text, signal) => {
      const setup = setups[slot];
      if (!setup) throw new Error('Embed the texts first: a query is compared with them.');
      const known = await knownQuery(slot, text);
      if (known) return known;
      const job = createEmbeddingJob(setup, [text], parts);
      // What is under way is paid for: it is stored, though nobody waits for it any more.
      const stop = () => void job.pause();
      signal.addEventListener('abort', stop, { once: true });
      await job.run({ isShort: true });
      signal.removeEventListener('abort', stop);
      signal.throwIfAborted();
      const vector = await knownQuery(slot, text);
      if (vector) return vector;
      throw new Error(failureOf(job));
    },
  };
}

function failureOf(job: EmbeddingJob): string {
  const failure = job.failure(0);
  if (failure && 'refusal' in failure) return failure.refusal.message;
  const { phase } = job.state.getState();
  const report = phase.name === 'paused' ? phase.report : undefined;
  return report?.message ?? 'The gateway returned no usable vector for the query.';
}
