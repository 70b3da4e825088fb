import { vectorKey } from '../../embedding/items/vector-key.ts';
import type { JobParts, JobSetup } from '../../state/embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../../state/embedding/embedding-job.ts';

export interface CutCheck {
  dimensions: number;
  texts: number;
  /** The least cosine between the server's vector and our cut of the full one. */
  least: number;
}

const mostTexts = 8;
/** Leaves room for bfloat16 and for what a batch changes. */
export const sameFrom = 0.999;

/**
 * Whether the server's own `dimensions` is what a cut here gives: a few texts are asked for at that size (one request)
 * and compared with the leading numbers of their full vectors. Rejects with an Error for people.
 */
export async function verifyCut(
  setup: JobSetup,
  texts: readonly string[],
  dimensions: number,
  parts: JobParts,
): Promise<CutCheck> {
  const step = Math.max(1, Math.floor(texts.length / mostTexts));
  const asked = texts.filter((_, index) => index % step === 0).slice(0, mostTexts);
  const job = createEmbeddingJob({ ...setup, dimensions }, asked, parts);
  await job.run({ isShort: true });
  const { phase } = job.state.getState();
  if (phase.name === 'paused') throw new Error(phase.report?.message ?? 'It was paused.');
  const full = await parts.vectors.get(
    await Promise.all(asked.map((text) => vectorKey(setup.model, setup.dimensions, text))),
  );
  const short = await parts.vectors.get(job.keys());
  const cosines = asked.flatMap((_, index) => {
    const [one, other] = [full[index]?.vector, short[index]?.vector];
    return one && other ? [cosineOfCut(one, other)] : [];
  });
  if (cosines.length === 0) throw new Error('The gateway returned no usable vector for these texts.');
  const lengths = short.flatMap((stored) => stored?.vector.length ?? []);
  if (lengths.some((length) => length !== dimensions))
    throw new Error(
      `The server returned ${lengths[0] ?? 0} dimensions although ${dimensions} were requested.`,
    );
  return { dimensions, texts: cosines.length, least: Math.min(...cosines) };
}

/** The cosine of a short vector and the leading numbers of a long one. */
function cosineOfCut(long: Float32Array, short: Float32Array): number {
  let [dot, oneSquared, otherSquared] = [0, 0, 0];
  for (const [index, other] of short.entries()) {
    const one = long[index] ?? 0;
    dot += one * other;
    oneSquared += one * one;
    otherSquared += other * other;
  }
  return dot / Math.sqrt(oneSquared * otherSquared);
}
