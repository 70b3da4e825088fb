import { isRecord, numberProperty, ownProperty, stringProperty } from '../../lib/json.ts';

type ModelKind = 'chat' | 'embedding' | 'unknown';

/** What a model says it can do: false is said only where its record says so; absent is not known. */
interface ModelAbilities {
  vision?: boolean;
  tools?: boolean;
  thinking?: boolean;
}

export interface ModelRecord {
  id: string;
  kind: ModelKind;
  ownedBy?: string;
  abilities: ModelAbilities;
  about?: string;
  contextTokens?: number;
  /** The record as received: its shape is not in the specification (§2.8). */
  raw: unknown;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => (typeof item === 'string' ? [item.toLowerCase()] : []));
}

/** The same fact stands at the top of a record, under `architecture`, or under `model_info`, depending on the gateway. */
function placesOf(record: unknown): unknown[] {
  return [
    record,
    ownProperty(record, 'architecture'),
    ownProperty(record, 'model_info'),
    ownProperty(record, 'top_provider'),
  ];
}

function firstNumber(record: unknown, keys: string[]): number | undefined {
  for (const place of placesOf(record)) {
    for (const key of keys) {
      const found = numberProperty(place, key);
      if (found !== undefined && found > 0) return found;
    }
  }
  return undefined;
}

function allStrings(record: unknown, keys: string[]): string[] {
  return placesOf(record).flatMap((place) => keys.flatMap((key) => stringsIn(ownProperty(place, key))));
}

function kindOf(record: unknown, id: string): ModelKind {
  const kinds = [
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
    'capabilities',
    'supported_endpoints',
  ];
  const said = allStrings(record, kinds);
  const capabilities = ownProperty(record, 'capabilities');
  const can = (name: string) => ownProperty(capabilities, name) === true;
  if (
    can('embeddings') ||
    can('embedding') ||
    said.some((word) => /embed|feature-extraction|sentence-similarity/.test(word))
  ) {
    return 'embedding';
  }
  if (
    can('completion_chat') ||
    can('chat') ||
    said.some((word) =>
      /chat|text-generation|text-to-text|conversational|completion|llm|vlm|->text|^text$/.test(word),
    )
  ) {
    return 'chat';
  }
  const isReranker = /rerank/i.test(id);
  return !isReranker && /embed|(?:^|[/_.-])(?:bge|e5|gte)(?=$|[/_.:\d-])/i.test(id) ? 'embedding' : 'unknown';
}

interface Evidence {
  capability: RegExp;
  flags: string[];
  /** Lists that are complete where they are given: what they do not name is not supported. */
  lists: { keys: string[]; names: RegExp }[];
}

const evidence: Record<keyof ModelAbilities, Evidence> = {
  vision: {
    capability: /^(?:vision|image|image_input|images|multimodal)$/,
    flags: ['supports_vision', 'supports_image_in', 'supports_images', 'vision'],
    lists: [{ keys: ['input_modalities'], names: /image|vision/ }],
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

/** `text+image->text`. */
function takesImages(modality: string): boolean {
  const at = modality.indexOf('image');
  return at >= 0 && modality.includes('->', at);
}

function abilityOf(record: unknown, { capability, flags, lists }: Evidence): boolean | undefined {
  const capabilities = ownProperty(record, 'capabilities');
  if (isRecord(capabilities)) {
    const said = Object.entries(capabilities).filter(
      ([name, value]) => capability.test(name) && typeof value === 'boolean',
    );
    if (said.length > 0) return said.some(([, value]) => value === true);
  }
  for (const place of placesOf(record)) {
    const said = flags.map((flag) => ownProperty(place, flag)).find((value) => typeof value === 'boolean');
    if (typeof said === 'boolean') return said;
  }
  const named = allStrings(record, ['capabilities', 'supported_features', 'features', 'tags']);
  if (named.some((name) => capability.test(name))) return true;
  if (capability.test('vision') && allStrings(record, ['modality']).some(takesImages)) return true;
  for (const { keys, names } of lists) {
    const listed = allStrings(record, keys);
    if (listed.length > 0) return listed.some((name) => names.test(name));
  }
  return undefined;
}

const idNames = ['id', 'name', 'model', 'model_id', 'modelId', 'model_name', 'modelName', 'slug', 'key'];
const innerNames = ['model', 'attributes', 'info'];

function idIn(item: unknown): string | undefined {
  const name = idNames.find((each) => stringProperty(item, each) !== undefined);
  return name === undefined ? undefined : stringProperty(item, name);
}

/** One item of a model list, or undefined when it has no id. `key`: what a table by id calls it. Reads the fields in common use and keeps the rest in `raw`. */
export function modelRecordOf(item: unknown, key?: string): ModelRecord | undefined {
  const id = (typeof item === 'string' ? item : (idIn(item) ?? key))?.trim();
  if (!id) {
    // Some wrap each record once more.
    const inner = innerNames.map((name) => ownProperty(item, name)).find(isRecord);
    return inner === undefined || idIn(inner) === undefined ? undefined : modelRecordOf(inner);
  }
  const abilities: ModelAbilities = {};
  for (const name of ['vision', 'tools', 'thinking'] as const) {
    const found = abilityOf(item, evidence[name]);
    if (found !== undefined) abilities[name] = found;
  }
  const model: ModelRecord = { id, kind: kindOf(item, id), abilities, raw: item };
  const ownedBy =
    stringProperty(item, 'owned_by') ?? stringProperty(item, 'owner') ?? stringProperty(item, 'organization');
  const about = stringProperty(item, 'description') ?? stringProperty(item, 'about');
  const contextTokens = firstNumber(item, [
    'context_length',
    'context_window',
    'max_context_length',
    'max_model_len',
    'context_size',
    'max_input_tokens',
  ]);
  if (ownedBy) model.ownedBy = ownedBy;
  if (about) model.about = about;
  if (contextTokens !== undefined) model.contextTokens = contextTokens;
  return model;
}
