/** The text of response_format where it asks for a JSON Schema: read into its parts, and written again. */
import { isJsonObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts';

/** What the editor of a schema holds. `rest`: further fields of json_schema, kept as they are. */
export interface SchemaFormat {
  name: string;
  strict: boolean;
  schema: JsonObject;
  rest: JsonObject;
}

export const firstSchema: SchemaFormat = {
  name: 'answer',
  strict: true,
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
  rest: {},
};

/** Undefined where the text is not such an object: then it is edited as text. */
export function schemaFormatOf(text: string): SchemaFormat | undefined {
  const reading = parseJson(text);
  const format = reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
  const wrapper = format?.['type'] === 'json_schema' ? format['json_schema'] : undefined;
  if (!isJsonObject(wrapper)) return undefined;
  const { name, strict, schema, ...rest } = wrapper;
  if (schema !== undefined && !isJsonObject(schema)) return undefined;
  return {
    name: typeof name === 'string' ? name : '',
    strict: strict === true,
    schema: schema ?? firstSchema.schema,
    rest,
  };
}

export function textOfSchemaFormat({ name, strict, schema, rest }: SchemaFormat): string {
  const wrapper = { name, ...(strict ? { strict } : {}), ...rest, schema };
  return JSON.stringify({ type: 'json_schema', json_schema: wrapper }, null, 2);
}

/** Why a schema cannot have this name; undefined where it can. */
export function schemaNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'A schema needs a name.';
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return undefined;
  return 'Many providers accept only letters, digits, _ and - in a name, up to 64 characters.';
}

/** "6 fields, 6 required, strict" */
export function schemaWords({ schema, strict }: Pick<SchemaFormat, 'schema' | 'strict'>): string {
  const { properties, required } = schema;
  const fields = isJsonObject(properties) ? Object.keys(properties).length : 0;
  const needed = Array.isArray(required) ? required.length : 0;
  return `${fields} ${fields === 1 ? 'field' : 'fields'}, ${needed} required${strict ? ', strict' : ''}`;
}

const deepest = 20;

/** A schema that this value fits, with every field of it required. Lists take the shapes of all their items. */
export function schemaOfValue(value: Json, depth = 0): JsonObject {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    if (value.length === 0 || depth > deepest) return { type: 'array', items: {} };
    return {
      type: 'array',
      items: value.map((item) => schemaOfValue(item, depth + 1)).reduce((one, other) => joined(one, other)),
    };
  }
  switch (typeof value) {
    case 'object': {
      if (depth > deepest) return { type: 'object' };
      const properties = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, schemaOfValue(field, depth + 1)]),
      );
      return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    }
    case 'number':
      return { type: Number.isInteger(value) ? 'integer' : 'number' };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return { type: 'string' };
  }
}

/** One that fits what either of them fits: a branch for each type, where they differ. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const branches = [...branchesOf(one)];
  for (const branch of branchesOf(other)) {
    const index = branches.findIndex((known) => kindOf(known) === kindOf(branch));
    const known = branches[index];
    if (known === undefined) branches.push(branch);
    else branches[index] = ofOneKind(known, branch);
  }
  const [only] = branches;
  return branches.length === 1 && only ? only : { anyOf: branches };
}

function branchesOf(schema: JsonObject): JsonObject[] {
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [schema];
}

function kindOf({ type }: JsonObject): Json {
  return type === 'integer' ? 'number' : (type ?? null);
}

/** Fields that only one of them has are optional. */
function ofOneKind(one: JsonObject, other: JsonObject): JsonObject {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (kindOf(one) === 'number') return { type: 'number' };
  const inner = (key: string) => [one[key], other[key]].map((each) => (isJsonObject(each) ? each : {}));
  if (one['type'] === 'array') {
    const [left = {}, right = {}] = inner('items');
    const isOpen = [left, right].find((items) => Object.keys(items).length === 0);
    return { type: 'array', items: isOpen ? (isOpen === left ? right : left) : joined(left, right) };
  }
  if (one['type'] !== 'object') return one;
  const [left = {}, right = {}] = inner('properties');
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const properties = names.map((name): [string, Json] => {
    const [first, second] = [left[name], right[name]];
    return [
      name,
      isJsonObject(first) && isJsonObject(second) ? joined(first, second) : (first ?? second ?? {}),
    ];
  });
  const required = names.filter((name) =>
    [one, other].every(({ required: of }) => Array.isArray(of) && of.includes(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

/** To begin with. */
export const schemaExamples: readonly { label: string; format: SchemaFormat }[] = [
  {
    label: 'Incident report',
    format: example('incident', {
      title: { type: 'string', description: 'A short headline' },
      severity: {
        type: 'string',
        enum: ['low', 'medium', 'high'],
        description: 'How bad it is for customers',
      },
      service: { type: 'string', description: 'Name of the service' },
      started_at: { type: 'string', description: 'When the first alarm went off, as HH:MM' },
      impact: { type: 'string', description: 'What customers notice' },
      next_step: { type: 'string', description: 'One action' },
    }),
  },
  {
    label: 'Contact details',
    format: example('contact', {
      name: { type: 'string', description: 'Full name' },
      email: { type: 'string', description: 'E-mail address' },
      phone: { type: ['string', 'null'], description: 'With the country code' },
      company: { type: ['string', 'null'], description: 'Where the person works' },
    }),
  },
  {
    label: 'Order with items',
    format: example('order', {
      order_id: { type: 'string', description: 'As written on the invoice' },
      currency: { type: 'string', enum: ['EUR', 'USD', 'GBP'], description: 'Three letters' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            product: { type: 'string' },
            quantity: { type: 'integer' },
            price: { type: 'number' },
          },
          required: ['product', 'quantity', 'price'],
          additionalProperties: false,
        },
      },
    }),
  },
];

function example(name: string, properties: JsonObject): SchemaFormat {
  const required = Object.keys(properties);
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { name, strict: true, schema, rest: {} };
}
