/** Tools from whatever was pasted: one function, a list, a request, an OpenAPI description, another protocol's list. */
import type { Tool } from '../../gateway/wire.ts';
import { parseExactNumbers } from '../../lib/exact-json.ts';
import {
  isJsonObject,
  isRecord,
  getOwnProperty,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { isOpenApi, openApiTools, toolName } from './openapi-tools.ts';

export type ToolImport = { ok: true; tools: Json[]; remarks: string[] } | { ok: false; problem: string };

/** Reads pasted text. `taken` are the names of tools that are there already: no import is named like one of them. */
export function importTools(text: string, taken: readonly string[]): ToolImport {
  const reading = parseExactNumbers(text);
  if (!reading.ok) return { ok: false, problem: notJson(text, reading.message) };
  const found = toolsOf(reading.value);
  if (typeof found === 'string') return { ok: false, problem: found };
  return { ok: true, ...withFreeNames(found.tools, taken, found.remarks) };
}

function notJson(text: string, message: string): string {
  if (text.trim() === '') return 'Paste tools or an OpenAPI description as JSON.';
  const looksLikeYaml = /^(?:---|[ \t]*[\w"'/{}.-]+:(?:\s|$))/m.test(text) && !/^\s*[[{]/.test(text);
  return looksLikeYaml
    ? 'This looks like YAML. Bench reads JSON here: convert it first.'
    : `This is not JSON: ${message}.`;
}

function toolsOf(value: Json): { tools: Json[]; remarks: string[] } | string {
  if (getOwnProperty(value, 'swagger') !== undefined) {
    return 'This is Swagger 2. Bench reads OpenAPI 3: convert it first.';
  }
  if (isOpenApi(value)) {
    const { tools, remarks } = openApiTools(value);
    return tools.length === 0
      ? 'This OpenAPI description has no operations.'
      : { tools: tools.map(jsonOfTool), remarks };
  }
  const list = listIn(value);
  if (!list) return 'No tools found: a tool needs a name and parameters.';
  const read = list.map(toolOf);
  const tools = read.flatMap((tool) => tool ?? []);
  if (tools.length === 0) return 'No tools found: a tool needs a name and parameters.';
  const skipped = read.length - tools.length;
  return {
    tools,
    remarks: skipped === 0 ? [] : [`${skipped} of ${read.length} entries have no name and are skipped.`],
  };
}

/** The entries of `tools` or `functions`, wherever a protocol puts them; a single tool is a list of one. */
function listIn(value: Json): Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  for (const key of ['tools', 'functions', 'function_declarations', 'functionDeclarations']) {
    const list = value[key];
    if (Array.isArray(list))
      return list.flatMap((entry) => (isJsonObject(entry) ? (nestedList(entry) ?? [entry]) : [entry]));
  }
  const result = value['result'];
  if (result !== undefined && isJsonObject(result)) return listIn(result);
  return [value];
}

function nestedList(entry: JsonObject): Json[] | undefined {
  const list = entry['functionDeclarations'] ?? entry['function_declarations'];
  return Array.isArray(list) ? list : undefined;
}

/** A tool in the shape of §2.1 from any of the shapes in use; undefined where it has no name. */
function toolOf(entry: Json): Json | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { type } = entry;
  const definition = entry['function'];
  if (definition !== undefined && isJsonObject(definition)) {
    return getStringProperty(definition, 'name') ? { ...entry, type: 'function' } : undefined;
  }
  // Not a function: a provider may know it, so it goes along as it is.
  if (typeof type === 'string' && type !== 'function' && type !== 'object' && type !== 'custom') return entry;
  const name = getStringProperty(entry, 'name') ?? getStringProperty(entry, 'title');
  if (!name) return undefined;
  const schema =
    entry['parameters'] ??
    entry['input_schema'] ??
    entry['inputSchema'] ??
    (type === 'object' ? entry : undefined);
  const description = getStringProperty(entry, 'description');
  return jsonOfTool({
    type: 'function',
    function: {
      name: toolName(name),
      ...(description === undefined ? {} : { description }),
      ...(schema !== undefined && isJsonObject(schema) ? { parameters: schema } : {}),
    },
  });
}

function jsonOfTool(tool: Tool): Json {
  return { type: tool.type, function: { ...tool.function } };
}

function withFreeNames(
  tools: readonly Json[],
  taken: readonly string[],
  remarks: readonly string[],
): { tools: Json[]; remarks: string[] } {
  const used = new Set(taken);
  const renamed: string[] = [];
  const named = tools.map((tool): Json => {
    const definition = getOwnProperty(tool, 'function');
    const name = getStringProperty(definition, 'name');
    if (name === undefined || !isRecord(tool) || !isRecord(definition)) return tool;
    const free = freeName(name, used);
    used.add(free);
    if (free === name) return tool;
    renamed.push(`${name} is now ${free} because the name is taken.`);
    return { ...tool, function: { ...definition, name: free } };
  });
  return { tools: named, remarks: [...remarks, ...renamed] };
}

/** The name, or the first of name_2, name_3, … that nobody has. */
export function freeName(name: string, used: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; used.has(free); number += 1) free = `${name.slice(0, 60)}_${number}`;
  return free;
}
