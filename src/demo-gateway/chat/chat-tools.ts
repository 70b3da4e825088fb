import { isRecord, ownProperty, type JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import { refusedField } from '../request-fields.ts';

/** §2.1: checks the shapes of tools and tool_choice; throws what is wrong with the first that is not right. */
export function checkTools(fields: JsonObject): void {
  const tools = fields['tools'];
  if (tools !== undefined && !Array.isArray(tools)) throw refusedField('tools', tools, 'an array of tools');
  const names = (tools ?? []).map((tool, index) => checkedToolName(tool, `tools[${index}]`));
  checkToolChoice(fields['tool_choice'], names);
}

function checkedToolName(tool: unknown, path: string): string {
  if (!isRecord(tool)) throw refusedField(path, tool, 'an object with type and function');
  const type = ownProperty(tool, 'type');
  if (type !== 'function') throw refusedField(`${path}.type`, type, '"function"');
  const definition = ownProperty(tool, 'function');
  if (!isRecord(definition)) throw refusedField(`${path}.function`, definition, 'an object with a name');
  const name = ownProperty(definition, 'name');
  if (typeof name !== 'string' || name === '') throw refusedField(`${path}.function.name`, name, 'a string');
  const description = ownProperty(definition, 'description') ?? undefined;
  if (description !== undefined && typeof description !== 'string') {
    throw refusedField(`${path}.function.description`, description, 'a string');
  }
  checkParameters(ownProperty(definition, 'parameters') ?? undefined, `${path}.function.parameters`);
  return name;
}

function checkParameters(parameters: unknown, path: string): void {
  if (parameters === undefined) return;
  if (!isRecord(parameters)) throw refusedField(path, parameters, 'a JSON schema object');
  const type = ownProperty(parameters, 'type');
  if (type !== undefined && type !== 'object') throw refusedField(`${path}.type`, type, '"object"');
  const properties = ownProperty(parameters, 'properties');
  if (properties !== undefined && !isRecord(properties)) {
    throw refusedField(`${path}.properties`, properties, 'an object of JSON schemas');
  }
  const required = ownProperty(parameters, 'required');
  if (required === undefined) return;
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
    throw refusedField(`${path}.required`, required, 'an array of strings');
  }
}

/** §2.1 names tool_choice without its shape: a word, or the object that names one function, by the format's convention. */
function checkToolChoice(choice: unknown, toolNames: string[]): void {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return;
  const name = ownProperty(ownProperty(choice, 'function'), 'name');
  if (ownProperty(choice, 'type') !== 'function' || typeof name !== 'string') {
    throw refusedField(
      'tool_choice',
      choice,
      '"auto", "none", "required" or {"type": "function", "function": {"name": …}}',
    );
  }
  if (toolNames.includes(name)) return;
  const offered = toolNames.length === 0 ? 'there are no tools' : `the tools are ${toolNames.join(', ')}`;
  throw new ApiError('invalid_request', `tool_choice names "${name}", but ${offered}.`);
}
