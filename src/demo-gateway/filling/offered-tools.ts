/** The tools of a request, as far as a program that knows only words can use them. */
import { isRecord, ownProperty, parseJson, stringProperty, type JsonObject } from '../../lib/json.ts';
import { contentStems } from '../models/documentation-search.ts';

/** A JSON schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

export interface OfferedTool {
  name: string;
  description: string;
  /** §2.1 parameters; {} where the tool has none. */
  parameters: Schema;
  /** How much each word stem says for this tool. */
  stems: ReadonlyMap<string, number>;
}

/** The named properties of an object schema. */
export function propertiesOf(schema: Schema): [name: string, schema: Schema][] {
  const properties = ownProperty(schema, 'properties');
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, property]) => [name, isRecord(property) ? property : {}]);
}

/** §2.1 tools: the functions with a name. */
export function offeredTools(fields: JsonObject): OfferedTool[] {
  const tools = ownProperty(fields, 'tools');
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const definition = ownProperty(tool, 'function');
    const name = stringProperty(definition, 'name');
    if (name === undefined) return [];
    const description = stringProperty(definition, 'description') ?? '';
    const parameters = ownProperty(definition, 'parameters');
    const schema = isRecord(parameters) ? parameters : {};
    return [{ name, description, parameters: schema, stems: stemsOf(name, description, schema) }];
  });
}

/** Words of a tool that say nothing about what it is for. */
const generalStems = new Set(
  contentStems(
    'get set gets fetch fetches retrieve retrieves return returns returned provide provided provides given give current currently now use uses used using user ' +
      'information info data value values specific specified tool function call api run make makes name string number optional required list show tell find what which like want need example such text please new one two',
  ),
);

/** Everyday words for what examples of tools are often about. */
const synonyms: readonly (readonly string[])[] = [
  [
    'weather',
    'forecast',
    'temperature',
    'rain',
    'raining',
    'rainy',
    'sunny',
    'snow',
    'windy',
    'wind',
    'cold',
    'warm',
    'hot',
    'umbrella',
  ],
  ['time', 'clock', 'hour', 'timezone'],
  ['email', 'mail', 'message', 'send'],
  ['calculate', 'calculator', 'compute', 'arithmetic', 'math', 'mathematical', 'expression'],
  ['convert', 'conversion', 'exchange', 'currency'],
  ['search', 'look', 'google', 'web', 'lookup'],
  ['stock', 'share', 'price', 'quote', 'ticker'],
  ['remind', 'reminder', 'appointment', 'calendar', 'meeting', 'schedule', 'event'],
  ['book', 'reserve', 'reservation', 'booking'],
  ['translate', 'translation', 'translator'],
];
const synonymStems = synonyms.map((words) => new Set(words.flatMap(contentStems)));

const nameWeight = 3;
const descriptionWeight = 1.5;
const parameterWeight = 0.8;
const synonymFactor = 0.7;

function stemsOf(name: string, description: string, parameters: Schema): Map<string, number> {
  const stems = new Map<string, number>();
  const add = (text: string, weight: number) => {
    const words = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replace(/[_-]/g, ' ');
    for (const stem of contentStems(words)) {
      if (!generalStems.has(stem)) stems.set(stem, Math.max(weight, stems.get(stem) ?? 0));
    }
  };
  add(name, nameWeight);
  add(description, descriptionWeight);
  for (const [property, schema] of propertiesOf(parameters)) {
    add(`${property} ${stringProperty(schema, 'description') ?? ''}`, parameterWeight);
    const allowed = ownProperty(schema, 'enum');
    if (Array.isArray(allowed))
      add(allowed.filter((value) => typeof value === 'string').join(' '), parameterWeight);
  }
  for (const [stem, weight] of Array.from(stems)) {
    if (weight < descriptionWeight) continue;
    for (const set of synonymStems) if (set.has(stem)) addSynonyms(stems, set, weight * synonymFactor);
  }
  return stems;
}

function addSynonyms(stems: Map<string, number>, synonym: ReadonlySet<string>, weight: number): void {
  for (const stem of synonym)
    if (!generalStems.has(stem)) stems.set(stem, Math.max(weight, stems.get(stem) ?? 0));
}

/** The JSON of a call's arguments as an object; {} where it is none. */
export function argumentsOf(text: string): JsonObject {
  const reading = parseJson(text);
  return reading.ok && isRecord(reading.value) ? reading.value : {};
}
