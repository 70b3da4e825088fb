/** §2.1: a lane's setup and path as the body of the request, with exactly the fields that are set. */
import type { ChatRequest, ContentPart, Message, ToolCall } from '../gateway/wire.ts';
import { fieldsOf } from './params.ts';
import { textOf } from './run.ts';
import { pathTo } from './tree.ts';
import type { Prompt, Run, SessionData, Setup, Turn, TurnId } from './types.ts';

/** The body for this turn: system, the path above it, its prompt, and the parameters that are sent. */
export function buildRequest(data: SessionData, setup: Setup, turnId: TurnId): ChatRequest {
  const path = pathTo(data, turnId);
  const messages: Message[] = setup.system.trim() === '' ? [] : [{ role: 'system', content: setup.system }];
  for (const [index, turn] of path.entries()) {
    const prompt = data.prompts[turn.promptId];
    const before = path[index - 1];
    if (prompt) messages.push(...messagesOfPrompt(data, prompt, before, turn.parent?.choice ?? 0));
    const next = path[index + 1];
    const reply = next && replyMessage(data, turn, next.parent?.choice ?? 0, data.prompts[next.promptId]);
    if (reply) messages.push(reply);
  }
  return { model: setup.model, messages, ...fieldsOf(setup.params) };
}

/** Tool calls of one candidate with the ids they are answered by; ids are made where none came. */
export function toolCallsOf(turn: Turn, run: Run, choice: number): ToolCall[] {
  return (run.choices[choice]?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call' ?
      [
        {
          id: part.id ?? `call_${turn.id}_${part.slot}`,
          type: 'function' as const,
          function: { name: part.name, arguments: part.arguments },
        },
      ]
    : [],
  );
}

/** How often the same name was called before this call: with the name, it says which call a result answers. */
export function ordinalOf(calls: readonly ToolCall[], index: number): number {
  const name = calls[index]?.function.name;
  return calls.slice(0, index).filter((call) => call.function.name === name).length;
}

function runOf(data: SessionData, turn: Turn): Run | undefined {
  return turn.reply && 'runId' in turn.reply ? data.runs[turn.reply.runId] : undefined;
}

function messagesOfPrompt(data: SessionData, prompt: Prompt, before: Turn | undefined, choice: number): Message[] {
  const run = before && runOf(data, before);
  const calls = before && run ? toolCallsOf(before, run, choice) : [];
  const answered = answeredCalls(calls, prompt).map(({ call, content }): Message => {
    return { role: 'tool', tool_call_id: call.id, content };
  });
  return [...answered, ...prompt.messages];
}

/** The calls that this prompt has results for, matched by name and order, each with its result. */
function answeredCalls(calls: readonly ToolCall[], prompt: Prompt): { call: ToolCall; content: string }[] {
  return calls.flatMap((call, index) => {
    const ordinal = ordinalOf(calls, index);
    const result = prompt.results?.find(
      ({ call: asked }) => asked.name === call.function.name && asked.ordinal === ordinal,
    );
    return result ? [{ call, content: result.content }] : [];
  });
}

/**
 * The assistant message that a reply becomes in the history. Reasoning is never sent back. Calls go
 * along only when the next prompt answers them: a call without its result is refused by providers.
 */
function replyMessage(data: SessionData, turn: Turn, choice: number, next: Prompt | undefined): Message | undefined {
  if (turn.reply && 'written' in turn.reply) return turn.reply.written;
  const run = runOf(data, turn);
  if (!run) return undefined;
  const shown = run.choices[choice];
  const refusal = (shown?.parts ?? []).reduce((all, part) => (part.type === 'refusal' ? all + part.text : all), '');
  const text = textOf(shown) || refusal;
  const calls = next ? answeredCalls(toolCallsOf(turn, run, choice), next).map(({ call }) => call) : [];
  if (calls.length > 0) return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls };
  return text === '' ? undefined : { role: 'assistant', content: text };
}

/** The text of a message's content: its string, or its text parts joined. */
export function textOfContent(content: string | ContentPart[] | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** A rough count for where no usage is reported: about four characters a token. Always shown with `~`. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export function estimatePromptTokens(body: ChatRequest): number {
  return body.messages.reduce((sum, message) => sum + estimateTokens(textOfContent(message.content)), 0);
}
