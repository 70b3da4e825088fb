import { describe, expect, it } from 'vitest';

import { parseJson } from '../../lib/json.ts';
import { validateValue } from '../reply/json-check-schema.ts';
import { parseToolsParam } from '../setup/param-readers.ts';
import { sampleError, createSampleValue, createSampleResult } from './tool-sample.ts';
import { TOOL_TEMPLATES } from './tool-templates.ts';

const parseSample = (name: string, args: string, tool?: Parameters<typeof createSampleResult>[2]): unknown =>
  JSON.parse(createSampleResult(name, args, tool));

describe('sample result', () => {
  it('creates a sample result that matches the result schema of the tool', () => {
    const resultSchema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        state: { type: 'string', enum: ['open', 'closed'] },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              count: { type: 'integer', minimum: 3 },
              email: { type: 'string', format: 'email' },
            },
          },
        },
        when: { type: ['string', 'null'], format: 'date-time' },
      },
      required: ['id', 'state', 'lines', 'when'],
    };
    const value = createSampleValue(resultSchema);
    expect(validateValue(value, resultSchema)).toEqual({ state: 'fits' });
    expect(
      parseSample('anything', '{}', {
        type: 'function',
        function: { name: 'anything', returns: resultSchema },
      }),
    ).toEqual(value);
  });

  it('uses the example result in the tool description', () => {
    const parseDescriptionSample = (description: string) =>
      parseSample('f', '{}', { type: 'function', function: { name: 'f', description } });
    expect(parseDescriptionSample('Adds. Returns {"sum": 3} as JSON')).toEqual({ sum: 3 });
    expect(parseDescriptionSample('Lists. Example: [1, 2]')).toEqual([1, 2]);
    expect(parseDescriptionSample('Returns { and nothing else')).toEqual({ result: 'What the tool found.' });
  });

  it('creates a sample result from the function name and the arguments', () => {
    expect(parseSample('get_weather', '{"city":"Paris","unit":"fahrenheit"}')).toMatchObject({
      city: 'Paris',
      unit: 'fahrenheit',
      temperature: 18,
    });
    expect(parseSample('searchWeb', '{"query":"x"}')).toMatchObject({ query: 'x', results: [{}, {}] });
    expect(parseSample('lookup_order', '{"order_id":"7"}')).toMatchObject({
      order_id: '7',
      status: 'delivered',
    });
  });

  it('returns a neutral sample result for unknown names and invalid arguments', () => {
    expect(parseSample('frobnicate', '{"a":1}')).toEqual({ a: 1, result: 'What the tool found.' });
    expect(parseSample('frobnicate', '{"a":')).toEqual({ result: 'What the tool found.' });
  });

  it('terminates for a recursive schema', () => {
    const list: { type: string; properties?: object } = { type: 'object' };
    list.properties = { next: list };
    expect(JSON.stringify(createSampleValue(list)).length).toBeLessThan(500);
  });

  it('represents a tool error as JSON with an error object', () => {
    expect(parseJson(sampleError)).toEqual({
      ok: true,
      value: { error: { message: 'The tool could not be reached.' } },
    });
  });
});

describe('tool templates', () => {
  it('provides at least five valid tool templates with unique names', () => {
    expect(parseToolsParam(JSON.stringify(TOOL_TEMPLATES.map(({ tool }) => tool))).ok).toBe(true);
    expect(TOOL_TEMPLATES.length).toBeGreaterThanOrEqual(5);
  });
});
