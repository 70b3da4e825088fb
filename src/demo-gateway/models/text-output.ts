import type { Json } from '../../lib/json.ts';
import type { Piece } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/** The text as pieces of one token each. */
export function* textPieces(text: string): Generator<Piece> {
  for (const token of splitTokens(text)) yield { text: token };
}

/** A value as the pieces of its indented JSON. */
export function valuePieces(value: Json): Iterable<Piece> {
  return textPieces(JSON.stringify(value, null, 2));
}
