import type { ToolCall } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CandidateDelta } from './candidate.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import { startChatRun, type ChatRun, type ChatContext } from './chat-run.ts';
import { createEventStream } from './chat-stream.ts';

/**
 * Returns the response to a validated request, either complete (§2.4) or as a stream of the same steps (§2.5). Rejects
 * when aborted.
 */
export async function createChatResponse(
  request: ParsedChatRequest,
  context: ChatContext,
): Promise<Response> {
  const run = startChatRun(request, context);
  if (!request.stream) {
    const json = JSON.stringify(await collectCompletion(run), run.jsonReplacer);
    return new Response(json, { headers: { 'content-type': 'application/json' } });
  }
  return new Response(createEventStream(run), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

interface CompletedChoice {
  text: string;
  thinking: string;
  fields: JsonObject;
  toolCalls: ToolCall[];
  finishReason: string | null;
}

/** Runs to completion and returns the chat.completion as JSON (§2.4). */
async function collectCompletion(run: ChatRun): Promise<Record<string, unknown>> {
  const choices: CompletedChoice[] = [];
  for await (const batch of run.batches) {
    for (const step of batch.flat()) {
      run.usage.add(step);
      const choice = (choices[step.choice] ??= {
        text: '',
        thinking: '',
        fields: {},
        toolCalls: [],
        finishReason: null,
      });
      for (const delta of step.deltas) addDelta(choice, delta);
      choice.finishReason = step.finishReason ?? null;
    }
  }
  return {
    ...run.getCommonFields('chat.completion'),
    choices: choices.map(({ text, thinking, fields, toolCalls, finishReason }, index) => ({
      index,
      message: {
        role: 'assistant',
        content: text,
        ...(thinking === '' ? {} : { reasoning_content: thinking }),
        ...fields,
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
      },
      finish_reason: finishReason,
    })),
    usage: run.usage.toJson(),
  };
}

function addDelta(choice: CompletedChoice, delta: CandidateDelta): void {
  if ('text' in delta) choice.text += delta.text;
  else if ('thinking' in delta) {
    if (delta.wireFields) Object.assign(choice.fields, delta.wireFields);
    else choice.thinking += delta.thinking;
  } else if ('toolCall' in delta) {
    const { id, name, fields } = delta.toolCall;
    choice.toolCalls.push({ id, type: 'function', function: { name, arguments: '' }, ...fields });
  } else {
    const call = choice.toolCalls[delta.toolArguments.index];
    if (call !== undefined) call.function.arguments += delta.toolArguments.fragment;
  }
}
