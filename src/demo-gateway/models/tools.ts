/** Calls offered tools that the message refers to, reports their results, and fills a schema for its answer. */
import type { Message, ToolCall } from '../../gateway/wire.ts';
import { formatList } from '../../lib/format.ts';
import {
  isJsonObject,
  getOwnProperty,
  parseJson,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import type { DemoModel, ModelOutput } from '../model.ts';
import { getContentStems } from './documentation-search.ts';
import { generateFromSchema, getObject } from './generate-from-schema.ts';
import { getLastUserText, getMessageText } from './prompt-text.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';

export const tools: DemoModel = {
  id: 'demo/tools',
  description: 'Calls the tools that the message names, reports their results, and fills in JSON schemas.',
  abilities: { vision: false, tools: true, thinking: false },
  *reply({ messages, fields, isJsonMode }) {
    const text = getLastUserText(messages);
    const callResults = listCallResults(messages);
    const calls = callResults.length > 0 ? [] : chooseTools(text, fields);
    const schema = getResponseSchema(fields);
    if (calls.length > 0) yield* generateCalls(calls, text, isJsonMode);
    else if (schema) yield* toJsonOutput(generateFromSchema(schema, text).value);
    else if (callResults.length === 0) yield* toTextOutput(describeNoCall(fields));
    else if (isJsonMode) yield* toJsonOutput({ results: callResults.map(toResultValue) });
    else yield* toTextOutput(callResults.map(describeCallResult).join('\n\n'));
  },
};

/** Returns the schema of response_format, if any (§2.1). */
export function getResponseSchema(fields: JsonObject): JsonObject | undefined {
  const { schema } = getObject(getObject(fields, 'response_format'), 'json_schema');
  return isJsonObject(schema) ? schema : undefined;
}

interface OfferedTool {
  name: string;
  description: string;
  /** Parameters of the tool (§2.1); {} if it has none. */
  parameters: JsonObject;
}

/** Reads the tools of a request (§2.1), skipping those without a name. */
function readOfferedTools({ tools }: JsonObject): OfferedTool[] {
  return (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const definition = getObject(tool, 'function');
    const { name, description = '' } = definition;
    return typeof name === 'string' && typeof description === 'string'
      ? [{ name, description, parameters: getObject(definition, 'parameters') }]
      : [];
  });
}

/** Selects the tools to call. tool_choice follows the usual API: a word, or an object that names a function. */
function chooseTools(text: string, fields: JsonObject): OfferedTool[] {
  const choice = fields['tool_choice'];
  const name = getStringProperty(getOwnProperty(choice, 'function'), 'name');
  const availableTools = readOfferedTools(fields).filter((tool) => name === undefined || tool.name === name);
  if (choice === 'none') return [];
  const matchingTools = findMatchingTools(text, availableTools);
  const isForced = choice === 'required' || name !== undefined;
  const calls = matchingTools.length === 0 && isForced ? availableTools.slice(0, 1) : matchingTools;
  return calls.slice(0, fields['parallel_tool_calls'] === false ? 1 : 8);
}

/** Words in names that do not distinguish tools. */
const generalStems = new Set(
  getContentStems('get set fetch find list show make create run call use tool function'),
);

const extractNameStems = (words: string): string[] =>
  getContentStems(words.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ')).filter(
    (stem) => !generalStems.has(stem),
  );

/**
 * Returns the tools whose names share a word with the message that no better match has used. If there are none, returns
 * the tool whose description matches best.
 */
function findMatchingTools(text: string, availableTools: readonly OfferedTool[]): OfferedTool[] {
  const messageStems = new Set(extractNameStems(text));
  const listSharedStems = (label: string) =>
    [...new Set(extractNameStems(label))].filter((stem) => messageStems.has(stem));
  const rankByShared = (getText: (tool: OfferedTool) => string) =>
    availableTools
      .map((tool) => ({ tool, shared: listSharedStems(getText(tool)) }))
      .toSorted((left, right) => right.shared.length - left.shared.length);
  const usedStems = new Set<string>();
  const toolsByName = rankByShared(({ name }) => name).filter(({ shared }) => {
    const isNew = shared.some((stem) => !usedStems.has(stem));
    for (const stem of shared) usedStems.add(stem);
    return isNew;
  });
  const toolsByDescription = rankByShared(({ description }) => description).slice(0, 1);
  const matches =
    toolsByName.length > 0 ? toolsByName : toolsByDescription.filter(({ shared }) => shared.length > 1);
  return availableTools.filter((tool) => matches.some((match) => match.tool === tool));
}

function* generateCalls(
  calls: readonly OfferedTool[],
  text: string,
  isJsonMode: boolean,
): Generator<ModelOutput> {
  const filledCalls = calls.map((tool) => ({ tool, ...generateFromSchema(tool.parameters, text) }));
  const missingValueTexts = filledCalls.flatMap(({ tool, missing, value }) =>
    missing.map((path) => {
      const placeholder = JSON.stringify(getValueAt(value, path));
      return `Your message has no \`${path}\` for \`${tool.name}\`, so I use \`${placeholder}\`.`;
    }),
  );
  // Calls do not need any text; in JSON mode, it would have to be an object.
  if (missingValueTexts.length > 0 && !isJsonMode) {
    const [path = ''] = filledCalls.flatMap(({ missing }) => missing);
    const hint = `Write a value after its name, as in "${path.split('.').at(-1) ?? ''}: …".`;
    yield* toTextOutput([...missingValueTexts, hint].join(' '));
  }
  for (const { tool, value } of filledCalls)
    yield { toolCall: { name: tool.name, arguments: JSON.stringify(value) } };
}

function getValueAt(value: Json, path: string): Json {
  return path.split('.').reduce<Json>((current, key) => {
    return isJsonObject(current) && Object.hasOwn(current, key) ? (current[key] ?? null) : null;
  }, value);
}

function describeNoCall(fields: JsonObject): string {
  const availableTools = readOfferedTools(fields);
  const introduction =
    'I am a small program, not a language model. I call a tool when your message contains a word of its name.';
  if (availableTools.length === 0)
    return `No tools are offered. ${introduction} Add one under \`tools\`, then ask for what it does.`;
  if (fields['tool_choice'] === 'none') return '`tool_choice` is `none`, so I call no tool.';
  const list = availableTools.map(
    ({ name, description }) => `- \`${name}\`${description === '' ? '' : `: ${description}`}`,
  );
  return `No tool matches this message. ${introduction} Tools offered:\n\n${list.join('\n')}`;
}

/** A call since the last user message, with its result if there is one. */
interface CallResult {
  name: string;
  values: JsonObject;
  result?: string;
}

/** Returns the calls and results since the last user message; empty if that is the last message. */
function listCallResults(messages: readonly Message[]): CallResult[] {
  const newMessages = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = newMessages.filter((message) => message.role === 'tool');
  const calls = newMessages.flatMap((message): ToolCall[] =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  // Results whose call is missing from the conversation also count.
  const unmatchedResults = results.filter(({ tool_call_id: id }) => !calls.some((call) => call.id === id));
  const callResults = calls.map(({ id, function: definition }) => {
    const result = results.find((message) => message.tool_call_id === id);
    const parsed = parseJson(definition.arguments);
    const values = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
    return { name: definition.name, values, ...(result && { result: getMessageText(result) }) };
  });
  return results.length === 0
    ? []
    : [
        ...callResults,
        ...unmatchedResults.map((stray) => ({
          name: stray.name ?? 'a tool',
          values: {},
          result: getMessageText(stray),
        })),
      ];
}

function toResultValue({ name, values, result }: CallResult): Json {
  return { tool: name, arguments: values, result: result ?? null };
}

/** Describes the result of a tool in one or two sentences, using the words of the result. */
function describeCallResult({ name, values, result }: CallResult): string {
  const formattedArguments = Object.entries(values).map(
    ([key, value]) => `${formatName(key)} ${formatValue(value)}`,
  );
  const subject = describeSubject(name, formattedArguments);
  if (result === undefined) return `No result was returned for ${subject}.`;
  if (result.trim() === '') return `The result for ${subject} is empty.`;
  const parsed = parseJson(result);
  if (!parsed.ok) return `For ${subject}, \`${name}\` returned: ${result}`;
  const { value } = parsed;
  const error = getOwnProperty(value, 'error');
  const problem = typeof error === 'string' ? error : getStringProperty(error, 'message');
  if (problem !== undefined) return `\`${name}\` failed for ${subject}: ${problem}.`.replace(/[.!?]\.$/, '.');
  const resultFields = isJsonObject(value) ? Object.entries(value) : [];
  if (
    resultFields.length > 0 &&
    resultFields.every(([, fieldValue]) => fieldValue === null || typeof fieldValue !== 'object')
  ) {
    // Fields that repeat the arguments are omitted.
    const newFields = resultFields.filter(
      ([key, fieldValue]) => !Object.hasOwn(values, key) || values[key] !== fieldValue,
    );
    const statements = (newFields.length > 0 ? newFields : resultFields).map(
      ([key, fieldValue]) =>
        `the ${formatName(key)} is ${fieldValue === null ? 'unknown' : formatValue(fieldValue)}`,
    );
    return `For ${subject}, ${formatList(statements)}.`;
  }
  return `For ${subject}, \`${name}\` returned:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Describes a call: "the weather in Paris" for get_weather with a city, or "the order with order id 4711". */
function describeSubject(name: string, formattedArguments: readonly string[]): string {
  const noun = formatName(name).replace(
    /^(?:get|fetch|find|show|look up|lookup|read|search|list|check) (?:the )?/,
    '',
  );
  const placeName =
    formattedArguments.length === 1
      ? /^(?:city|place|location|country|town) (.+)$/.exec(formattedArguments[0] ?? '')?.[1]
      : undefined;
  if (placeName !== undefined) return `the ${noun} in ${placeName}`;
  return formattedArguments.length === 0
    ? `the ${noun}`
    : `the ${noun} with ${formatList(formattedArguments)}`;
}

/** Formats order_id or orderId as "order id". */
function formatName(name: string): string {
  return name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function formatValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
