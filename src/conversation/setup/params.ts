/**
 * Defines a row for each request field of §2.1, used by the sidebar, requests, validation, docs and portability badges.
 * Other fields can be sent as extra JSON.
 */
import { listJsonMembers } from '../../lib/exact-json.ts';
import { isJsonObject, getOwnProperty, type Json, type JsonObject } from '../../lib/json.ts';
import {
  parseJsonObject,
  createLinesReader,
  parseLogitBias,
  createNumberReader,
  parseResponseFormat,
  parseSwitch,
  parseToolChoice,
  parseToolsParam,
  parseWord,
  getToolNames,
  type NumberRange,
  type ParamResult,
} from './param-readers.ts';

export type ParamName =
  | 'temperature'
  | 'top_p'
  | 'max_tokens'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'stop'
  | 'n'
  | 'top_k'
  | 'repetition_penalty'
  | 'seed'
  | 'logit_bias'
  | 'enable_thinking'
  | 'thinking_budget'
  | 'max_completion_tokens'
  | 'reasoning_effort'
  | 'verbosity'
  | 'stream'
  | 'stream_options'
  | 'response_format'
  | 'tools'
  | 'tool_choice'
  | 'Extra provider fields';

/** Request fields that a model rejected, with the replacement name, or null to omit the field. */
export type RefusedFields = Readonly<Record<string, string | null>>;

/** Prefix of message fields among rejected fields. */
export const messageFieldPrefix = 'messages.';

/** Returns true if this field is omitted from messages and calls for a model with these rejected fields. */
export function isMessageFieldRefused(refusedFields: RefusedFields, name: string): boolean {
  return Object.hasOwn(refusedFields, messageFieldPrefix + name);
}

/** Typed text, kept even if it is invalid or not sent. Absent if the user never changed the parameter. */
export interface ParamInput {
  sent: boolean;
  text: string;
  /** True if Bench, not the user, set the value (refused-fields.ts). */
  byDefault?: true;
  /** Fields of this row that the setup's model rejected. */
  refused?: RefusedFields;
}

export type Params = Partial<Record<ParamName, ParamInput>>;

/**
 * Portability. `portable`: in the most portable request of §2.1. `documented`: in its table. `passed through`: support
 * depends on the provider.
 */
export type ParamTier = 'portable' | 'documented' | 'passed through';

export type ParamControl =
  | ({ type: 'number'; step: number; ruler?: RulerSpec } & NumberRange)
  | { type: 'switch' }
  | { type: 'lines'; maxLines: number }
  | { type: 'words'; options: readonly string[] }
  | { type: 'response-format' }
  | { type: 'tool-choice' }
  | { type: 'tools' }
  | { type: 'json' }
  | { type: 'constant'; label: string };

/** Slider next to a number, with labelled values; logarithmic if the range spans orders of magnitude. */
export interface RulerSpec {
  from: number;
  to: number;
  labels: readonly number[];
  scale: 'linear' | 'log';
}

export interface ParamRow {
  name: ParamName;
  group: 'Basics' | 'Sampling' | 'Reasoning' | 'Output and tools' | 'Extra provider fields';
  tier: ParamTier;
  control: ParamControl;
  /** Text inserted when the row is first ticked: the specified default, or a sensible value. */
  initialText: string;
  /** Value that the demo gateway uses for an absent field. Other gateways choose their own. */
  demoDefault?: string;
  /** One sentence for the tooltip and the docs. */
  description: string;
  read: (text: string) => ParamResult;
}

const sampleTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The current weather in a city.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city', examples: ['Paris', 'Oslo', 'Tokyo'] },
      },
      required: ['city'],
    },
  },
};

function createNumberRow(
  row: Omit<ParamRow, 'control' | 'read'> & { step: number; ruler?: RulerSpec } & NumberRange,
): ParamRow {
  const { step, ruler, min, max, integer, ...rest } = row;
  const range: NumberRange = {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(integer === undefined ? {} : { integer }),
  };
  return {
    ...rest,
    control: { type: 'number', step, ...range, ...(ruler === undefined ? {} : { ruler }) },
    read: createNumberReader(range),
  };
}

const unitRuler: RulerSpec = { from: 0, to: 1, labels: [0, 0.25, 0.5, 0.75, 1], scale: 'linear' };
const penaltyRuler: RulerSpec = { from: -2, to: 2, labels: [-2, -1, 0, 1, 2], scale: 'linear' };

const usageOptions = '{"include_usage":true}';

export const PARAMS: readonly ParamRow[] = [
  createNumberRow({
    name: 'temperature',
    group: 'Basics',
    tier: 'portable',
    initialText: '1',
    description: 'Randomness. 0 always picks the most likely token; at 2, text is nearly random.',
    min: 0,
    max: 2,
    step: 0.1,
    ruler: { from: 0, to: 2, labels: [0, 0.5, 1, 1.5, 2], scale: 'linear' },
  }),
  createNumberRow({
    name: 'top_p',
    group: 'Basics',
    tier: 'portable',
    initialText: '0.7',
    demoDefault: '0.7',
    description: 'Nucleus sampling from the most likely tokens that together reach this probability.',
    min: 0,
    max: 1,
    step: 0.05,
    ruler: unitRuler,
  }),
  createNumberRow({
    name: 'max_tokens',
    group: 'Basics',
    tier: 'portable',
    initialText: '1024',
    description:
      'Maximum number of output tokens. An answer cut off at this limit has the finish reason “length”.',
    min: 1,
    integer: true,
    step: 1,
  }),
  createNumberRow({
    name: 'max_completion_tokens',
    group: 'Basics',
    tier: 'passed through',
    initialText: '2048',
    description:
      'Maximum number of output tokens, reasoning included. Newer models use it instead of max_tokens.',
    min: 1,
    integer: true,
    step: 1,
  }),
  createNumberRow({
    name: 'frequency_penalty',
    group: 'Sampling',
    tier: 'documented',
    initialText: '0',
    description: 'Penalises tokens by how often they have appeared.',
    min: -2,
    max: 2,
    step: 0.1,
    ruler: penaltyRuler,
  }),
  createNumberRow({
    name: 'presence_penalty',
    group: 'Sampling',
    tier: 'documented',
    initialText: '0',
    description: 'Penalises tokens that have appeared at all, which encourages new topics.',
    min: -2,
    max: 2,
    step: 0.1,
    ruler: penaltyRuler,
  }),
  createNumberRow({
    name: 'seed',
    group: 'Sampling',
    tier: 'passed through',
    initialText: '7',
    description: 'The same seed and request should give the same answer, if the provider supports it.',
    integer: true,
    step: 1,
  }),
  createNumberRow({
    name: 'top_k',
    group: 'Sampling',
    tier: 'passed through',
    initialText: '40',
    description: 'Only the k most likely tokens are considered. Some providers accept 0 or -1 for no limit.',
    min: -1,
    integer: true,
    step: 1,
  }),
  createNumberRow({
    name: 'repetition_penalty',
    group: 'Sampling',
    tier: 'passed through',
    initialText: '1',
    description: 'Divides the logits of tokens that have already appeared. 1 has no effect.',
    min: 0,
    max: 2,
    step: 0.05,
    ruler: { from: 0, to: 2, labels: [0, 0.5, 1, 1.5, 2], scale: 'linear' },
  }),
  {
    name: 'logit_bias',
    group: 'Sampling',
    tier: 'passed through',
    control: { type: 'json' },
    initialText: '{}',
    description: 'Token IDs with a bias from -100 to 100, as a JSON object.',
    read: parseLogitBias,
  },
  {
    name: 'enable_thinking',
    group: 'Reasoning',
    tier: 'passed through',
    control: { type: 'switch' },
    initialText: 'true',
    description: 'Turns reasoning on or off for models that support it. Others may ignore it.',
    read: parseSwitch,
  },
  createNumberRow({
    name: 'thinking_budget',
    group: 'Reasoning',
    tier: 'passed through',
    initialText: '4096',
    demoDefault: '4096',
    description: 'Maximum number of reasoning tokens. Applies when enable_thinking is on.',
    min: 128,
    max: 32_768,
    integer: true,
    step: 128,
    ruler: { from: 128, to: 32_768, labels: [128, 1024, 4096, 32_768], scale: 'log' },
  }),
  {
    name: 'reasoning_effort',
    group: 'Reasoning',
    tier: 'passed through',
    control: { type: 'words', options: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
    initialText: 'medium',
    description: 'How much a model reasons before it answers. Each model accepts only some values.',
    read: parseWord,
  },
  {
    name: 'stop',
    group: 'Output and tools',
    tier: 'documented',
    control: { type: 'lines', maxLines: 4 },
    initialText: 'END',
    description:
      'Up to 4 sequences, one per line, that end the answer. The answer does not contain them. \\n means a line break.',
    read: createLinesReader(4),
  },
  createNumberRow({
    name: 'n',
    group: 'Output and tools',
    tier: 'documented',
    initialText: '1',
    description: 'How many answers to generate for one prompt.',
    min: 1,
    max: 128,
    integer: true,
    step: 1,
  }),
  {
    name: 'verbosity',
    group: 'Output and tools',
    tier: 'passed through',
    control: { type: 'words', options: ['low', 'medium', 'high'] },
    initialText: 'medium',
    description: 'How long and detailed the answer should be.',
    read: parseWord,
  },
  {
    name: 'stream',
    group: 'Output and tools',
    tier: 'portable',
    control: { type: 'switch' },
    initialText: 'true',
    description: 'Streams the answer as it is generated instead of returning it all at the end.',
    read: parseSwitch,
  },
  {
    name: 'stream_options',
    group: 'Output and tools',
    tier: 'passed through',
    control: { type: 'constant', label: 'include_usage' },
    initialText: usageOptions,
    description: 'Requests token counts at the end of a stream.',
    read: parseJsonObject,
  },
  {
    name: 'response_format',
    group: 'Output and tools',
    tier: 'portable',
    control: { type: 'response-format' },
    initialText: 'json_object',
    description:
      'text, json_object, or json_schema. The specification covers json_object; a schema is passed through.',
    read: parseResponseFormat,
  },
  {
    name: 'tools',
    group: 'Output and tools',
    tier: 'documented',
    control: { type: 'tools' },
    initialText: JSON.stringify([sampleTool], null, 2),
    description: 'Functions that the model may call, as a JSON array.',
    read: parseToolsParam,
  },
  {
    name: 'tool_choice',
    group: 'Output and tools',
    tier: 'passed through',
    control: { type: 'tool-choice' },
    initialText: 'auto',
    description: 'Whether the model may, must or must not call a tool, or which one.',
    read: parseToolChoice,
  },
  {
    name: 'Extra provider fields',
    group: 'Extra provider fields',
    tier: 'passed through',
    control: { type: 'json' },
    initialText: '{}',
    description: 'Any other request fields, as a JSON object. They are merged into the body unchanged.',
    read: parseJsonObject,
  },
];

const rowsByName = new Map(PARAMS.map((row) => [row.name, row]));

export function getParamRow(name: ParamName): ParamRow {
  const row = rowsByName.get(name);
  if (!row) throw new Error(`There is no parameter row named ${name}`);
  return row;
}

/** Parameters that are sent before the user changes anything. */
export const defaultParams: Params = {
  stream: { sent: true, text: 'true' },
  stream_options: { sent: true, text: usageOptions, byDefault: true },
};

/** Contribution of a row to the next request. `hint` is informational only. */
export type ParamState =
  | { state: 'unset' }
  | { state: 'sent'; value: Json; hint?: string }
  | { state: 'problem'; problem: string; offset?: number };

/** Returns the state of one row, which may depend on other rows. Invalid rows are not sent. */
export function getParamState(params: Params, name: ParamName): ParamState {
  const setting = params[name];
  if (!setting || isUnset(params, name)) return { state: 'unset' };
  const result = getParamRow(name).read(setting.text);
  if (!result.ok) {
    const { problem, offset } = result;
    return offset === undefined ? { state: 'problem', problem } : { state: 'problem', problem, offset };
  }
  const problem = getConflictProblem(params, name, result.value);
  if (problem) return { state: 'problem', problem };
  const hint = getHint(params, name);
  return hint ? { state: 'sent', value: result.value, hint } : { state: 'sent', value: result.value };
}

/** Returns true if a row adds nothing to the request: it is unticked, or its field is omitted. */
export function isUnset(params: Params, name: ParamName): boolean {
  const setting = params[name];
  // Some providers reject stream_options without streaming, so the default is omitted then.
  if (!setting?.sent || (setting.byDefault && !isOn(params, 'stream'))) return true;
  return getSentName(params, name) === null;
}

/** Returns the name under which the field of a row is sent, or null if the model rejected it. */
function getSentName(params: Params, name: ParamName, field: string = name): string | null {
  const { refused = {} } = params[name] ?? {};
  const sentName = Object.hasOwn(refused, field) ? refused[field] : field;
  if (sentName === undefined || sentName === null) return null;
  // A replacement must not overwrite a field that is set under that name.
  const isTaken = sentName !== field && (isReservedField(sentName) || hasField(params, sentName));
  return isTaken ? null : sentName;
}

function isReservedField(field: string): boolean {
  return field === 'model' || field === 'messages';
}

function hasField(params: Params, field: string): boolean {
  if (PARAMS.some((row) => row.name === field && params[row.name]?.sent)) return true;
  const extra = params['Extra provider fields'];
  const result = extra?.sent ? parseJsonObject(extra.text) : undefined;
  return result?.ok === true && getOwnProperty(result.value, field) !== undefined;
}

function getConflictProblem(params: Params, name: ParamName, value: Json): string | undefined {
  if (name === 'tool_choice') {
    const choiceText = params.tool_choice?.text ?? '';
    if (!choiceText.startsWith('function:')) return undefined;
    const toolName = choiceText.slice('function:'.length);
    const offeredNames = params.tools?.sent ? getToolNames(params.tools.text) : [];
    return offeredNames.includes(toolName) ? undefined : `${toolName} is not among the tools sent. Not sent.`;
  }
  if (name !== 'Extra provider fields') return undefined;
  const keys = (listJsonMembers(value) ?? []).map(([key]) => key);
  const conflictingField = keys.find(
    (key) => isReservedField(key) || PARAMS.some((row) => row.name === key && params[row.name]?.sent),
  );
  if (conflictingField !== undefined) return `${conflictingField} is already set above. Not sent.`;
  const duplicateKey = keys.find((key, index) => keys.indexOf(key) < index);
  return duplicateKey === undefined ? undefined : `${duplicateKey} is set twice. Not sent.`;
}

function isOn(params: Params, name: ParamName): boolean {
  return params[name]?.sent === true && params[name].text === 'true';
}

function getHint(params: Params, name: ParamName): string | undefined {
  if (name === 'stream_options' && !isOn(params, 'stream')) return 'Only applies with stream.';
  if (name === 'thinking_budget' && !isOn(params, 'enable_thinking'))
    return 'Applies when enable_thinking is on.';
  if (name === 'tool_choice' && !params.tools?.sent) return 'Only applies with tools.';
  return undefined;
}

/** Returns the fields of the body that are set and valid (§2.1). */
export function buildRequestFields(params: Params): JsonObject {
  // Object.entries and fromEntries keep "__proto__" as an ordinary own property.
  return Object.fromEntries(
    PARAMS.flatMap(({ name }): [string, Json][] => {
      const state = getParamState(params, name);
      if (state.state !== 'sent') return [];
      const ownFields: [string, Json][] = name !== 'Extra provider fields' ? [[name, state.value]] : [];
      const fields =
        isJsonObject(state.value) && ownFields.length === 0 ? Object.entries(state.value) : ownFields;
      return fields.flatMap(([field, value]): [string, Json][] => {
        const sentName = getSentName(params, name, field);
        return sentName === null ? [] : [[sentName, value]];
      });
    }),
  );
}

/** Ticks or unticks a row; the first tick inserts the initial text. */
export function withSent(params: Params, name: ParamName, sent: boolean): Params {
  const text = params[name]?.text ?? getParamRow(name).initialText;
  return { ...params, [name]: { sent, text } };
}

/** Sets the text of a row and ticks it. */
export function withText(params: Params, name: ParamName, text: string): Params {
  return { ...params, [name]: { sent: true, text } };
}
