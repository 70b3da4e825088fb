import type { Message } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { DemoModel } from '../model.ts';
import {
  oneOfWords,
  optionalNumber,
  optionalObject,
  optionalSwitch,
  presentFields,
  refusedField,
  type NumberRule,
} from '../request-fields.ts';
import { readMessages } from './chat-messages.ts';
import { checkTools } from './chat-tools.ts';

/** A checked §2.1 request: what the gateway itself acts on, and `fields` for the model. */
export interface ChatCall {
  model: DemoModel;
  messages: Message[];
  fields: JsonObject;
  stream: boolean;
  includeUsage: boolean;
  candidates: number;
  maxTokens: number | undefined;
  seed: number | undefined;
  stops: string[];
  wantsJson: boolean;
  /** 0: without waiting. */
  tokensPerSecond: number;
}

export const lifelikeTokensPerSecond = 60;

/** §2.1 and, for the fields that it names without a shape, the format's convention. */
const numberRules: Record<string, NumberRule> = {
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1 },
  frequency_penalty: { min: -2, max: 2 },
  presence_penalty: { min: -2, max: 2 },
  thinking_budget: { min: 128, max: 32_768, integer: true },
  top_k: { min: -1, integer: true },
  repetition_penalty: { above: 0 },
};

/** §2.1: the body of POST /v1/chat/completions, checked; throws an ApiError for the first field that is wrong. */
export function readChatRequest(
  body: JsonObject,
  findModel: (id: unknown) => DemoModel,
  tokensPerSecond = lifelikeTokensPerSecond,
): ChatCall {
  const fields = presentFields(body);
  const model = findModel(fields['model']);
  const messages = readMessages(fields['messages']);
  refuseUnseenImages(messages, model);
  for (const [name, rule] of Object.entries(numberRules)) optionalNumber(fields, name, rule);
  optionalSwitch(fields, 'enable_thinking');
  checkLogitBias(fields);
  checkTools(fields);
  const streamOptions = presentFields(optionalObject(fields, 'stream_options') ?? {});
  return {
    model,
    messages,
    fields: Object.fromEntries(
      Object.entries(fields).filter(([name]) => name !== 'model' && name !== 'messages'),
    ),
    stream: optionalSwitch(fields, 'stream'),
    includeUsage: optionalSwitch(streamOptions, 'include_usage', 'stream_options.include_usage'),
    candidates:
      optionalNumber(fields, 'n', { min: 1, max: 8, integer: true, note: "the demo gateway's own limit" }) ??
      1,
    maxTokens: optionalNumber(fields, 'max_tokens', { min: 1, integer: true }),
    seed: optionalNumber(fields, 'seed', { integer: true }),
    stops: readStops(fields['stop']),
    wantsJson: readWantsJson(fields),
    tokensPerSecond: optionalNumber(fields, 'demo_tokens_per_second', { min: 0 }) ?? tokensPerSecond,
  };
}

function readStops(stop: unknown): string[] {
  if (stop === undefined) return [];
  const stops: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (!stops.every(isStop) || stops.length > 4) {
    throw refusedField('stop', stop, 'a string or an array of up to 4 strings, none of them empty');
  }
  return stops;
}

function isStop(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** json_schema is accepted as a request for a JSON object: these models follow no schema. */
function readWantsJson(fields: JsonObject): boolean {
  const format = optionalObject(fields, 'response_format');
  if (format === undefined) return false;
  const type = oneOfWords('response_format.type', format['type'], ['text', 'json_object', 'json_schema']);
  if (type === 'json_schema' && optionalObject(format, 'json_schema') === undefined) {
    throw refusedField('response_format.json_schema', undefined, 'an object with the schema');
  }
  return type !== 'text';
}

function checkLogitBias(fields: JsonObject): void {
  const biases = Object.entries(optionalObject(fields, 'logit_bias') ?? {});
  for (const [token, bias] of biases) {
    if (typeof bias !== 'number' || Math.abs(bias) > 100) {
      throw refusedField(`logit_bias["${token}"]`, bias, 'a number from -100 to 100');
    }
  }
}

/** §2.3: image parts are to be sent only to a model that supports vision. */
function refuseUnseenImages(messages: readonly Message[], model: DemoModel): void {
  if (model.abilities.vision) return;
  messages.forEach(({ content }, index) => {
    if (!Array.isArray(content)) return;
    const part = content.findIndex(({ type }) => type === 'image_url');
    if (part === -1) return;
    const where = `messages[${index}].content[${part}]`;
    throw new ApiError(
      'invalid_request',
      `${where} is an image, but ${model.id} cannot see images; send text only, or use demo/vision.`,
    );
  });
}
