import type { Message } from '../../gateway/wire.ts';
/** Requests and replies for the tests of the demo models. */
import type { JsonObject } from '../../lib/json.ts';
import type { DemoModel, DemoRequest, Piece } from '../model.ts';
import { seededRandom } from '../random.ts';

interface RequestOptions {
  fields?: JsonObject;
  seed?: number;
  wantsJson?: boolean;
  now?: number;
}

/** A request as the gateway's core would hand it over; a string is one message of the person. */
export function aRequest(
  messages: Message[] | string,
  { fields = {}, seed = 1, wantsJson = false, now }: RequestOptions = {},
): DemoRequest {
  return {
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    fields,
    candidate: 0,
    random: seededRandom(String(seed)),
    now: now ?? Date.UTC(2026, 10, 21, 12),
    wantsJson,
  };
}

export function replyOf(model: DemoModel, request: DemoRequest): Piece[] {
  return [...model.reply(request)];
}

export function textOfReply(model: DemoModel, request: DemoRequest): string {
  return replyOf(model, request)
    .flatMap((piece) => ('text' in piece ? [piece.text] : []))
    .join('');
}
