import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../lib/json.ts';
import { X, type IconComponent } from '../../../ui/icons.tsx';
import { Trash2 } from '../../../ui/late-icons.tsx';
import {
  validateFieldName,
  listFields,
  withField,
  withFieldAdded,
  withAllowedValues,
  withFieldDescription,
  withFieldList,
  withFieldRemoved,
  withFieldRenamed,
  withFieldRequired,
  withFieldType,
} from './schema-fields.ts';
import { ToolCard } from './tool-card.tsx';
import { withDefinition, withUniqueName } from './tool-edits.ts';
import { findSchemaProblem, findToolProblems } from './tool-problems.ts';

const schema: JsonObject = {
  type: 'object',
  title: 'kept',
  properties: {
    city: { type: 'string', description: 'Where', minLength: 2 },
    units: { type: 'array', items: { type: 'string', enum: ['c', 'f'] }, description: 'Which' },
    where: { $ref: '#/$defs/place' },
    limit: { type: 'integer', enum: [1, 2] },
  },
  required: ['city', 'limit'],
  $defs: { place: { type: 'object' } },
};

describe('schema form', () => {
  it('lists type, list flag, required flag, description and allowed values of each schema property', () => {
    expect(listFields(schema).map(({ schema: _, ...field }) => field)).toEqual([
      {
        name: 'city',
        type: 'string',
        isList: false,
        isRequired: true,
        description: 'Where',
        allowedValues: '',
      },
      {
        name: 'units',
        type: 'string',
        isList: true,
        isRequired: false,
        description: 'Which',
        allowedValues: 'c, f',
      },
      { name: 'where', type: 'other', isList: false, isRequired: false, description: '', allowedValues: '' },
      {
        name: 'limit',
        type: 'integer',
        isList: false,
        isRequired: true,
        description: '',
        allowedValues: '1, 2',
      },
    ]);
  });

  it('changes one schema property and preserves all others as well as unknown keywords', () => {
    const renamed = withFieldRenamed(schema, 'city', 'town');
    expect(renamed).toEqual({
      ...schema,
      properties: {
        town: { type: 'string', description: 'Where', minLength: 2 },
        units: { type: 'array', items: { type: 'string', enum: ['c', 'f'] }, description: 'Which' },
        where: { $ref: '#/$defs/place' },
        limit: { type: 'integer', enum: [1, 2] },
      },
      required: ['town', 'limit'],
    });
    expect(listFields(renamed).map(({ name }) => name)).toEqual(['town', 'units', 'where', 'limit']);
    expect(withFieldRequired(schema, 'limit', false)['required'], 'only this field is optional').toEqual([
      'city',
    ]);
    expect(withFieldRemoved(schema, 'limit')).toMatchObject({ required: ['city'], title: 'kept' });
    expect(withFieldRequired(withFieldRequired(schema, 'city', false), 'limit', false)).not.toHaveProperty(
      'required',
    );
  });

  it('adds a schema property with a unique name', () => {
    const twice = withFieldAdded(withFieldAdded({ type: 'object' }));
    expect(listFields(twice).map(({ name }) => name)).toEqual(['parameter', 'parameter_2']);
  });

  it('rejects duplicate and empty schema property names', () => {
    expect(validateFieldName(schema, 'city', 'units')).toBe('units already exists.');
    expect(validateFieldName(schema, 'city', ' ')).toBe('Enter a parameter name.');
    expect(validateFieldName(schema, 'city', 'city')).toBeUndefined();
  });

  it('converts a schema field to a list and back', () => {
    const city: JsonObject = { type: 'string', description: 'Where', minLength: 2 };
    const list = withFieldList(city, true);
    expect(list).toEqual({ type: 'array', items: { type: 'string', minLength: 2 }, description: 'Where' });
    expect(withFieldList(list, false)).toEqual(city);
    expect(withFieldType(list, 'number')).toEqual({
      type: 'array',
      items: { type: 'number', minLength: 2 },
      description: 'Where',
    });
  });

  it('creates nested properties for a field that becomes an object', () => {
    const nested = withFieldType({ type: 'string', enum: ['a'] }, 'object');
    expect(nested).toEqual({ type: 'object', properties: {} });
    const filled = withField(
      { type: 'object', properties: { where: nested } },
      'where',
      withFieldAdded(nested),
    );
    expect(filled).toEqual({
      type: 'object',
      properties: { where: { type: 'object', properties: { parameter: { type: 'string' } } } },
    });
    expect(withFieldType(withFieldAdded(nested), 'string')).toEqual({ type: 'string' });
  });

  it('parses allowed values according to the type of the schema field', () => {
    expect(withAllowedValues({ type: 'string' }, 'a, b,, a ,')).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(withAllowedValues({ type: 'integer' }, '1, 2')).toEqual({ type: 'integer', enum: [1, 2] });
    expect(withAllowedValues({ type: 'string', enum: ['a'] }, ' ')).toEqual({ type: 'string' });
    expect(withAllowedValues({ type: 'array', items: { type: 'string' } }, 'x')).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['x'] },
    });
    expect(withFieldDescription({ type: 'string', description: 'x' }, '')).toEqual({ type: 'string' });
  });

  it('preserves all schema properties when one is renamed', () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((name) => name.trim() !== ''),
      { minLength: 2, maxLength: 5 },
    );
    fc.assert(
      fc.property(names, fc.string(), (keys, to) => {
        const start: JsonObject = {
          type: 'object',
          properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
        };
        const from = keys[0] ?? '';
        if (validateFieldName(start, from, to) !== undefined) return;
        const fieldNames = listFields(withFieldRenamed(start, from, to)).map(({ name }) => name);
        expect(new Set(fieldNames)).toEqual(new Set([to, ...keys.slice(1)]));
      }),
    );
  });
});

describe('tool problems', () => {
  const createTool = (name: string, parameters: JsonObject = { type: 'object', properties: {} }) => ({
    type: 'function',
    function: { name, parameters },
  });
  const describeProblems = (
    checkedTool: ReturnType<typeof createTool>,
    ...others: ReturnType<typeof createTool>[]
  ) =>
    findToolProblems(checkedTool, [checkedTool, ...others]).map(({ tone, message }) => `${tone}: ${message}`);

  it('describes problems with the name and parameters of a tool', () => {
    expect(describeProblems(createTool('add'))).toEqual([]);
    expect(describeProblems(createTool(''))).toEqual(['err: Enter a function name.']);
    expect(describeProblems(createTool('add'), createTool('add'))).toEqual([
      'err: Another tool is also named add.',
    ]);
    expect(describeProblems(createTool('get weather'))).toEqual([
      'hint: Many providers accept only letters, digits, _ and -, up to 64 characters.',
    ]);
    expect(describeProblems(createTool('a', { type: 'string' }))).toEqual([
      'hint: The type of parameters must be object.',
    ]);
    expect(findToolProblems({ type: 'web_search' }, [])).toEqual([]);
  });

  it('describes the location of a problem in a schema', () => {
    const rows: [JsonObject, string | undefined][] = [
      [
        { type: 'object', properties: { a: { type: 'strnig' } } },
        'parameters.a has the type "strnig", which is not a JSON Schema type.',
      ],
      [
        { type: 'object', properties: { a: { type: 'array', items: { type: 'x' } } } },
        'items of parameters.a has the type "x", which is not a JSON Schema type.',
      ],
      [
        { type: 'object', properties: {}, required: ['b'] },
        'required in parameters lists "b", which is not one of its properties.',
      ],
      [{ type: 'object', properties: { a: 5 } }, 'parameters.a must be a schema: an object, true or false.'],
      [schema, undefined],
    ];
    expect(rows.map(([value]) => findSchemaProblem(value))).toEqual(rows.map(([, sentence]) => sentence));
  });
});

describe('tool edits', () => {
  const add = { type: 'function', function: { name: 'add', strict: true } };

  it('changes one field of a tool and preserves fields that are not shown on its card', () => {
    expect(withDefinition(add, { description: 'Adds.' })).toEqual({
      type: 'function',
      function: { name: 'add', strict: true, description: 'Adds.' },
    });
    expect(withDefinition({ type: 'web_search' }, { name: 'x' })).toEqual({ type: 'web_search' });
  });

  it('labels the buttons that remove a tool and each of its parameters', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tool = { type: 'function', function: { name: 'city', parameters } };
    const noop = () => undefined;
    const handlers = { onOpen: noop, onChange: noop, onDuplicate: noop, onRemove: noop };
    const markup = renderToStaticMarkup(
      createElement(ToolCard, { tool, tools: [tool], isOpen: true, ...handlers }),
    );
    const removals = [...markup.matchAll(/aria-label="(Remove[^"]*)".*?(<svg.*?<\/svg>)/gs)];
    const renderIcon = (icon: IconComponent) =>
      renderToStaticMarkup(createElement(icon, { className: 'icon-14' }));
    expect(removals.map(([, name, icon]) => [name, icon])).toEqual([
      ['Remove city', renderIcon(Trash2)],
      ['Remove parameter city', renderIcon(X)],
    ]);
  });

  it('duplicates a tool with a unique name', () => {
    expect(withUniqueName(add, [add])).toEqual({
      type: 'function',
      function: { name: 'add_2', strict: true },
    });
  });
});
