/** Parses and formats the text of response_format for JSON Schemas. */
import { formatExactJson, parseExactNumbers } from '../../lib/exact-json.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';

/** Content of the schema editor. `extraFields` contains other fields of json_schema, kept unchanged. */
export interface SchemaFormat {
  name: string;
  strict: boolean;
  schema: JsonObject;
  extraFields: JsonObject;
}

export const defaultSchemaFormat: SchemaFormat = {
  name: 'answer',
  strict: true,
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
  extraFields: {},
};

/** Returns `undefined` if the text is not such an object and must be edited as text. */
export function parseSchemaFormat(text: string): SchemaFormat | undefined {
  const parsed = parseExactNumbers(text);
  const format = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
  const wrapper = format?.['type'] === 'json_schema' ? format['json_schema'] : undefined;
  if (!isJsonObject(wrapper)) return undefined;
  const { name, strict, schema, ...extraFields } = wrapper;
  if (schema !== undefined && !isJsonObject(schema)) return undefined;
  return {
    name: typeof name === 'string' ? name : '',
    strict: strict === true,
    schema: schema ?? defaultSchemaFormat.schema,
    extraFields,
  };
}

export function stringifySchemaFormat({ name, strict, schema, extraFields }: SchemaFormat): string {
  const wrapper = { name, ...(strict ? { strict } : {}), ...extraFields, schema };
  return formatExactJson({ type: 'json_schema', json_schema: wrapper });
}

/** Returns the reason why a schema name is invalid, `undefined` if it is valid. */
export function validateSchemaName(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a schema name.';
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return undefined;
  return 'Many providers accept only letters, digits, _ and -, up to 64 characters.';
}

/** Returns a description such as "6 fields, 6 required, strict". */
export function describeSchema({ schema, strict }: Pick<SchemaFormat, 'schema' | 'strict'>): string {
  const { properties, required } = schema;
  const fieldCount = isJsonObject(properties) ? Object.keys(properties).length : 0;
  const requiredCount = Array.isArray(required) ? required.length : 0;
  return `${fieldCount} ${fieldCount === 1 ? 'field' : 'fields'}, ${requiredCount} required${strict ? ', strict' : ''}`;
}

/** Starter schemas. */
export const schemaExamples: readonly { label: string; format: SchemaFormat }[] = [
  {
    label: 'Incident report',
    format: createExample('incident', {
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
    format: createExample('contact', {
      name: { type: 'string', description: 'Full name' },
      email: { type: 'string', description: 'E-mail address' },
      phone: { type: ['string', 'null'], description: 'With the country code' },
      company: { type: ['string', 'null'], description: 'Where the person works' },
    }),
  },
  {
    label: 'Order with items',
    format: createExample('order', {
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

function createExample(name: string, properties: JsonObject): SchemaFormat {
  const required = Object.keys(properties);
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { name, strict: true, schema, extraFields: {} };
}
