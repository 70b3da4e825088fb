import type { Message } from '../../gateway/wire.ts';
import { isRecord, getOwnProperty, type JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { DemoModel } from '../model.ts';
import {
  readEnum,
  readOptionalNumber,
  readOptionalObject,
  readOptionalBoolean,
  readOptionalString,
  omitNullFields,
  createFieldError,
  type NumberRule,
} from '../request-fields.ts';
import { readRequestMessages } from './chat-messages.ts';

/** A validated request (§2.1): the fields that the gateway itself handles, and `fields` for the model. */
export interface ParsedChatRequest {
  model: DemoModel;
  messages: Message[];
  fields: JsonObject;
  stream: boolean;
  includeUsage: boolean;
  candidateCount: number;
  maxTokens: number | undefined;
  seed: number | undefined;
  stops: string[];
  isJsonMode: boolean;
  /** Tokens per second; 0 means without delay. */
  tokensPerSecond: number;
}

export const defaultTokensPerSecond = 60;

/** Ranges from §2.1, and from the usual API for fields that §2.1 names without a range. */
const numberRules: Record<string, NumberRule> = {
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1 },
  frequency_penalty: { min: -2, max: 2 },
  presence_penalty: { min: -2, max: 2 },
  thinking_budget: { min: 128, max: 32_768, isInteger: true },
  top_k: { min: -1, isInteger: true },
  repetition_penalty: { exclusiveMin: 0 },
  // Fields of demo/quiz.
  demo_accuracy: { min: 0, max: 1 },
  demo_latency_ms: { min: 0, max: 60_000 },
  demo_fail: { min: 0, max: 1 },
};

/** Validates the body of POST /v1/chat/completions (§2.1). Throws an ApiError for the first invalid field. */
export function readChatRequest(
  body: JsonObject,
  findModel: (id: unknown) => DemoModel,
  tokensPerSecond = defaultTokensPerSecond,
): ParsedChatRequest {
  const fields = omitNullFields(body);
  const model = findModel(fields['model']);
  const messages = readRequestMessages(fields['messages']);
  rejectUnsupportedMedia(messages, model);
  for (const [name, rule] of Object.entries(numberRules)) readOptionalNumber(fields, name, rule);
  readOptionalBoolean(fields, 'enable_thinking');
  for (const name of ['reasoning_effort', 'verbosity']) readOptionalString(fields, name);
  checkLogitBias(fields);
  checkTools(fields);
  const streamOptions = omitNullFields(readOptionalObject(fields, 'stream_options') ?? {});
  const parsed = {
    messages,
    fields: Object.fromEntries(
      Object.entries(fields).filter(([name]) => name !== 'model' && name !== 'messages'),
    ),
    stream: readOptionalBoolean(fields, 'stream'),
    includeUsage: readOptionalBoolean(streamOptions, 'include_usage', 'stream_options.include_usage'),
    candidateCount:
      readOptionalNumber(fields, 'n', {
        min: 1,
        max: 8,
        isInteger: true,
        note: "the demo gateway's own limit",
      }) ?? 1,
    maxTokens: readMaxTokens(fields),
    seed: readOptionalNumber(fields, 'seed', { isInteger: true }),
    stops: readStops(fields['stop']),
    isJsonMode: readJsonMode(fields),
    tokensPerSecond: readOptionalNumber(fields, 'demo_tokens_per_second', { min: 0 }) ?? tokensPerSecond,
  };
  return { model: model.createForRequest?.(body) ?? model, ...parsed };
}

/** Returns the output limit in tokens: the lower limit if both fields are sent. */
function readMaxTokens(fields: JsonObject): number | undefined {
  const limits = ['max_tokens', 'max_completion_tokens'].flatMap(
    (name) => readOptionalNumber(fields, name, { min: 1, isInteger: true }) ?? [],
  );
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function readStops(stop: unknown): string[] {
  if (stop === undefined) return [];
  const stops: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (!stops.every(isStop) || stops.length > 4) {
    throw createFieldError('stop', stop, 'a string or an array of up to 4 strings, none of them empty');
  }
  return stops;
}

function isStop(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** For json_schema, the gateway itself ensures only a JSON object; the model handles the schema. */
function readJsonMode(fields: JsonObject): boolean {
  const format = readOptionalObject(fields, 'response_format');
  if (format === undefined) return false;
  const type = readEnum('response_format.type', format['type'], ['text', 'json_object', 'json_schema']);
  if (type === 'json_schema' && readOptionalObject(format, 'json_schema') === undefined) {
    throw createFieldError('response_format.json_schema', undefined, 'an object with the schema');
  }
  return type !== 'text';
}

function checkLogitBias(fields: JsonObject): void {
  const biases = Object.entries(readOptionalObject(fields, 'logit_bias') ?? {});
  for (const [token, bias] of biases) {
    if (typeof bias !== 'number' || Math.abs(bias) > 100) {
      throw createFieldError(`logit_bias["${token}"]`, bias, 'a number from -100 to 100');
    }
  }
}

/** Ability that each type of part needs, with the words for an error. */
const mediaRules = {
  image_url: { ability: 'vision', noun: 'an image', verb: 'cannot see images' },
  file: { ability: 'files', noun: 'a file', verb: 'cannot read files' },
  input_audio: { ability: 'audio', noun: 'audio', verb: 'cannot use audio' },
} as const;

/** Throws if images, documents or sounds are sent to a model that does not accept them (§2.3). */
function rejectUnsupportedMedia(messages: readonly Message[], model: DemoModel): void {
  messages.forEach(({ content }, index) => {
    if (!Array.isArray(content)) return;
    content.forEach(({ type }, partIndex) => {
      if (type === 'text' || model.abilities[mediaRules[type].ability]) return;
      const { noun, verb } = mediaRules[type];
      throw new ApiError(
        'invalid_request',
        `messages[${index}].content[${partIndex}] is ${noun}, but ${model.id} ${verb}; send text only, or use demo/vision.`,
      );
    });
  });
}

/** Checks the shapes of tools and tool_choice (§2.1). Throws for the first invalid value. */
function checkTools(fields: JsonObject): void {
  const tools = fields['tools'];
  if (tools !== undefined && !Array.isArray(tools))
    throw createFieldError('tools', tools, 'an array of tools');
  const names = (tools ?? []).map((tool, index) => readToolName(tool, `tools[${index}]`));
  checkToolChoice(fields['tool_choice'], names);
}

function readToolName(tool: unknown, path: string): string {
  if (!isRecord(tool)) throw createFieldError(path, tool, 'an object with type and function');
  const type = getOwnProperty(tool, 'type');
  if (type !== 'function') throw createFieldError(`${path}.type`, type, '"function"');
  const definition = getOwnProperty(tool, 'function');
  if (!isRecord(definition)) throw createFieldError(`${path}.function`, definition, 'an object with a name');
  const name = getOwnProperty(definition, 'name');
  if (typeof name !== 'string' || name === '')
    throw createFieldError(`${path}.function.name`, name, 'a string');
  const description = getOwnProperty(definition, 'description') ?? undefined;
  if (description !== undefined && typeof description !== 'string') {
    throw createFieldError(`${path}.function.description`, description, 'a string');
  }
  checkParameters(getOwnProperty(definition, 'parameters') ?? undefined, `${path}.function.parameters`);
  return name;
}

function checkParameters(parameters: unknown, path: string): void {
  if (parameters === undefined) return;
  if (!isRecord(parameters)) throw createFieldError(path, parameters, 'a JSON schema object');
  const type = getOwnProperty(parameters, 'type');
  if (type !== undefined && type !== 'object') throw createFieldError(`${path}.type`, type, '"object"');
  const properties = getOwnProperty(parameters, 'properties');
  if (properties !== undefined && !isRecord(properties)) {
    throw createFieldError(`${path}.properties`, properties, 'an object of JSON schemas');
  }
  const required = getOwnProperty(parameters, 'required');
  if (required === undefined) return;
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
    throw createFieldError(`${path}.required`, required, 'an array of strings');
  }
}

/**
 * Validates tool_choice, whose shape §2.1 does not define, according to the usual API: a word, or an object that names
 * a function.
 */
function checkToolChoice(choice: unknown, toolNames: string[]): void {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return;
  const name = getOwnProperty(getOwnProperty(choice, 'function'), 'name');
  if (getOwnProperty(choice, 'type') !== 'function' || typeof name !== 'string') {
    throw createFieldError(
      'tool_choice',
      choice,
      '"auto", "none", "required" or {"type": "function", "function": {"name": …}}',
    );
  }
  if (toolNames.includes(name)) return;
  const availableTools =
    toolNames.length === 0 ? 'there are no tools' : `the tools are ${toolNames.join(', ')}`;
  throw new ApiError('invalid_request', `tool_choice names "${name}", but ${availableTools}.`);
}
