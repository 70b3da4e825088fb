/** Reads and edits the tools of a request as JSON values. */
import { getUniqueName } from '../../../conversation/request/openapi-tools-import.ts';
import { formatExactJson } from '../../../lib/exact-json.ts';
import {
  isJsonObject,
  getOwnProperty,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../../lib/json.ts';

/** Formats the text of the tools row with an indent of two spaces. */
export function stringifyTools(tools: readonly Json[]): string {
  return formatExactJson(tools);
}

/** Returns the names of the functions as written. */
export function listFunctionNames(tools: readonly Json[]): string[] {
  return tools.flatMap((tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? []);
}

/** Returns the definition of a function tool, or `undefined` for other kinds. */
export function getDefinition(tool: Json): JsonObject | undefined {
  const definition = isJsonObject(tool) ? tool['function'] : undefined;
  return isJsonObject(definition) ? definition : undefined;
}

/** Returns the tool with changed fields of its function; `undefined` removes a field. */
export function withDefinition(tool: Json, changes: { [key: string]: Json | undefined }): Json {
  const definition = getDefinition(tool);
  if (!isJsonObject(tool) || !definition) return tool;
  const entries = Object.entries({ ...definition, ...changes });
  const definedEntries = entries.flatMap(([key, value]): [string, Json][] =>
    value === undefined ? [] : [[key, value]],
  );
  return { ...tool, function: Object.fromEntries(definedEntries) };
}

/** Returns the tool with a name that no other tool has. */
export function withUniqueName(tool: Json, tools: readonly Json[]): Json {
  const name = getStringProperty(getDefinition(tool), 'name');
  return name === undefined
    ? tool
    : withDefinition(tool, { name: getUniqueName(name, new Set(listFunctionNames(tools))) });
}

export const emptyTool: Json = {
  type: 'function',
  function: {
    name: 'new_tool',
    description: '',
    parameters: { type: 'object', properties: {} },
  },
};
