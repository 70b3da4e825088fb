/** Builds the request body from a lane's setup and path (§2.1), with exactly the fields that are set. */
import {
  countRecordFields,
  isOpaqueField,
  reasoningFields,
  splitFieldName,
} from '../../gateway/opaque-fields.ts';
import type {
  ChatRequest,
  ContentPart,
  Message,
  OpaqueFields,
  OpaqueRecord,
  ToolCall,
} from '../../gateway/wire.ts';
import { toExactValue } from '../../lib/exact-json.ts';
import type { JsonObject } from '../../lib/json.ts';
import { drawAlphanumerics, createSeededRandom } from '../../lib/random.ts';
import { getAnswerText } from '../reply/run.ts';
import { getCandidate } from '../session/candidates.ts';
import { getPathTo, getRun, getManualReply } from '../session/turn-tree.ts';
import type {
  Lane,
  ModelChoice,
  Prompt,
  Run,
  Session,
  SessionData,
  Setup,
  Turn,
  TurnId,
} from '../session/types.ts';
import { fillMessage, fillVariables } from '../session/variables.ts';
import { buildRequestFields, isMessageFieldRefused, type RefusedFields } from '../setup/params.ts';
import { joinTextParts, toSentMessage } from './message-files.ts';
import { withoutMedia, type MediaType } from './message-images.ts';
import { matchResults } from './tool-results.ts';

/** Restrictions of the models and gateways on requests. */
export interface RequestRules {
  /** Returns the types of parts that the model does not accept; they are left out of messages. */
  listRejectedTypes?: (choice: ModelChoice) => readonly MediaType[];
  /** Returns the fields that the model rejected through this gateway. */
  getRefusedFields?: (choice: ModelChoice) => RefusedFields;
  /**
   * Returns the gateway of a model, `undefined` until the server has reported it. Opaque fields are sent only to the
   * gateway and model that produced them.
   */
  findGateway?: (choice: ModelChoice) => { id: string; name: string } | undefined;
}

/**
 * Returns the body for this turn: system prompt, path, prompt and sent parameters. Without a turn only the setup is
 * used.
 */
export function buildRequest(
  data: SessionData,
  setup: Setup,
  turnId: TurnId | undefined,
  rules: RequestRules = {},
): ChatRequest {
  const rejectedTypes = rules.listRejectedTypes?.(setup) ?? [];
  const messages = adaptMessages(buildMessages(data, setup, turnId), data.session, setup, rules).map(
    (message) => withoutMedia(toSentMessage(message), rejectedTypes),
  );
  return { model: setup.model, messages, ...buildRequestFields(setup.params) };
}

/** Lists the names of opaque fields in messages and calls, and the `name` of results, without duplicates. */
export function listOpaqueFieldNames(messages: readonly Message[]): string[] {
  const names = messages.flatMap((message) => {
    if (message.role === 'tool') return message.name === undefined ? [] : ['name'];
    if (message.role !== 'assistant') return [];
    const calls = message.tool_calls ?? [];
    return [message, ...calls, ...calls.map((call) => call.function)].flatMap((part) =>
      Object.keys(part).filter(isOpaqueField),
    );
  });
  return [...new Set(names)];
}

/** Counts the opaque fields from an imported file that the request for this turn would send. */
export function countImportedFields(
  data: SessionData,
  setup: Setup,
  turnId: TurnId | undefined,
  rules: RequestRules,
): number {
  return countImportedMessageFields(buildMessages(data, setup, turnId), data.session, setup, rules);
}

/**
 * Counts the imported opaque fields for the next request of this lane, assuming results for all calls of its last
 * answer.
 */
export function countNextImportedFields(data: SessionData, lane: Lane, rules: RequestRules): number {
  const messages = buildMessages(data, lane.setup, lane.tip);
  const turn = lane.tip === undefined ? undefined : data.turns[lane.tip];
  const run = turn && getRun(data, turn);
  if (turn && run) {
    const candidateIndex = turn.shownChoice ?? 0;
    const calls = getToolCalls(turn, run, candidateIndex);
    const opaque = createOpaqueRecord(run, candidateIndex, calls, calls);
    messages.push({ role: 'assistant', content: '', tool_calls: calls, opaque });
  }
  return countImportedMessageFields(messages, data.session, lane.setup, rules);
}

function countImportedMessageFields(
  messages: readonly Message[],
  session: Session,
  setup: Setup,
  rules: RequestRules,
): number {
  return messages.reduce((count, message) => {
    if (message.role !== 'assistant' || !message.opaque?.isImported) return count;
    return count + countRecordFields(chooseOpaqueFields(message, message.opaque, session, setup, rules));
  }, 0);
}

/** Builds the messages before the rules apply: assistant messages keep all opaque fields. */
function buildMessages(data: SessionData, setup: Setup, turnId: TurnId | undefined): Message[] {
  const path = turnId === undefined ? [] : getPathTo(data, turnId);
  const system = fillVariables(setup.system, data.session.variables ?? {});
  const role = setup.systemRole ?? 'system';
  const messages: Message[] = system.trim() === '' ? [] : [{ role, content: system }];
  for (const [index, turn] of path.entries()) {
    const prompt = data.prompts[turn.promptId];
    const previousTurn = path[index - 1];
    if (prompt) messages.push(...buildPromptMessages(data, prompt, previousTurn, turn.parent?.choice ?? 0));
    const nextTurn = path[index + 1];
    const reply =
      nextTurn &&
      buildReplyMessage(
        data,
        turn,
        nextTurn.parent?.choice ?? 0,
        getPromptsBeforeReply(data, path, index + 1),
      );
    if (reply) messages.push(reply);
  }
  return messages;
}

/**
 * Adapts the messages to this model and gateway: opaque fields are kept only if they were produced there, call IDs from
 * other models become portable, and each result gets its function name.
 */
function adaptMessages(
  messages: readonly Message[],
  session: Session,
  setup: Setup,
  rules: RequestRules,
): Message[] {
  const refusedFields = rules.getRefusedFields?.(setup) ?? {};
  const isFieldRefused = (name: string) => isMessageFieldRefused(refusedFields, name);
  const newIds = new Map<string, string>();
  const functionNames = new Map<string, string>();
  return messages.map((message): Message => {
    if (message.role === 'assistant') {
      const { opaque, ...plainMessage } = message;
      const isForeign = opaque !== undefined && opaque.model !== setup.model;
      for (const { id, function: calledFunction } of plainMessage.tool_calls ?? []) {
        if (isForeign) newIds.set(id, toPortableCallId(id));
        else newIds.delete(id);
        functionNames.set(id, calledFunction.name);
      }
      if (!opaque) return plainMessage;
      const { fields, calls } = chooseOpaqueFields(message, opaque, session, setup, rules);
      const sentCalls = plainMessage.tool_calls?.map((call, index) => ({
        ...call,
        id: newIds.get(call.id) ?? call.id,
        function: { ...call.function, ...toExactFields(calls[index] ?? {}, isFieldRefused, true) },
        ...toExactFields(calls[index] ?? {}, isFieldRefused),
      }));
      return {
        ...plainMessage,
        ...(sentCalls ? { tool_calls: sentCalls } : {}),
        ...toExactFields(fields, isFieldRefused),
      };
    }
    if (message.role !== 'tool') return message;
    // Older sessions store manual results under longer call IDs.
    const storedId = message.tool_call_id;
    const id = functionNames.has(storedId) ? storedId : toPortableCallId(storedId);
    if (!functionNames.has(id)) return message;
    const name = isFieldRefused('name') ? undefined : (message.name ?? functionNames.get(id));
    const { name: _, ...result } = message;
    return { ...result, tool_call_id: newIds.get(id) ?? id, ...(name ? { name } : {}) };
  });
}

/** Returns the opaque fields of a message and its calls that are sent with this setup. */
export function chooseOpaqueFields(
  { tool_calls: calls = [] }: { tool_calls?: ToolCall[] },
  opaque: OpaqueRecord,
  session: Session,
  setup: Setup,
  rules: RequestRules,
): { fields: OpaqueFields; calls: OpaqueFields[] } {
  const { model, sendReasoning } = setup;
  const gatewayId = rules.findGateway?.(setup)?.id;
  const isWriter = opaque.model === model && gatewayId !== undefined && opaque.gatewayId === gatewayId;
  if (!isWriter || (opaque.isImported && session.importedFields === 'left out'))
    return { fields: {}, calls: [] };
  const shouldSendReasoning = sendReasoning === 'always' || (sendReasoning === undefined && calls.length > 0);
  const fields = Object.entries(opaque.fields ?? {}).filter(
    ([name]) => shouldSendReasoning || !reasoningFields.includes(name),
  );
  return { fields: Object.fromEntries(fields), calls: (opaque.calls ?? []).slice(0, calls.length) };
}

/**
 * Converts opaque fields of a message or call to request fields. `selectsFunctionFields` selects those of the call's
 * `function`.
 */
function toExactFields(
  fields: OpaqueFields,
  isRefused: (name: string) => boolean,
  selectsFunctionFields = false,
): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => {
      const [isFunctionField, ownName] = splitFieldName(name);
      const isSent = isFunctionField === selectsFunctionFields && isOpaqueField(name) && !isRefused(ownName);
      return isSent ? [[ownName, toExactValue(text)]] : [];
    }),
  );
}

const portableCallId = /^[A-Za-z0-9]{9}$/;

/**
 * Returns an ID of nine letters and digits, which every provider accepts. The result is deterministic, and IDs of this
 * form stay unchanged.
 */
function toPortableCallId(id: string): string {
  if (portableCallId.test(id)) return id;
  return drawAlphanumerics(9, createSeededRandom(id));
}

/** Returns the tool calls of one candidate; missing IDs are generated. */
export function getToolCalls(turn: Turn, run: Run, candidateIndex: number): ToolCall[] {
  return (getCandidate(run, candidateIndex)?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.id ?? toPortableCallId(`call_${turn.id}_${part.slot}`),
            type: 'function' as const,
            function: { name: part.name, arguments: part.arguments },
          },
        ]
      : [],
  );
}

/** Returns the tool calls of a reply, generated or written by hand. */
export function getReplyToolCalls(data: SessionData, turn: Turn, candidateIndex: number): ToolCall[] {
  const manualReply = getManualReply(turn);
  if (manualReply) return manualReply.role === 'assistant' ? (manualReply.tool_calls ?? []) : [];
  const run = getRun(data, turn);
  return run ? getToolCalls(turn, run, candidateIndex) : [];
}

function buildPromptMessages(
  data: SessionData,
  prompt: Prompt,
  previousTurn: Turn | undefined,
  candidateIndex: number,
): Message[] {
  const calls = previousTurn ? getReplyToolCalls(data, previousTurn, candidateIndex) : [];
  const resultMessages = getCallsWithResults(calls, prompt).map(({ call, content }): Message => {
    return { role: 'tool', tool_call_id: call.id, content };
  });
  const variables = data.session.variables ?? {};
  return [...resultMessages, ...prompt.messages.map((message) => fillMessage(message, variables))];
}

/** Returns the prompts from this turn up to the next turn with a reply. */
function getPromptsBeforeReply(data: SessionData, path: readonly Turn[], startIndex: number): Prompt[] {
  const replyIndex = path.findIndex((turn, index) => index >= startIndex && turn.reply !== undefined);
  const turns = path.slice(startIndex, replyIndex < 0 ? undefined : replyIndex + 1);
  return turns.flatMap((turn) => data.prompts[turn.promptId] ?? []);
}

/** Returns the calls for which the prompt has results, with these results. */
function getCallsWithResults(
  calls: readonly ToolCall[],
  prompt: Prompt,
): { call: ToolCall; content: string }[] {
  const results = matchResults(calls, prompt.results ?? []);
  return calls.flatMap((call, index) => {
    const result = results[index];
    return result ? [{ call, content: result.content }] : [];
  });
}

/**
 * Builds the assistant message of a reply. Tool calls are included only if the next prompt has results or manual tool
 * messages for them, because providers reject calls without results.
 */
function buildReplyMessage(
  data: SessionData,
  turn: Turn,
  candidateIndex: number,
  followingPrompts: readonly Prompt[],
): Message | undefined {
  const allCalls = getReplyToolCalls(data, turn, candidateIndex);
  const callsWithResults = new Set(
    followingPrompts
      .slice(0, 1)
      .flatMap((prompt) => getCallsWithResults(allCalls, prompt).map(({ call }) => call)),
  );
  const followingMessages = followingPrompts.flatMap((prompt) => prompt.messages);
  const manualResultIds = new Set(
    followingMessages.flatMap((message) =>
      message.role === 'tool' ? [message.tool_call_id, toPortableCallId(message.tool_call_id)] : [],
    ),
  );
  const calls = allCalls.filter((call) => callsWithResults.has(call) || manualResultIds.has(call.id));
  const manualReply = getManualReply(turn);
  if (manualReply) return buildManualMessage(manualReply, calls);
  const run = getRun(data, turn);
  if (!run) return undefined;
  const opaque = createOpaqueRecord(run, candidateIndex, allCalls, calls);
  const candidate = getCandidate(run, candidateIndex);
  const refusal = (candidate?.parts ?? []).reduce(
    (joinedText, part) => (part.type === 'refusal' ? joinedText + part.text : joinedText),
    '',
  );
  const text = getAnswerText(candidate) || refusal;
  // §2.2 requires content to be a string or parts; other OpenAI-compatible services also accept null next to calls.
  if (calls.length > 0) return { role: 'assistant', content: text, tool_calls: calls, opaque };
  return text === '' ? undefined : { role: 'assistant', content: text, opaque };
}

/** Collects the opaque fields of a candidate and of the calls that are sent. */
export function createOpaqueRecord(
  run: Run,
  candidateIndex: number,
  allCalls: readonly ToolCall[],
  sentCalls: readonly ToolCall[],
): OpaqueRecord {
  const candidate = getCandidate(run, candidateIndex);
  const callParts = (candidate?.parts ?? []).flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  return {
    model: run.setup.model,
    ...(run.gatewayId === undefined ? {} : { gatewayId: run.gatewayId }),
    fields: candidate?.opaque ?? {},
    calls: sentCalls.map((call) => callParts[allCalls.indexOf(call)]?.opaque ?? {}),
    ...(run.isImported ? { isImported: true } : {}),
  };
}

function buildManualMessage(manualReply: Message, calls: ToolCall[]): Message {
  if (manualReply.role !== 'assistant' || manualReply.tool_calls === undefined) return manualReply;
  const { tool_calls: _, ...rest } = manualReply;
  const content = rest.content ?? '';
  return calls.length > 0 ? { ...rest, content, tool_calls: calls } : { ...rest, content };
}

/** Returns the text of a message content, with text parts and files joined as they are sent. */
export function getContentText(content: string | ContentPart[] | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return joinTextParts(content);
}

/** Estimates tokens as a quarter of the characters, for display with `~` if no usage is reported. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export function estimatePromptTokens(body: ChatRequest): number {
  return body.messages.reduce((sum, message) => sum + estimateTokens(getContentText(message.content)), 0);
}
