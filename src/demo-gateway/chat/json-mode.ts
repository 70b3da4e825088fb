import { isRecord, parseJson } from '../../lib/json.ts';
import type { Piece } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/**
 * §2.1 response_format: pieces whose text is one JSON object. A model's text that is not one is wrapped
 * as {"answer": text}; whether it is one is known at its end only, so text waits until then.
 * `longestTokens` bounds how much is waited for.
 */
export function* jsonPieces(pieces: Iterable<Piece>, longestTokens: number): Generator<Piece> {
  const texts: { text: string }[] = [];
  let callsTools = false;
  for (const piece of pieces) {
    if ('text' in piece) texts.push(piece);
    else yield piece;
    callsTools ||= 'toolCall' in piece;
    if (texts.length > longestTokens) break;
  }
  if (callsTools && texts.length === 0) return;
  const text = texts.map((piece) => piece.text).join('');
  const reading = parseJson(text);
  if (reading.ok && isRecord(reading.value)) yield* texts;
  else for (const token of splitTokens(JSON.stringify({ answer: text }))) yield { text: token };
}
