/** Calls the tools it is offered when the message names them, states their results, and fills a schema for its answer. */
import type { Message, ToolCall } from '../../gateway/wire.ts';
import {
  isJsonObject,
  getOwnProperty,
  parseJson,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import type { DemoModel, Piece } from '../model.ts';
import { contentStems } from './documentation-search.ts';
import { fillSchema, objectAt } from './generate-from-schema.ts';
import { lastUserText, textOf } from './prompt-text.ts';
import { textPieces, valuePieces } from './text-output.ts';

export const tools: DemoModel = {
  id: 'demo/tools',
  about: 'Calls the tools that the message names, states their results, and fills a JSON schema.',
  abilities: { vision: false, tools: true, thinking: false },
  *reply({ messages, fields, wantsJson }) {
    const text = lastUserText(messages);
    const answered = answeredCalls(messages);
    const calls = answered.length > 0 ? [] : plannedCalls(text, fields);
    const schema = schemaOf(fields);
    if (calls.length > 0) yield* callPieces(calls, text, wantsJson);
    else if (schema) yield* valuePieces(fillSchema(schema, text).value);
    else if (answered.length === 0) yield* textPieces(withoutCall(fields));
    else if (wantsJson) yield* valuePieces({ results: answered.map(resultValue) });
    else yield* textPieces(answered.map(statedCall).join('\n\n'));
  },
};

/** §2.1 response_format: the schema that it brings, if any. */
export function schemaOf(fields: JsonObject): JsonObject | undefined {
  const { schema } = objectAt(objectAt(fields, 'response_format'), 'json_schema');
  return isJsonObject(schema) ? schema : undefined;
}

interface OfferedTool {
  name: string;
  description: string;
  /** §2.1 parameters; {} where the tool has none. */
  parameters: JsonObject;
}

/** §2.1 tools: the functions with a name. */
function offeredTools({ tools }: JsonObject): OfferedTool[] {
  return (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const definition = objectAt(tool, 'function');
    const { name, description = '' } = definition;
    return typeof name === 'string' && typeof description === 'string'
      ? [{ name, description, parameters: objectAt(definition, 'parameters') }]
      : [];
  });
}

/** tool_choice by the format's convention: a word, or the object that names one function. */
function plannedCalls(text: string, fields: JsonObject): OfferedTool[] {
  const choice = fields['tool_choice'];
  const name = getStringProperty(getOwnProperty(choice, 'function'), 'name');
  const offered = offeredTools(fields).filter((tool) => name === undefined || tool.name === name);
  if (choice === 'none') return [];
  const named = namedTools(text, offered);
  const isForced = choice === 'required' || name !== undefined;
  const calls = named.length === 0 && isForced ? offered.slice(0, 1) : named;
  return calls.slice(0, fields['parallel_tool_calls'] === false ? 1 : 8);
}

/** Words of names that do not tell one tool from another. */
const generalStems = new Set(
  contentStems('get set fetch find list show make create run call use tool function'),
);

const stemsOf = (words: string): string[] =>
  contentStems(words.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ')).filter(
    (stem) => !generalStems.has(stem),
  );

/** The tools with a word of their name in the message, each with one of its own; else the one that is described best. */
function namedTools(text: string, offered: readonly OfferedTool[]): OfferedTool[] {
  const said = new Set(stemsOf(text));
  const sharedWith = (words: string) => [...new Set(stemsOf(words))].filter((stem) => said.has(stem));
  const byShared = (wordsOf: (tool: OfferedTool) => string) =>
    offered
      .map((tool) => ({ tool, shared: sharedWith(wordsOf(tool)) }))
      .toSorted((left, right) => right.shared.length - left.shared.length);
  const taken = new Set<string>();
  const named = byShared(({ name }) => name).filter(({ shared }) => {
    const isNew = shared.some((stem) => !taken.has(stem));
    for (const stem of shared) taken.add(stem);
    return isNew;
  });
  const described = byShared(({ description }) => description).slice(0, 1);
  const found = named.length > 0 ? named : described.filter(({ shared }) => shared.length > 1);
  return offered.filter((tool) => found.some((each) => each.tool === tool));
}

function* callPieces(calls: readonly OfferedTool[], text: string, wantsJson: boolean): Generator<Piece> {
  const filled = calls.map((tool) => ({ tool, ...fillSchema(tool.parameters, text) }));
  const gaps = filled.flatMap(({ tool, missing, value }) =>
    missing.map((path) => {
      const standIn = JSON.stringify(valueAt(value, path));
      return `Your message gives no \`${path}\` for \`${tool.name}\`, so I fill in \`${standIn}\`.`;
    }),
  );
  // Beside calls no text is needed; in JSON mode it would have to be an object.
  if (gaps.length > 0 && !wantsJson) {
    const [path = ''] = filled.flatMap(({ missing }) => missing);
    const hint = `Write a value after its name, as in "${path.split('.').at(-1) ?? ''}: …".`;
    yield* textPieces([...gaps, hint].join(' '));
  }
  for (const { tool, value } of filled)
    yield { toolCall: { name: tool.name, arguments: JSON.stringify(value) } };
}

function valueAt(value: Json, path: string): Json {
  return path.split('.').reduce<Json>((found, key) => {
    return isJsonObject(found) && Object.hasOwn(found, key) ? (found[key] ?? null) : null;
  }, value);
}

function withoutCall(fields: JsonObject): string {
  const offered = offeredTools(fields);
  const who =
    'I am a small program and not a language model: I call a tool when a word of its name is in the message.';
  if (offered.length === 0)
    return `No tools are offered. ${who} Add one under \`tools\`, and ask for what it does.`;
  if (fields['tool_choice'] === 'none') return '`tool_choice` is `none`, so I call no tool.';
  const list = offered.map(
    ({ name, description }) => `- \`${name}\`${description === '' ? '' : `: ${description}`}`,
  );
  return `None of the tools fits this message. ${who} These are offered:\n\n${list.join('\n')}`;
}

/** A call since the person last spoke, and its result if one came. */
interface AnsweredCall {
  name: string;
  values: JsonObject;
  result?: string;
}

/** The calls that were answered since the last message of the person; [] where the person spoke last. */
function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = since.filter((message) => message.role === 'tool');
  const calls = since.flatMap((message): ToolCall[] =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  // A result whose call is not in the conversation still counts.
  const strays = results.filter(({ tool_call_id: id }) => !calls.some((call) => call.id === id));
  const answered = calls.map(({ id, function: called }) => {
    const result = results.find((message) => message.tool_call_id === id);
    const reading = parseJson(called.arguments);
    const values = reading.ok && isJsonObject(reading.value) ? reading.value : {};
    return { name: called.name, values, ...(result && { result: textOf(result) }) };
  });
  return results.length === 0
    ? []
    : [
        ...answered,
        ...strays.map((stray) => ({ name: stray.name ?? 'a tool', values: {}, result: textOf(stray) })),
      ];
}

function resultValue({ name, values, result }: AnsweredCall): Json {
  return { tool: name, arguments: values, result: result ?? null };
}

/** A sentence or two on what a tool returned, in the words of its result. */
function statedCall({ name, values, result }: AnsweredCall): string {
  const given = Object.entries(values).map(([key, value]) => `${spoken(key)} ${plain(value)}`);
  const subject = subjectOf(name, given);
  if (result === undefined) return `No result came back for ${subject}.`;
  if (result.trim() === '') return `The result for ${subject} is empty.`;
  const reading = parseJson(result);
  if (!reading.ok) return `For ${subject}, \`${name}\` says: ${result}`;
  const { value } = reading;
  const error = getOwnProperty(value, 'error');
  const problem = typeof error === 'string' ? error : getStringProperty(error, 'message');
  if (problem !== undefined) return `\`${name}\` failed for ${subject}: ${problem}.`.replace(/[.!?]\.$/, '.');
  const facts = isJsonObject(value) ? Object.entries(value) : [];
  if (facts.length > 0 && facts.every(([, fact]) => fact === null || typeof fact !== 'object')) {
    // What was asked for need not be said again.
    const news = facts.filter(([key, fact]) => !Object.hasOwn(values, key) || values[key] !== fact);
    const said = (news.length > 0 ? news : facts).map(
      ([key, fact]) => `the ${spoken(key)} is ${fact === null ? 'not known' : plain(fact)}`,
    );
    return `For ${subject}, ${listed(said)}.`;
  }
  return `For ${subject}, \`${name}\` returned:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** "the weather in Paris" of get_weather with a city; "the order with order id 4711". */
function subjectOf(name: string, given: readonly string[]): string {
  const words = spoken(name).replace(
    /^(?:get|fetch|find|show|look up|lookup|read|search|list|check) (?:the )?/,
    '',
  );
  const place =
    given.length === 1 ? /^(?:city|place|location|country|town) (.+)$/.exec(given[0] ?? '')?.[1] : undefined;
  if (place !== undefined) return `the ${words} in ${place}`;
  return given.length === 0 ? `the ${words}` : `the ${words} with ${listed(given)}`;
}

/** "order id" of order_id or orderId. */
function spoken(name: string): string {
  return name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
