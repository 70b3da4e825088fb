/** §2.1: a lane's setup and path as the body of the request, with exactly the fields that are set. */
import type { ChatRequest, ContentPart, Message, ToolCall } from '../../gateway/wire.ts';
import { textOf } from '../reply/run.ts';
import { candidateOf } from '../session/candidates.ts';
import { pathTo, runOf, writtenOf } from '../session/tree.ts';
import type { Prompt, Run, SessionData, Setup, Turn, TurnId } from '../session/types.ts';
import { fillMessage, fillVariables } from '../session/variables.ts';
import { fieldsOf } from '../setup/params.ts';
import { withoutImages } from './images.ts';
import { resultsFor } from './tool-results.ts';

/**
 * The body for this turn: system, the path above it, its prompt, and the parameters that are sent.
 * Without a turn the setup alone, as it would go out with nothing said yet. A model that `isTextOnly` gets
 * the words of each message without its images.
 */
export function buildRequest(
  data: SessionData,
  setup: Setup,
  turnId: TurnId | undefined,
  isTextOnly: (model: string) => boolean = () => false,
): ChatRequest {
  const path = turnId === undefined ? [] : pathTo(data, turnId);
  const system = fillVariables(setup.system, data.session.variables ?? {});
  const messages: Message[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  for (const [index, turn] of path.entries()) {
    const prompt = data.prompts[turn.promptId];
    const before = path[index - 1];
    if (prompt) messages.push(...messagesOfPrompt(data, prompt, before, turn.parent?.choice ?? 0));
    const next = path[index + 1];
    const reply =
      next && replyMessage(data, turn, next.parent?.choice ?? 0, promptsBeforeReply(data, path, index + 1));
    if (reply) messages.push(reply);
  }
  const sent = isTextOnly(setup.model) ? messages.map(withoutImages) : messages;
  return { model: setup.model, messages: sent, ...fieldsOf(setup.params) };
}

/** Tool calls of one candidate with the ids they are answered by; ids are made where none came. */
export function toolCallsOf(turn: Turn, run: Run, choice: number): ToolCall[] {
  return (candidateOf(run, choice)?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.id ?? `call_${turn.id}_${part.slot}`,
            type: 'function' as const,
            function: { name: part.name, arguments: part.arguments },
          },
        ]
      : [],
  );
}

/** The calls of a reply, whether a model made them or a person wrote them. */
export function callsOfReply(data: SessionData, turn: Turn, choice: number): ToolCall[] {
  const written = writtenOf(turn);
  if (written) return written.role === 'assistant' ? (written.tool_calls ?? []) : [];
  const run = runOf(data, turn);
  return run ? toolCallsOf(turn, run, choice) : [];
}

function messagesOfPrompt(
  data: SessionData,
  prompt: Prompt,
  before: Turn | undefined,
  choice: number,
): Message[] {
  const calls = before ? callsOfReply(data, before, choice) : [];
  const answered = answeredCalls(calls, prompt).map(({ call, content }): Message => {
    return { role: 'tool', tool_call_id: call.id, content };
  });
  const variables = data.session.variables ?? {};
  return [...answered, ...prompt.messages.map((message) => fillMessage(message, variables))];
}

/** What was said from this turn on until something was answered. */
function promptsBeforeReply(data: SessionData, path: readonly Turn[], from: number): Prompt[] {
  const answered = path.findIndex((turn, index) => index >= from && turn.reply !== undefined);
  const turns = path.slice(from, answered < 0 ? undefined : answered + 1);
  return turns.flatMap((turn) => data.prompts[turn.promptId] ?? []);
}

/** The calls that this prompt has results for, each with its result. */
function answeredCalls(calls: readonly ToolCall[], prompt: Prompt): { call: ToolCall; content: string }[] {
  const results = resultsFor(calls, prompt.results ?? []);
  return calls.flatMap((call, index) => {
    const result = results[index];
    return result ? [{ call, content: result.content }] : [];
  });
}

/**
 * The assistant message that a reply becomes in the history. Reasoning is never sent back. Calls go
 * along only when the next prompt answers them, by results or by tool messages written by hand: a call
 * without its result is refused by providers.
 */
function replyMessage(
  data: SessionData,
  turn: Turn,
  choice: number,
  following: readonly Prompt[],
): Message | undefined {
  const all = callsOfReply(data, turn, choice);
  const answered = new Set(
    following.slice(0, 1).flatMap((next) => answeredCalls(all, next).map(({ call }) => call)),
  );
  const said = following.flatMap((prompt) => prompt.messages);
  const byHand = new Set(said.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])));
  const calls = all.filter((call) => answered.has(call) || byHand.has(call.id));
  const written = writtenOf(turn);
  if (written) return writtenMessage(written, calls);
  const run = runOf(data, turn);
  if (!run) return undefined;
  const shown = candidateOf(run, choice);
  const refusal = (shown?.parts ?? []).reduce(
    (all, part) => (part.type === 'refusal' ? all + part.text : all),
    '',
  );
  const text = textOf(shown) || refusal;
  // §2.2: content is required, a string or parts; others of this format also take null beside calls.
  if (calls.length > 0) return { role: 'assistant', content: text, tool_calls: calls };
  return text === '' ? undefined : { role: 'assistant', content: text };
}

function writtenMessage(written: Message, calls: ToolCall[]): Message {
  if (written.role !== 'assistant' || written.tool_calls === undefined) return written;
  const { tool_calls: _, ...rest } = written;
  const content = rest.content ?? '';
  return calls.length > 0 ? { ...rest, content, tool_calls: calls } : { ...rest, content };
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
