import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';

/** `other`: neither chats nor creates embeddings, for example OCR, speech or moderation. */
type ModelKind = 'chat' | 'embedding' | 'other' | 'unknown';

/** Abilities of a model. False only if the record denies them explicitly; absent if unknown. */
interface ModelAbilities {
  vision?: boolean;
  /** Documents such as PDFs. */
  files?: boolean;
  audio?: boolean;
  tools?: boolean;
  thinking?: boolean;
}

export interface ModelRecord {
  id: string;
  kind: ModelKind;
  ownedBy?: string;
  abilities: ModelAbilities;
  description?: string;
  contextTokens?: number;
  /** Day on which the provider shuts the model down, as YYYY-MM-DD. */
  shutdownDate?: string;
  /** Router state of a model that cannot answer immediately, for example `unloaded` or `loading`. */
  state?: string;
  /** Number of times the list contains this ID, if more than once. */
  timesListed?: number;
  /** The record as received: its shape is not specified (§2.8). */
  raw: unknown;
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => (typeof item === 'string' ? [item.toLowerCase()] : []));
}

/** Depending on the gateway, metadata is at the top level of a record or in one of these. */
const innerRecordNames = ['architecture', 'model_info', 'top_provider', 'meta', 'limit', 'limits'];

type FieldSource = Record<string, unknown>;

function listFieldSources(record: unknown): FieldSource[] {
  if (!isRecord(record)) return [];
  return [record, ...innerRecordNames.map((name) => getOwnProperty(record, name)).filter(isRecord)];
}

function findNumber(sources: readonly FieldSource[], keys: readonly string[]): number | undefined {
  for (const source of sources) {
    for (const key of keys) {
      const value = getNumberProperty(source, key);
      if (value !== undefined && value > 0) return value;
    }
  }
  return undefined;
}

function collectStrings(sources: readonly FieldSource[], keys: readonly string[]): string[] {
  const strings: string[] = [];
  for (const source of sources)
    for (const key of keys) strings.push(...listStrings(getOwnProperty(source, key)));
  return strings;
}

const kindFields = [
  'type',
  'task',
  'kind',
  'mode',
  'category',
  'model_type',
  'pipeline_tag',
  'object',
  'modality',
  'output_modalities',
  'supported_endpoints',
];
const embeddingPattern = /embed|feature-extraction|sentence-similarity/;
const chatPattern = /chat|text-generation|text-to-text|conversational|completion|llm|vlm|->text|^text$/;
const otherPattern =
  /rerank|moderat|(?:^|[^a-z])ocr|speech|transcri|(?:^|[^a-z])tts|text-to-(?:image|video|audio)|^(?:audio|video)|image(?:s\/|[_-]?generation)|->(?:image|audio|video)|classification|realtime/;
const embeddingIds = /embed|(?:^|[/_.-])(?:bge|e5|gte)(?=$|[/_.:\d-])/i;
/** IDs of single-task models, which cannot chat even if a chat endpoint serves them. */
const taskIds =
  /(?:^|[/_.:-])(?:ocr|tts|stt|asr|whisper|transcribe|speech|moderations?|re-?rank(?:er)?|guard)(?=$|[/_.:\d-])/i;
const otherIds =
  /(?:^|[/_.:-])(?:image|imagen|dall-e|flux|sdxl|stable-diffusion|sora|veo|video|audio|music|realtime|davinci|babbage)(?=$|[/_.:\d-])/i;

function detectKind(sources: readonly FieldSource[], id: string): ModelKind {
  const capabilities = getOwnProperty(sources[0], 'capabilities');
  const kindTexts = collectStrings(sources, kindFields);
  const allTexts = [...kindTexts, ...listStrings(capabilities)];
  const readFlags = (...names: string[]) => names.map((name) => getOwnProperty(capabilities, name));
  if (
    readFlags('embeddings', 'embedding').includes(true) ||
    allTexts.some((word) => embeddingPattern.test(word))
  )
    return 'embedding';
  if (taskIds.test(id) && !kindTexts.some((word) => word.startsWith('chat'))) return 'other';
  const chatFlags = readFlags('completion_chat', 'chat', 'chat_completion', 'chat_completions');
  if (chatFlags.includes(true) || allTexts.some((word) => chatPattern.test(word))) return 'chat';
  if (embeddingIds.test(id)) return 'embedding';
  const isOther =
    chatFlags.includes(false) || kindTexts.some((word) => otherPattern.test(word)) || otherIds.test(id);
  return isOther ? 'other' : 'unknown';
}

/** Lists chat models, then models of unknown kind, each in the order of the list. */
export function listChatModels(models: readonly ModelRecord[]): ModelRecord[] {
  const certainChatModels = models.filter(({ kind }) => kind === 'chat');
  const unknownModels = models.filter(({ kind }) => kind === 'unknown');
  return [...certainChatModels, ...unknownModels];
}

interface AbilityRule {
  capability: RegExp;
  flags: string[];
  /** Input in a modality such as `text+image->text`. */
  modality?: RegExp;
  /** Lists that are complete if present: anything they omit is unsupported. */
  lists: { keys: string[]; names: RegExp }[];
}

const abilityRules: Record<keyof ModelAbilities, AbilityRule> = {
  vision: {
    capability: /^(?:vision|image|image_input|images|multimodal)$/,
    flags: ['supports_vision', 'supports_image_in', 'supports_images', 'vision'],
    modality: /image/,
    lists: [{ keys: ['input_modalities'], names: /image|vision/ }],
  },
  files: {
    capability: /^(?:files?|file[_-]input|pdf|pdf[_-]input|documents?|document[_-]input)$/,
    flags: ['supports_pdf_input', 'supports_file_input', 'supports_files', 'supports_documents'],
    modality: /file|pdf|document/,
    lists: [{ keys: ['input_modalities'], names: /file|pdf|document/ }],
  },
  audio: {
    capability: /^(?:audio|audio[_-]input|input[_-]audio)$/,
    flags: ['supports_audio_input', 'supports_audio_in'],
    modality: /audio/,
    lists: [{ keys: ['input_modalities'], names: /audio/ }],
  },
  tools: {
    capability: /^(?:tools?|tool_use|tool_calls?|tool_calling|function_calling|function-calling|functions)$/,
    flags: ['supports_tools', 'supports_function_calling', 'supports_tool_use'],
    lists: [{ keys: ['supported_parameters'], names: /^(?:tools|functions)$/ }],
  },
  thinking: {
    capability: /^(?:thinking|reasoning)$/,
    flags: ['supports_reasoning', 'supports_thinking', 'reasoning', 'thinking'],
    lists: [
      {
        keys: ['supported_parameters'],
        names: /^(?:reasoning|include_reasoning|reasoning_effort|enable_thinking|thinking_budget)$/,
      },
    ],
  },
};

function detectAbility(
  sources: readonly FieldSource[],
  { capability, flags, modality, lists }: AbilityRule,
): boolean | undefined {
  const capabilities = getOwnProperty(sources[0], 'capabilities');
  if (isRecord(capabilities)) {
    const flaggedCapabilities = Object.entries(capabilities).filter(
      ([name, value]) => capability.test(name) && typeof value === 'boolean',
    );
    if (flaggedCapabilities.length > 0) return flaggedCapabilities.some(([, value]) => value === true);
  }
  for (const source of sources) {
    const flagValue = flags
      .map((flag) => getOwnProperty(source, flag))
      .find((value) => typeof value === 'boolean');
    if (typeof flagValue === 'boolean') return flagValue;
  }
  const features = collectStrings(sources, ['capabilities', 'supported_features', 'features', 'tags']);
  if (features.some((name) => capability.test(name))) return true;
  const inputs = collectStrings(sources, ['modality']).flatMap((text) => text.split('->').slice(0, -1));
  if (inputs.some((input) => modality?.test(input))) return true;
  for (const { keys, names } of lists) {
    const listedNames = collectStrings(sources, keys);
    if (listedNames.length > 0) return listedNames.some((name) => names.test(name));
  }
  return undefined;
}

const contextFields = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_context_tokens',
  'max_model_len',
  'context_size',
  'max_input_tokens',
  'inputTokenLimit',
  'n_ctx',
  'n_ctx_train',
  'context',
];
const shutdownFields = [
  'shutdown_date',
  'shutdown_at',
  'retirement_date',
  'retired_at',
  'deprecation_date',
  'deprecation',
  'sunset_date',
  'expiration_date',
];

/** Returns the shutdown day; dates are text, or seconds since 1970. */
function readShutdownDate(sources: readonly FieldSource[]): string | undefined {
  for (const source of sources) {
    for (const field of shutdownFields) {
      const value = getOwnProperty(source, field);
      const text = typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined;
      if (text !== undefined) return text;
      if (typeof value !== 'number' || !(value > 0)) continue;
      const date = new Date(value < 1e11 ? value * 1000 : value);
      if (!Number.isNaN(date.getTime())) return date.toISOString().slice(0, 10);
    }
  }
  return undefined;
}

const usualStates =
  /^(?:|loaded|ready|active|available|ok|up|enabled|live|online|running|healthy|deployed|succeeded|success|stable|ga|generally available)$/;
const maxStateChars = 40;

/** Returns the state of a model that is not ready: `status: "x"`, `status: {"value": "x"}`, `state: "x"`. */
function readState(item: unknown): string | undefined {
  const status = getOwnProperty(item, 'status') ?? getOwnProperty(item, 'state');
  if (getOwnProperty(status, 'failed') === true) return 'failed';
  const word = typeof status === 'string' ? status : getStringProperty(status, 'value');
  const text = (word ?? '').trim().toLowerCase().replaceAll('_', ' ');
  return usualStates.test(text) || text.length > maxStateChars ? undefined : text;
}

const idNames = ['id', 'name', 'model', 'model_id', 'modelId', 'model_name', 'modelName', 'slug', 'key'];
const wrapperNames = ['model', 'attributes', 'info'];

/** Transport fields of the API, which parameter lists omit. */
const transportFields = new Set(['stream', 'stream_options']);
/** Other names under which a list may contain a field. */
const listAliases: Readonly<Record<string, readonly string[]>> = {
  max_completion_tokens: ['max_tokens'],
  reasoning_effort: ['reasoning'],
  response_format: ['structured_outputs'],
};

/** Returns true if the model's record lists its request fields and omits this one. */
export function isFieldUnlisted({ raw }: ModelRecord, field: string): boolean {
  const listedParameters = collectStrings(listFieldSources(raw), [
    'supported_parameters',
    'supported_openai_params',
  ]);
  const names = [field, ...(Object.hasOwn(listAliases, field) ? (listAliases[field] ?? []) : [])];
  return (
    listedParameters.length > 0 &&
    !transportFields.has(field) &&
    !names.some((name) => listedParameters.includes(name))
  );
}

function readId(item: unknown): string | undefined {
  const name = idNames.find((candidate) => getStringProperty(item, candidate) !== undefined);
  return name === undefined ? undefined : getStringProperty(item, name);
}

/** Models by list and ID; a linear search per model takes minutes for 60,000 models. */
const indexes = new WeakMap<readonly ModelRecord[], ReadonlyMap<string, ModelRecord>>();

/** Finds a model by its ID. The list must not be mutated. */
export function findModel(models: readonly ModelRecord[], id: string): ModelRecord | undefined {
  let index = indexes.get(models);
  if (index === undefined) {
    index = new Map(models.map((model) => [model.id, model]));
    indexes.set(models, index);
  }
  return index.get(id);
}

/**
 * Parses one item of a model list, or returns undefined if it has no ID. `key` is its name in a table by ID. Reads the
 * usual fields and keeps the rest in `raw`.
 */
export function parseModelRecord(item: unknown, key?: string): ModelRecord | undefined {
  const id = (typeof item === 'string' ? item : (readId(item) ?? key))?.trim();
  if (!id) {
    // Some gateways wrap each record.
    const innerRecord = wrapperNames.map((name) => getOwnProperty(item, name)).find(isRecord);
    return innerRecord === undefined || readId(innerRecord) === undefined
      ? undefined
      : parseModelRecord(innerRecord);
  }
  const sources = listFieldSources(item);
  const abilities: ModelAbilities = {};
  for (const name of ['vision', 'files', 'audio', 'tools', 'thinking'] as const) {
    const ability = detectAbility(sources, abilityRules[name]);
    if (ability !== undefined) abilities[name] = ability;
  }
  const model: ModelRecord = { id, kind: detectKind(sources, id), abilities, raw: item };
  const ownedBy =
    getStringProperty(item, 'owned_by') ??
    getStringProperty(item, 'owner') ??
    getStringProperty(item, 'organization');
  const description = getStringProperty(item, 'description') ?? getStringProperty(item, 'about');
  const contextTokens = findNumber(sources, contextFields);
  const shutdownDate = readShutdownDate(sources);
  const state = readState(item);
  if (ownedBy) model.ownedBy = ownedBy;
  if (description) model.description = description;
  if (contextTokens !== undefined) model.contextTokens = contextTokens;
  if (shutdownDate !== undefined) model.shutdownDate = shutdownDate;
  if (state !== undefined) model.state = state;
  return model;
}
