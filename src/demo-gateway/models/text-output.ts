import type { Json } from '../../lib/json.ts';
import type { ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/** The text as pieces of one token each. */
export function* toTextOutput(text: string): Generator<ModelOutput> {
  for (const token of splitTokens(text)) yield { text: token };
}

/** A value as the pieces of its indented JSON. */
export function toJsonOutput(value: Json): Iterable<ModelOutput> {
  return toTextOutput(JSON.stringify(value, null, 2));
}
