/** Rejects requests in the same way as real providers, so that these errors can be reproduced without a key. */
import { getOwnProperty, getStringProperty, type Json } from '../../lib/json.ts';
import { drawAlphanumerics, createSeededRandom } from '../../lib/random.ts';
import type { DemoModel, DemoRequest, ModelOutput } from '../model.ts';
import { readEnum } from '../request-fields.ts';
import { quirkNames, quirks, type Quirk } from './quirks.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';
import { tools } from './tools.ts';

export const strict: DemoModel = {
  id: 'demo/strict',
  description: 'Calls the first two tools offered. Set demo_quirk to choose what it rejects.',
  abilities: { vision: false, tools: true, thinking: true },
  reply: (request) => generateReply(request, noQuirk, quirkList),
  createForRequest(body) {
    const quirkName = body['demo_quirk'] ?? undefined;
    if (quirkName === undefined) return strict;
    const quirk = quirks[readEnum('demo_quirk', quirkName, quirkNames)];
    quirk.check?.(body);
    const remark = quirk.describe(body);
    return {
      ...strict,
      reply: (request) => generateReply(request, quirk, remark),
      ...(quirk.jsonReplacer ? { jsonReplacer: quirk.jsonReplacer } : {}),
    };
  },
};

const noQuirk: Pick<Quirk, 'think' | 'callIdPrefix' | 'callFields'> = {};

const quirkList = `Set the extra field \`demo_quirk\` to choose what I reject: ${quirkNames
  .map((name) => `"${name}"`)
  .join(', ')}.`;

const noToolsText = 'I call the first two tools offered, and report their results.';

function* generateReply(request: DemoRequest, quirk: typeof noQuirk, remark: string): Generator<ModelOutput> {
  const { messages, fields, isJsonMode } = request;
  const calls = planCalls(request);
  const names = calls.map(({ name }) => name).join(' and ');
  const thought = names === '' ? 'There is nothing to call, so I answer.' : `I need to call ${names}.`;
  yield* quirk.think?.(thought, fields['stream'] === true) ?? [];
  if (calls.length > 0) {
    if (!isJsonMode) yield* toTextOutput(remark);
    for (const [position, call] of calls.entries()) {
      const id = createCallId(request, position, quirk.callIdPrefix ?? 'call_');
      const callFields = position === 0 ? quirk.callFields?.(id) : undefined;
      yield { toolCall: { ...call, id, ...(callFields ? { fields: callFields } : {}) } };
    }
  } else if (messages.at(-1)?.role === 'tool') {
    yield* tools.reply(request);
    if (!isJsonMode) yield* toTextOutput(`\n\n${remark}`);
  } else {
    const text = `${noToolsText} ${remark}`;
    yield* isJsonMode ? toJsonOutput({ answer: text }) : toTextOutput(text);
  }
}

/** Plans two calls for a user message: one to each of the first two tools, or two to the only or named tool. */
function planCalls({ messages, fields, ...rest }: DemoRequest): { name: string; arguments: string }[] {
  const choice = fields['tool_choice'];
  const namedTool = getStringProperty(getOwnProperty(choice, 'function'), 'name');
  if (choice === 'none' || messages.at(-1)?.role === 'tool' || !Array.isArray(fields['tools'])) return [];
  const offeredTools = fields['tools'].filter(
    (tool) => namedTool === undefined || getToolName(tool) === namedTool,
  );
  const count = fields['parallel_tool_calls'] === false ? 1 : 2;
  return [...offeredTools, ...offeredTools].slice(0, count).flatMap((tool) => {
    const forcedRequest = { ...rest, messages, fields: { tools: [tool], tool_choice: 'required' } };
    return [...tools.reply(forcedRequest)].flatMap((piece) => ('toolCall' in piece ? [piece.toolCall] : []));
  });
}

function getToolName(tool: Json): string | undefined {
  return getStringProperty(getOwnProperty(tool, 'function'), 'name');
}

/** Creates IDs that differ in each request of a conversation, even with the same `seed`. */
function createCallId(request: DemoRequest, position: number, prefix: string): string {
  const random = createSeededRandom(`${request.random()} ${request.messages.length} ${position}`);
  return prefix + drawAlphanumerics(9, random);
}
