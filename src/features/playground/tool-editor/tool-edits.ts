/** Reading and changing the tools of a request as JSON values. */
import { getUniqueName } from '../../../conversation/request/openapi-tools-import.ts';
import { formatExactJson } from '../../../lib/exact-json.ts';
import {
  isJsonObject,
  getOwnProperty,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../../lib/json.ts';

/** The text of the tools row, two spaces deep. */
export function stringifyTools(tools: readonly Json[]): string {
  return formatExactJson(tools);
}

/** Names of the functions, as they are written. */
export function listFunctionNames(tools: readonly Json[]): string[] {
  return tools.flatMap((tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? []);
}

/** The definition inside a function tool; undefined for a tool of another kind. */
export function getDefinition(tool: Json): JsonObject | undefined {
  const definition = isJsonObject(tool) ? tool['function'] : undefined;
  return isJsonObject(definition) ? definition : undefined;
}

/** The tool with these fields of its function changed; `undefined` takes a field out. */
export function withDefinition(tool: Json, changes: { [key: string]: Json | undefined }): Json {
  const definition = getDefinition(tool);
  if (!isJsonObject(tool) || !definition) return tool;
  const entries = Object.entries({ ...definition, ...changes });
  const definedEntries = entries.flatMap(([key, value]): [string, Json][] =>
    value === undefined ? [] : [[key, value]],
  );
  return { ...tool, function: Object.fromEntries(definedEntries) };
}

/** The same tool under a name that none of the others has. */
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
