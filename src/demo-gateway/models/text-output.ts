import type { Json } from '../../lib/json.ts';
import type { ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/** Yields the text as pieces of one token each. */
export function* toTextOutput(text: string): Generator<ModelOutput> {
  for (const token of splitTokens(text)) yield { text: token };
}

/** Returns the pieces of the value's indented JSON. */
export function toJsonOutput(value: Json): Iterable<ModelOutput> {
  return toTextOutput(JSON.stringify(value, null, 2));
}
