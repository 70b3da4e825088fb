/**
 * Every request field of §2.1 as a row. The table feeds the sidebar, the request, the
 * checks, the docs and the portability mark; a field that is not here is the person's own extra JSON.
 */
import { listJsonMembers } from '../../lib/exact-json.ts';
import { isJsonObject, getOwnProperty, type Json, type JsonObject } from '../../lib/json.ts';
import {
  readJsonObject,
  readLines,
  readLogitBias,
  readNumber,
  readResponseFormat,
  readSwitch,
  readToolChoice,
  readTools,
  readWord,
  toolNamesOf,
  type NumberRange,
  type Reading,
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

/** Request fields that a model refused, by name: the name that is sent instead, or null where the field is left out. */
export type RefusedFields = Readonly<Record<string, string | null>>;

/** Prefix of refused message fields, in refusals and where they are remembered. */
export const messagePath = 'messages.';

/** True if requests to a model that refused these fields omit this one in messages and calls. */
export function isMessageFieldRefused(refused: RefusedFields, name: string): boolean {
  return Object.hasOwn(refused, messagePath + name);
}

/** What was typed, kept also while it is not sent or not valid. Absent: never touched. */
export interface Setting {
  sent: boolean;
  text: string;
  /** Bench chose it, not a person (refused-fields.ts). */
  byDefault?: true;
  /** Fields of this row that the model of the setup refused. */
  refused?: RefusedFields;
}

export type Params = Partial<Record<ParamName, Setting>>;

/** portable: in the most portable request of §2.1; documented: in its table; passed through: best effort of the provider. */
export type Tier = 'portable' | 'documented' | 'passed through';

export type ParamControl =
  | ({ type: 'number'; step: number; ruler?: Ruler } & NumberRange)
  | { type: 'switch' }
  | { type: 'lines'; most: number }
  | { type: 'words'; words: readonly string[] }
  | { type: 'response-format' }
  | { type: 'tool-choice' }
  | { type: 'tools' }
  | { type: 'json' }
  | { type: 'constant'; shown: string };

/** The slider beside a number: labelled values, and log where the range spans magnitudes. */
export interface Ruler {
  from: number;
  to: number;
  labels: readonly number[];
  scale: 'linear' | 'log';
}

export interface ParamRow {
  name: ParamName;
  group: 'Sampling' | 'Thinking' | 'Newer models' | 'Output and tools' | 'Extra provider fields';
  tier: Tier;
  control: ParamControl;
  /** The text that a first tick puts in: the specification's default, else a sensible start. */
  start: string;
  /** What the API's description says is used when the field is absent. */
  gatewayDefault?: string;
  /** One sentence for the tooltip and the docs. */
  about: string;
  read: (text: string) => Reading;
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

function numberRow(
  row: Omit<ParamRow, 'control' | 'read'> & { step: number; ruler?: Ruler } & NumberRange,
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
    read: readNumber(range),
  };
}

const unitRuler: Ruler = { from: 0, to: 1, labels: [0, 0.25, 0.5, 0.75, 1], scale: 'linear' };
const penaltyRuler: Ruler = { from: -2, to: 2, labels: [-2, -1, 0, 1, 2], scale: 'linear' };

const usageOptions = '{"include_usage":true}';

export const PARAMS: readonly ParamRow[] = [
  numberRow({
    name: 'temperature',
    group: 'Sampling',
    tier: 'portable',
    start: '1',
    about: 'Randomness. 0 always picks the likeliest token, 2 is close to noise.',
    min: 0,
    max: 2,
    step: 0.1,
    ruler: { from: 0, to: 2, labels: [0, 0.5, 1, 1.5, 2], scale: 'linear' },
  }),
  numberRow({
    name: 'top_p',
    group: 'Sampling',
    tier: 'portable',
    start: '0.7',
    gatewayDefault: '0.7',
    about: 'Nucleus sampling: only the likeliest tokens that together reach this probability.',
    min: 0,
    max: 1,
    step: 0.05,
    ruler: unitRuler,
  }),
  numberRow({
    name: 'max_tokens',
    group: 'Sampling',
    tier: 'portable',
    start: '1024',
    about: 'Maximum number of output tokens. An answer cut off here has the finish reason length.',
    min: 1,
    integer: true,
    step: 1,
  }),
  numberRow({
    name: 'frequency_penalty',
    group: 'Sampling',
    tier: 'documented',
    start: '0',
    about: 'Penalizes tokens by how often they have appeared.',
    min: -2,
    max: 2,
    step: 0.1,
    ruler: penaltyRuler,
  }),
  numberRow({
    name: 'presence_penalty',
    group: 'Sampling',
    tier: 'documented',
    start: '0',
    about: 'Penalizes tokens that have appeared at all, which encourages new topics.',
    min: -2,
    max: 2,
    step: 0.1,
    ruler: penaltyRuler,
  }),
  {
    name: 'stop',
    group: 'Sampling',
    tier: 'documented',
    control: { type: 'lines', most: 4 },
    start: 'END',
    about:
      'Up to 4 sequences, one per line, that end the answer. The answer does not contain them. \\n means a line break.',
    read: readLines(4),
  },
  numberRow({
    name: 'n',
    group: 'Sampling',
    tier: 'documented',
    start: '1',
    about: 'How many answers to generate for one prompt.',
    min: 1,
    max: 128,
    integer: true,
    step: 1,
  }),
  numberRow({
    name: 'seed',
    group: 'Sampling',
    tier: 'passed through',
    start: '7',
    about: 'The same seed and request should give the same answer, if the provider supports it.',
    integer: true,
    step: 1,
  }),
  numberRow({
    name: 'top_k',
    group: 'Sampling',
    tier: 'passed through',
    start: '40',
    about: 'Only the k likeliest tokens are considered. Some providers accept 0 or -1 for no limit.',
    min: -1,
    integer: true,
    step: 1,
  }),
  numberRow({
    name: 'repetition_penalty',
    group: 'Sampling',
    tier: 'passed through',
    start: '1',
    about: 'Divides the score of tokens already seen. 1 has no effect.',
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
    start: '{}',
    about: 'Token IDs with a bias from -100 to 100, as a JSON object.',
    read: readLogitBias,
  },
  {
    name: 'enable_thinking',
    group: 'Thinking',
    tier: 'passed through',
    control: { type: 'switch' },
    start: 'true',
    about: 'Turns thinking mode on or off for models that have one. Others may ignore it.',
    read: readSwitch,
  },
  numberRow({
    name: 'thinking_budget',
    group: 'Thinking',
    tier: 'passed through',
    start: '4096',
    gatewayDefault: '4096',
    about: 'Maximum number of reasoning tokens. Applies when thinking mode is on.',
    min: 128,
    max: 32_768,
    integer: true,
    step: 128,
    ruler: { from: 128, to: 32_768, labels: [128, 1024, 4096, 32_768], scale: 'log' },
  }),
  numberRow({
    name: 'max_completion_tokens',
    group: 'Newer models',
    tier: 'passed through',
    start: '2048',
    about:
      'Maximum number of output tokens, reasoning included. Newer models take it in place of max_tokens.',
    min: 1,
    integer: true,
    step: 1,
  }),
  {
    name: 'reasoning_effort',
    group: 'Newer models',
    tier: 'passed through',
    control: { type: 'words', words: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
    start: 'medium',
    about: 'How much a model reasons before it answers. Each model accepts only some of the words.',
    read: readWord,
  },
  {
    name: 'verbosity',
    group: 'Newer models',
    tier: 'passed through',
    control: { type: 'words', words: ['low', 'medium', 'high'] },
    start: 'medium',
    about: 'How long and detailed the answer should be.',
    read: readWord,
  },
  {
    name: 'stream',
    group: 'Output and tools',
    tier: 'portable',
    control: { type: 'switch' },
    start: 'true',
    about: 'Sends the answer piece by piece as it is generated, instead of all at once at the end.',
    read: readSwitch,
  },
  {
    name: 'stream_options',
    group: 'Output and tools',
    tier: 'passed through',
    control: { type: 'constant', shown: 'include_usage' },
    start: usageOptions,
    about: 'Requests token counts at the end of a stream.',
    read: readJsonObject,
  },
  {
    name: 'response_format',
    group: 'Output and tools',
    tier: 'portable',
    control: { type: 'response-format' },
    start: 'json_object',
    about:
      'text, json_object, or json_schema. The specification covers json_object; a schema is passed through.',
    read: readResponseFormat,
  },
  {
    name: 'tools',
    group: 'Output and tools',
    tier: 'documented',
    control: { type: 'tools' },
    start: JSON.stringify([sampleTool], null, 2),
    about: 'Functions that the model may call, as a JSON array.',
    read: readTools,
  },
  {
    name: 'tool_choice',
    group: 'Output and tools',
    tier: 'passed through',
    control: { type: 'tool-choice' },
    start: 'auto',
    about: 'Whether the model may, must or must not call a tool, or which one.',
    read: readToolChoice,
  },
  {
    name: 'Extra provider fields',
    group: 'Extra provider fields',
    tier: 'passed through',
    control: { type: 'json' },
    start: '{}',
    about: 'Any other request fields, as a JSON object. They are merged into the body unchanged.',
    read: readJsonObject,
  },
];

const rowsByName = new Map(PARAMS.map((row) => [row.name, row]));

export function paramRow(name: ParamName): ParamRow {
  const row = rowsByName.get(name);
  if (!row) throw new Error(`There is no parameter row named ${name}`);
  return row;
}

/** What a person who has chosen nothing sends. */
export const firstParams: Params = {
  stream: { sent: true, text: 'true' },
  stream_options: { sent: true, text: usageOptions, byDefault: true },
};

/** What one row contributes to the next request. `hint` is worth knowing but changes nothing. */
export type ParamState =
  | { state: 'unset' }
  | { state: 'sent'; value: Json; hint?: string }
  | { state: 'problem'; problem: string; at?: number };

/** Reads one row in the light of the others. A row with a problem is not sent. */
export function paramState(params: Params, name: ParamName): ParamState {
  const setting = params[name];
  if (!setting || isUnset(params, name)) return { state: 'unset' };
  const reading = paramRow(name).read(setting.text);
  if (!reading.ok) {
    const { problem, at } = reading;
    return at === undefined ? { state: 'problem', problem } : { state: 'problem', problem, at };
  }
  const problem = crossProblem(params, name, reading.value);
  if (problem) return { state: 'problem', problem };
  const hint = crossHint(params, name);
  return hint ? { state: 'sent', value: reading.value, hint } : { state: 'sent', value: reading.value };
}

/** True if a row adds nothing to the request: it is unticked, or its field is left out. */
export function isUnset(params: Params, name: ParamName): boolean {
  const setting = params[name];
  // A default is not sent where some providers reject it: beside a whole answer.
  if (!setting?.sent || (setting.byDefault && !isOn(params, 'stream'))) return true;
  return getSentName(params, name) === null;
}

/** Returns the name that the field of a row is sent under; null if the model refused it. */
function getSentName(params: Params, name: ParamName, field: string = name): string | null {
  const { refused = {} } = params[name] ?? {};
  const sentName = Object.hasOwn(refused, field) ? refused[field] : field;
  if (sentName === undefined || sentName === null) return null;
  // A field that was set under its own name is not overwritten by another one.
  const isTaken = sentName !== field && (isReserved(sentName) || hasField(params, sentName));
  return isTaken ? null : sentName;
}

function isReserved(field: string): boolean {
  return field === 'model' || field === 'messages';
}

function hasField(params: Params, field: string): boolean {
  if (PARAMS.some((row) => row.name === field && params[row.name]?.sent)) return true;
  const extra = params['Extra provider fields'];
  const reading = extra?.sent ? readJsonObject(extra.text) : undefined;
  return reading?.ok === true && getOwnProperty(reading.value, field) !== undefined;
}

function crossProblem(params: Params, name: ParamName, value: Json): string | undefined {
  if (name === 'tool_choice') {
    const chosen = params.tool_choice?.text ?? '';
    if (!chosen.startsWith('function:')) return undefined;
    const tool = chosen.slice('function:'.length);
    const offered = params.tools?.sent ? toolNamesOf(params.tools.text) : [];
    return offered.includes(tool) ? undefined : `${tool} is not among the tools sent. Not sent.`;
  }
  if (name !== 'Extra provider fields') return undefined;
  const keys = (listJsonMembers(value) ?? []).map(([key]) => key);
  const taken = keys.find(
    (key) => isReserved(key) || PARAMS.some((row) => row.name === key && params[row.name]?.sent),
  );
  if (taken !== undefined) return `${taken} is already set above. Not sent.`;
  const doubled = keys.find((key, index) => keys.indexOf(key) < index);
  return doubled === undefined ? undefined : `${doubled} is set twice. Not sent.`;
}

function isOn(params: Params, name: ParamName): boolean {
  return params[name]?.sent === true && params[name].text === 'true';
}

function crossHint(params: Params, name: ParamName): string | undefined {
  if (name === 'stream_options' && !isOn(params, 'stream')) return 'Only applies with stream.';
  if (name === 'thinking_budget' && !isOn(params, 'enable_thinking'))
    return 'Applies when enable_thinking is on.';
  if (name === 'tool_choice' && !params.tools?.sent) return 'Only applies with tools.';
  return undefined;
}

/** §2.1: the fields that are set and valid, as they go into the body. */
export function fieldsOf(params: Params): JsonObject {
  // Object.entries and fromEntries keep an own "__proto__" key an ordinary field.
  return Object.fromEntries(
    PARAMS.flatMap(({ name }): [string, Json][] => {
      const found = paramState(params, name);
      if (found.state !== 'sent') return [];
      const own: [string, Json][] = name !== 'Extra provider fields' ? [[name, found.value]] : [];
      const fields = isJsonObject(found.value) && own.length === 0 ? Object.entries(found.value) : own;
      return fields.flatMap(([field, value]): [string, Json][] => {
        const sentName = getSentName(params, name, field);
        return sentName === null ? [] : [[sentName, value]];
      });
    }),
  );
}

/** Ticks or unticks a row; a first tick puts its start text in. */
export function withSent(params: Params, name: ParamName, sent: boolean): Params {
  const text = params[name]?.text ?? paramRow(name).start;
  return { ...params, [name]: { sent, text } };
}

/** Typing in a control sends it. */
export function withText(params: Params, name: ParamName, text: string): Params {
  return { ...params, [name]: { sent: true, text } };
}
