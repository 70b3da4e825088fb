import { validate } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { isJsonObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { extract } from './extract.ts';

function extractValue(schema: JsonObject | undefined, ...userTexts: string[]): Json {
  const messages: Message[] = userTexts.map((content) => ({ role: 'user', content }));
  const format = schema
    ? { type: 'json_schema', json_schema: { name: 'it', schema } }
    : { type: 'json_object' };
  const request = {
    messages,
    fields: { response_format: format },
    candidate: 0,
    random: () => 0,
    isJsonMode: true,
  };
  const text = [...extract.reply(request)].map((piece) => ('text' in piece ? piece.text : '')).join('');
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
}

const text = { type: 'string' };
const incident: JsonObject = {
  type: 'object',
  properties: {
    title: { ...text, description: 'A short headline' },
    severity: { enum: ['low', 'medium', 'high'] },
    started_at: { ...text, description: 'When the first alarm went off' },
    contact: { ...text, format: 'email' },
    affected: { type: 'integer', description: 'Number of orders affected' },
    links: { type: 'array', items: { ...text, format: 'uri' } },
  },
  required: ['title', 'severity', 'started_at', 'contact', 'affected', 'links'],
  additionalProperties: false,
};

describe('demo/extract', () => {
  const incidentText =
    'Checkout became slow after the 14:02 deploy. Severity is high. 120 orders were affected, 3 teams help. Write to ops@example.com. Fill in the form.';

  it('extracts named values, values with a recognisable form and a sentence for the title', () => {
    expect(extractValue(incident, incidentText)).toMatchObject({
      title: 'Checkout became slow after the 14:02 deploy',
      severity: 'high',
      started_at: '14:02',
      contact: 'ops@example.com',
      affected: 120,
    });
  });

  it('returns values that fit the schema for any message', () => {
    const nested: JsonObject = {
      type: 'object',
      $defs: { it: incident },
      properties: {
        all: { type: 'array', items: { $ref: '#/$defs/it' }, minItems: 1 },
        ok: { type: 'boolean' },
      },
      required: ['all', 'ok'],
    };
    for (const message of [incidentText, '', 'Hm?', '{"a": 1}', 'x'.repeat(5000)])
      for (const schema of [incident, nested])
        expect(validate(extractValue(schema, message), schema, '2020-12').valid).toBe(true);
  });

  it('extracts facts from the earlier message after a schema error is reported', () => {
    const faults = 'Your last answer does not match the JSON schema:\n- severity must be one of "low".';
    expect(extractValue(incident, incidentText, faults)).toMatchObject({
      severity: 'high',
      contact: 'ops@example.com',
    });
  });

  it('builds an object from named values if no schema is given', () => {
    const value = extractValue(undefined, 'city: Oslo, days: 3');
    expect(isJsonObject(value) && value).toEqual({ city: 'Oslo', days: 3 });
  });
});
