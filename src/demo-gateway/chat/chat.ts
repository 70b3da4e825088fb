import type { ChatCall } from './chat-request.ts';
import { startChat, type ChatSurroundings } from './chat-run.ts';
import { eventStream } from './chat-stream.ts';
import { wholeCompletion } from './chat-whole.ts';

/** §2.4 and §2.5: the answer to a checked request, whole or as a stream of the same steps. Rejects when aborted. */
export async function chatResponse(call: ChatCall, surroundings: ChatSurroundings): Promise<Response> {
  const run = startChat(call, surroundings);
  if (!call.stream) return Response.json(await wholeCompletion(run));
  return new Response(eventStream(run), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}
