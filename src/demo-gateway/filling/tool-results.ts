/** States what tools returned, call by call, in the words of the results. */
import type { Message, ToolCall } from '../../gateway/wire.ts';
import { isRecord, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { textOf } from '../models/message-text.ts';
import { argumentsOf } from './offered-tools.ts';

/** A call since the person last spoke, and its result if one came. */
export interface AnsweredCall {
  name: string;
  arguments: JsonObject;
  result?: string;
}

/** The calls that were answered since the last message of the person; [] where the person spoke last. */
export function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = since.filter((message) => message.role === 'tool');
  if (results.length === 0) return [];
  const calls = since.flatMap((message): ToolCall[] =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  const answered = calls.map((call): AnsweredCall => {
    const result = results.find(({ tool_call_id: id }) => id === call.id);
    const stated = { name: call.function.name, arguments: argumentsOf(call.function.arguments) };
    return result ? { ...stated, result: textOf(result) } : stated;
  });
  // A result whose call is not in the conversation still counts.
  const strays = results.filter(({ tool_call_id: id }) => !calls.some((call) => call.id === id));
  return [
    ...answered,
    ...strays.map((result) => ({ name: result.name ?? 'a tool', arguments: {}, result: textOf(result) })),
  ];
}

/** One paragraph or list for each call. */
export function statedResults(calls: readonly AnsweredCall[]): string {
  const intro = calls.length === 1 ? 'The tool answered.' : `${calls.length} calls were made.`;
  return [intro, ...calls.map(statedCall)].join('\n\n');
}

function statedCall({ name, arguments: values, result }: AnsweredCall): string {
  const given = Object.entries(values).map(([key, value]) => `${spaced(key)} ${scalarText(value)}`);
  const head = `**${name}**${given.length === 0 ? '' : `, ${given.join(', ')}`}`;
  if (result === undefined) return `${head}: no result received.`;
  if (result.trim() === '') return `${head}: the result is empty.`;
  const reading = parseJson(result);
  if (!reading.ok)
    return result.includes('\n') || result.length > 200
      ? `${head}:\n\n${quoted(result)}`
      : `${head}: ${result}`;
  const problem = errorOf(reading.value);
  if (problem !== undefined) return `${head} failed: ${problem}`;
  return `${head}: ${statedValue(reading.value)}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function errorOf(value: Json): string | undefined {
  if (!isRecord(value)) return undefined;
  const error = value['error'];
  if (error === undefined || error === null || error === false) return undefined;
  if (typeof error === 'string') return error;
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error);
}

function statedValue(value: Json): string {
  if (Array.isArray(value)) return listed(value);
  if (!isRecord(value)) return `${scalarText(value)}.`;
  const entries = Object.entries(value);
  if (entries.length === 0) return 'an empty object.';
  const facts = flattened(value);
  const lists = entries.filter((entry): entry is [string, Json[]] => Array.isArray(entry[1]));
  const sentence = facts.length === 0 ? '' : `${joined(facts.map(([key, fact]) => `${key} is ${fact}`))}.`;
  return [sentence, ...lists.map(([key, list]) => `${spaced(key)}: ${listed(list)}`)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The scalars of an object and of the objects in it, with their path in words. */
function flattened(value: JsonObject, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const name = path === '' ? spaced(key) : `${path} ${spaced(key)}`;
    if (Array.isArray(inner)) return path === '' ? [] : [[name, JSON.stringify(inner)]];
    return isRecord(inner) ? flattened(inner, name) : [[name, scalarText(inner)]];
  });
}

const mostRows = 20;

/** Records as a table, other items as a list. */
function listed(items: readonly Json[]): string {
  if (items.length === 0) return 'nothing, the list is empty.';
  const shown = items.slice(0, mostRows);
  const more = items.length > mostRows ? `\n\n${items.length - mostRows} more are not shown.` : '';
  const records = shown.filter(isJsonObject);
  if (records.length === shown.length) return `\n\n${tableOf(records)}${more}`;
  return `\n\n${shown.map((item) => `- ${scalarText(item)}`).join('\n')}${more}`;
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}

function tableOf(records: readonly JsonObject[]): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 8);
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const body = records.map((record) =>
    row(columns.map((column) => (Object.hasOwn(record, column) ? scalarText(record[column] ?? null) : ''))),
  );
  return [row(columns.map(spaced)), row(columns.map(() => '---')), ...body].join('\n');
}

function scalarText(value: Json): string {
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  if (typeof value === 'number')
    return value.toLocaleString('en-US', {
      maximumFractionDigits: 20,
      useGrouping: Math.abs(value) >= 10_000,
    });
  if (value === null) return 'not given';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return JSON.stringify(value);
}

function spaced(key: string): string {
  return key.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replace(/[_-]+/g, ' ');
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
