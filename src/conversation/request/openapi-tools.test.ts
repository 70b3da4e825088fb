import { describe, expect, it } from 'vitest';

import { getOwnProperty } from '../../lib/json.ts';
import { parseToolsParam } from '../setup/param-readers.ts';
import { importTools } from './openapi-tools-import.ts';
import { toToolName } from './openapi-tools.ts';

const petStore = {
  openapi: '3.1.0',
  paths: {
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'getPet',
        summary: 'One pet',
        parameters: [
          {
            name: 'fields',
            in: 'query',
            schema: { type: 'array', items: { type: 'string' } },
            description: 'Which fields',
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
      },
      put: {
        description: 'Changes a pet.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
    },
    '/photos': {
      post: {
        requestBody: {
          required: true,
          content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
        },
      },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', xml: { name: 'n' } },
          mother: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
};

function importValue(value: unknown, usedNames: string[] = []) {
  return importTools(typeof value === 'string' ? value : JSON.stringify(value), usedNames);
}

function importNames(value: unknown, usedNames: string[] = []): unknown[] {
  const result = importValue(value, usedNames);
  return result.ok
    ? result.tools.map(
        (tool) => getOwnProperty(getOwnProperty(tool, 'function'), 'name') ?? getOwnProperty(tool, 'type'),
      )
    : [result.problem];
}

describe('import of an OpenAPI description', () => {
  it('creates one tool per operation with merged parameters and body and resolved references', () => {
    const result = importValue(petStore);
    expect(result).toEqual({
      ok: true,
      remarks: ['Parameters in a header are omitted. Set them where the tool runs.'],
      tools: [
        {
          type: 'function',
          function: {
            name: 'getPet',
            description: 'One pet',
            parameters: {
              type: 'object',
              properties: {
                id: { type: 'integer' },
                fields: { type: 'array', items: { type: 'string' }, description: 'Which fields' },
              },
              required: ['id'],
            },
          },
        },
        {
          type: 'function',
          function: {
            name: 'put_pets_id',
            description: 'Changes a pet.',
            parameters: {
              type: 'object',
              properties: {
                id: { type: 'integer' },
                name: { type: 'string' },
                // A pet's mother is also a pet, so the cycle ends with an object schema without restrictions.
                mother: { type: 'object' },
              },
              required: ['id', 'name'],
            },
          },
        },
        {
          type: 'function',
          function: {
            name: 'post_photos',
            description: 'POST /photos',
            parameters: {
              type: 'object',
              properties: { body: { type: 'string', format: 'binary' } },
              required: ['body'],
            },
          },
        },
      ],
    });
    expect(parseToolsParam(JSON.stringify(result.ok ? result.tools : [])).ok).toBe(true);
  });

  it('accepts part of a description', () => {
    expect(importNames({ paths: { '/a': { get: {} } } })).toEqual(['get_a']);
    expect(importNames({ '/a': { get: { operationId: 'a b' } } })).toEqual(['a_b']);
    expect(importNames({ openapi: '3.0.0', paths: {} })).toEqual([
      'This OpenAPI document has no operations.',
    ]);
  });

  it('rejects YAML and Swagger 2 with an explanation', () => {
    expect(importNames('openapi: 3.0.0\npaths:\n  /a:\n    get: {}')).toEqual([
      'This looks like YAML. Convert it to JSON first.',
    ]);
    expect(importNames({ swagger: '2.0', paths: {} })).toEqual([
      'This is Swagger 2. Convert it to OpenAPI 3 first.',
    ]);
  });
});

describe('import of pasted tools', () => {
  const addDefinition = { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } };
  const wrappedTool = { type: 'function', function: addDefinition };

  it.each([
    ['one tool', wrappedTool],
    ['a bare function', addDefinition],
    ['the newer flat format', { type: 'function', ...addDefinition }],
    ['a list of tools', [wrappedTool]],
    ['a list of functions', [addDefinition]],
    ['a request with tools', { model: 'm', messages: [], tools: [wrappedTool] }],
    ['legacy functions', { functions: [addDefinition] }],
    [
      'the response of an MCP server',
      { result: { tools: [{ name: 'add', description: 'Adds.', inputSchema: addDefinition.parameters }] } },
    ],
    ['input_schema', [{ name: 'add', description: 'Adds.', input_schema: addDefinition.parameters }]],
    ['function declarations', { tools: [{ functionDeclarations: [addDefinition] }] }],
  ])('converts %s to the same tool', (_, value) => {
    expect(importValue(value)).toEqual({ ok: true, tools: [wrappedTool], remarks: [] });
  });

  it('keeps tools of other types unchanged', () => {
    expect(importNames([{ type: 'web_search', max: 3 }, wrappedTool])).toEqual(['web_search', 'add']);
  });

  it('renames imported tools whose name is in use', () => {
    expect(importNames([addDefinition, addDefinition], ['add'])).toEqual(['add_2', 'add_3']);
    const result = importValue(addDefinition, ['add']);
    expect(result.ok && result.remarks).toEqual(['add was renamed to add_2 because the name is taken.']);
  });

  it('explains why a text could not be imported', () => {
    expect(importNames('{"a": ')[0]).toMatch(/^This is not JSON: /);
    expect(importNames('5')).toEqual(['No tools found: a tool needs a name and parameters.']);
    expect(importNames([{}])).toEqual(['No tools found: a tool needs a name and parameters.']);
    expect(importNames('')).toEqual(['Paste tools or an OpenAPI document as JSON.']);
  });

  it('keeps a __proto__ key as an ordinary property', () => {
    const result = importValue(
      '{"name":"f","parameters":{"type":"object","properties":{"__proto__":{"type":"string"}}}}',
    );
    expect(JSON.stringify(result)).toContain('"__proto__":{"type":"string"}');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('converts text to tool names that every provider accepts', () => {
    expect(toToolName('GET /a/{b}.c')).toBe('GET_a_b_c');
    expect(toToolName('é')).toBe('tool');
    expect(toToolName('x'.repeat(80))).toHaveLength(64);
  });
});
