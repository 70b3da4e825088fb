import { sha256 } from '../../lib/sha256.ts';

/** One input of §2.6: a text, or the numbers of its tokens. */
export type EmbeddingInput = string | readonly number[];

const encoder = new TextEncoder();

/** The name under which a vector is kept: SHA-256 of model, dimensions and the exact input. */
export function vectorKey(
  model: string,
  dimensions: number | undefined,
  input: EmbeddingInput,
): Promise<string> {
  // JSON tells the text "[1]" from the token list [1], and a missing size from any other. A lone surrogate is escaped.
  return sha256(encoder.encode(JSON.stringify([model, dimensions ?? null, input])));
}
