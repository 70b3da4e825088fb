/** Finds problems of a tool and describes them for its card. */
import { isJsonObject, isRecord, type Json, type JsonObject } from '../../../lib/json.ts';
import { getDefinition, listFunctionNames } from './tool-edits.ts';

/** Severity. `err`: the tool is not sent in this form; `hint`: some providers reject the tool. */
export interface ToolProblem {
  tone: 'err' | 'hint';
  field: 'name' | 'parameters';
  message: string;
}

const commonNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

export function findToolProblems(tool: Json, tools: readonly Json[]): ToolProblem[] {
  const definition = getDefinition(tool);
  if (!definition) return [];
  const name = typeof definition['name'] === 'string' ? definition['name'] : '';
  const problems: ToolProblem[] = [];
  if (name === '') problems.push({ tone: 'err', field: 'name', message: 'Enter a function name.' });
  else if (listFunctionNames(tools).filter((other) => other === name).length > 1) {
    problems.push({ tone: 'err', field: 'name', message: `Another tool is also named ${name}.` });
  } else if (!commonNamePattern.test(name)) {
    const message = 'Many providers accept only letters, digits, _ and -, up to 64 characters.';
    problems.push({ tone: 'hint', field: 'name', message });
  }
  const { parameters } = definition;
  if (parameters === undefined) return problems;
  const message = isJsonObject(parameters)
    ? findSchemaProblem(parameters)
    : 'parameters must be a JSON Schema object.';
  const tone = isJsonObject(parameters) ? 'hint' : 'err';
  return message === undefined ? problems : [...problems, { tone, field: 'parameters', message }];
}

const schemaTypes = new Set<Json | undefined>([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/** Returns the first obvious mistake in a JSON Schema, or `undefined`. */
export function findSchemaProblem(schema: JsonObject): string | undefined {
  if (schema['type'] !== 'object' && schema['$ref'] === undefined)
    return 'The type of parameters must be object.';
  return findProblemAt(schema, 'parameters');
}

function findProblemAt(schema: Json, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return `${path} must be a schema: an object, true or false.`;
  const { type, properties, required, items } = schema;
  const unknownType = (Array.isArray(type) ? type : [type]).find(
    (item) => item !== undefined && !schemaTypes.has(item),
  );
  if (unknownType !== undefined)
    return `${path} has the type ${JSON.stringify(unknownType)}, which is not a JSON Schema type.`;
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum']))
    return `enum in ${path} must be a list.`;
  if (properties !== undefined && !isJsonObject(properties))
    return `properties in ${path} must be an object.`;
  if (required !== undefined) {
    if (!Array.isArray(required)) return `required in ${path} must be a list of names.`;
    const missingName = required.find(
      (name) => typeof name !== 'string' || !isRecord(properties) || !Object.hasOwn(properties, name),
    );
    if (missingName !== undefined)
      return `required in ${path} lists ${JSON.stringify(missingName)}, which is not one of its properties.`;
  }
  const nested = Object.entries(properties ?? {}).map(([name, field]): [string, Json] => [
    `${path}.${name}`,
    field,
  ]);
  if (items !== undefined && !Array.isArray(items)) nested.push([`items of ${path}`, items]);
  for (const [nestedPath, field] of nested) {
    const problem = findProblemAt(field, nestedPath);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
