/**
 * Imports tools from pasted text: a function, a list, a request, an OpenAPI description or the tool list of another
 * protocol.
 */
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
import { isOpenApi, parseOpenApiTools, toToolName } from './openapi-tools.ts';

export type ToolImportResult =
  | { ok: true; tools: Json[]; remarks: string[] }
  | { ok: false; problem: string };

/** Parses pasted text. `usedNames` contains the names of existing tools, which imported tools must not reuse. */
export function importTools(text: string, usedNames: readonly string[]): ToolImportResult {
  const parsed = parseExactNumbers(text);
  if (!parsed.ok) return { ok: false, problem: describeJsonProblem(text, parsed.message) };
  const extraction = extractTools(parsed.value);
  if (typeof extraction === 'string') return { ok: false, problem: extraction };
  return { ok: true, ...withUniqueNames(extraction.tools, usedNames, extraction.remarks) };
}

function describeJsonProblem(text: string, message: string): string {
  if (text.trim() === '') return 'Paste tools or an OpenAPI document as JSON.';
  const looksLikeYaml = /^(?:---|[ \t]*[\w"'/{}.-]+:(?:\s|$))/m.test(text) && !/^\s*[[{]/.test(text);
  return looksLikeYaml ? 'This looks like YAML. Convert it to JSON first.' : `This is not JSON: ${message}.`;
}

function extractTools(value: Json): { tools: Json[]; remarks: string[] } | string {
  if (getOwnProperty(value, 'swagger') !== undefined) {
    return 'This is Swagger 2. Convert it to OpenAPI 3 first.';
  }
  if (isOpenApi(value)) {
    const { tools, remarks } = parseOpenApiTools(value);
    return tools.length === 0
      ? 'This OpenAPI document has no operations.'
      : { tools: tools.map(toolToJson), remarks };
  }
  const list = findToolList(value);
  if (!list) return 'No tools found: a tool needs a name and parameters.';
  const convertedTools = list.map(toTool);
  const tools = convertedTools.flatMap((tool) => tool ?? []);
  if (tools.length === 0) return 'No tools found: a tool needs a name and parameters.';
  const skippedCount = convertedTools.length - tools.length;
  return {
    tools,
    remarks:
      skippedCount === 0
        ? []
        : [`Skipped ${skippedCount} of ${convertedTools.length} entries without a name.`],
  };
}

/**
 * Returns the entries of `tools` or `functions`, wherever a protocol nests them. A single tool yields a list of one.
 */
function findToolList(value: Json): Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  for (const key of ['tools', 'functions', 'function_declarations', 'functionDeclarations']) {
    const list = value[key];
    if (Array.isArray(list))
      return list.flatMap((entry) => (isJsonObject(entry) ? (findNestedList(entry) ?? [entry]) : [entry]));
  }
  const result = value['result'];
  if (result !== undefined && isJsonObject(result)) return findToolList(result);
  return [value];
}

function findNestedList(entry: JsonObject): Json[] | undefined {
  const list = entry['functionDeclarations'] ?? entry['function_declarations'];
  return Array.isArray(list) ? list : undefined;
}

/** Converts a tool from any common format to the format of §2.1; returns `undefined` if it has no name. */
function toTool(entry: Json): Json | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { type } = entry;
  const definition = entry['function'];
  if (definition !== undefined && isJsonObject(definition)) {
    return getStringProperty(definition, 'name') ? { ...entry, type: 'function' } : undefined;
  }
  // Non-function tools may be supported by a provider and are kept unchanged.
  if (typeof type === 'string' && type !== 'function' && type !== 'object' && type !== 'custom') return entry;
  const name = getStringProperty(entry, 'name') ?? getStringProperty(entry, 'title');
  if (!name) return undefined;
  const schema =
    entry['parameters'] ??
    entry['input_schema'] ??
    entry['inputSchema'] ??
    (type === 'object' ? entry : undefined);
  const description = getStringProperty(entry, 'description');
  return toolToJson({
    type: 'function',
    function: {
      name: toToolName(name),
      ...(description === undefined ? {} : { description }),
      ...(schema !== undefined && isJsonObject(schema) ? { parameters: schema } : {}),
    },
  });
}

function toolToJson(tool: Tool): Json {
  return { type: tool.type, function: { ...tool.function } };
}

function withUniqueNames(
  tools: readonly Json[],
  usedNames: readonly string[],
  remarks: readonly string[],
): { tools: Json[]; remarks: string[] } {
  const takenNames = new Set(usedNames);
  const renameRemarks: string[] = [];
  const namedTools = tools.map((tool): Json => {
    const definition = getOwnProperty(tool, 'function');
    const name = getStringProperty(definition, 'name');
    if (name === undefined || !isRecord(tool) || !isRecord(definition)) return tool;
    const uniqueName = getUniqueName(name, takenNames);
    takenNames.add(uniqueName);
    if (uniqueName === name) return tool;
    renameRemarks.push(`${name} was renamed to ${uniqueName} because the name is taken.`);
    return { ...tool, function: { ...definition, name: uniqueName } };
  });
  return { tools: namedTools, remarks: [...remarks, ...renameRemarks] };
}

/** Returns the name, or the first unused one of name_2, name_3, … */
export function getUniqueName(name: string, usedNames: ReadonlySet<string>): string {
  let uniqueName = name;
  for (let suffix = 2; usedNames.has(uniqueName); suffix += 1) uniqueName = `${name.slice(0, 60)}_${suffix}`;
  return uniqueName;
}
