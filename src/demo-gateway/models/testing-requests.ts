/** Requests and replies for the tests of the demo models. */
import type { JsonObject } from '../../lib/json.ts';
import type { Message } from '../../gateway/wire.ts';
import type { DemoModel, DemoRequest, Piece } from '../model.ts';

/** Uniform numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface RequestOptions {
  fields?: JsonObject;
  seed?: number;
  wantsJson?: boolean;
  now?: number;
}

/** A request as the gateway's core would hand it over; a string is one message of the person. */
export function aRequest(messages: Message[] | string, { fields = {}, seed = 1, wantsJson = false, now }: RequestOptions = {}): DemoRequest {
  return {
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    fields,
    candidate: 0,
    random: seededRandom(seed),
    now: now ?? Date.UTC(2026, 10, 21, 12),
    wantsJson,
  };
}

export function replyOf(model: DemoModel, request: DemoRequest): Piece[] {
  return [...model.reply(request)];
}

export function textOfReply(model: DemoModel, request: DemoRequest): string {
  return replyOf(model, request).flatMap((piece) => ('text' in piece ? [piece.text] : [])).join('');
}
