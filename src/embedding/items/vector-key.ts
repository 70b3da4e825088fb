import { writeExactJson } from '../../lib/exact-json.ts';
import { withSortedKeys, type Json, type JsonObject } from '../../lib/json.ts';
import { computeSha256 } from '../../lib/sha256.ts';

/** One input of §2.6: a text, or the numbers of its tokens. */
export type EmbeddingInput = string | readonly number[];

/** The parts of a request that determine the vector of an input. */
export interface VectorRequest {
  model: string;
  dimensions?: number;
  /** Extra request fields. */
  fields?: JsonObject;
  /** Name of the gateway; absent for the first one. */
  gateway?: string;
}

const encoder = new TextEncoder();

/** Returns the key under which a vector is stored: SHA-256 of model, dimensions, exact input, extra fields and gateway. */
export function computeVectorKey(
  { model, dimensions, fields, gateway }: VectorRequest,
  input: EmbeddingInput,
): Promise<string> {
  // JSON distinguishes the text "[1]" from the token list [1], and a missing size from any other. A lone surrogate is
  // escaped.
  const hashInput: Json[] = [model, dimensions ?? null, typeof input === 'string' ? input : [...input]];
  // Appended only if set: vectors stored before extra fields and gateways existed keep their keys. Fields are an object
  // and a gateway is a string, so one cannot be mistaken for the other.
  if (fields && Object.keys(fields).length > 0) hashInput.push(withSortedKeys(fields));
  if (gateway !== undefined) hashInput.push(gateway);
  return computeSha256(encoder.encode(writeExactJson(hashInput)));
}

/** Returns the fields as JSON text independent of their order; an empty string without fields. */
export function formatFields(fields: JsonObject | undefined): string {
  return fields === undefined ? '' : writeExactJson(withSortedKeys(fields));
}
