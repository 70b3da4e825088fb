import { describe, expect, it } from 'vitest';

import {
  linesOf,
  readJsonObject,
  readLines,
  readLogitBias,
  readNumber,
  readResponseFormat,
  readToolChoice,
  readTools,
  toolNamesOf,
} from './param-readers.ts';

const none = 'Not a number. Not sent until it is one.';

describe('a number', () => {
  it('is read within its range, ends included, and with spaces around it', () => {
    const read = readNumber({ min: -2, max: 2 });
    expect(['-2', ' 2 ', '0.5'].map((text) => read(text))).toEqual(
      [-2, 2, 0.5].map((value) => ({ ok: true, value })),
    );
  });

  it.each([
    ['outside of both ends', { min: 1, max: 4096 }, '5000', 'Use 1 to 4,096. Not sent until it is in range.'],
    ['below its only end', { min: 1 }, '0', 'Use a number from 1 up. Not sent until it is one.'],
    [
      'below the only end of whole ones',
      { min: 1, integer: true },
      '0',
      'Use a whole number from 1 up. Not sent until it is one.',
    ],
    ['above its only end', { max: 5 }, '6', 'Use a number. Not sent until it is one.'],
    [
      'a fraction where whole ones are asked for',
      { integer: true },
      '1.5',
      'Use a whole number. Not sent until it is one.',
    ],
    [
      'too large to be exact',
      { integer: true },
      '9007199254740993',
      'Use a whole number. Not sent until it is one.',
    ],
    ['nothing', {}, ' ', none],
    ['a word', {}, 'x', none],
    ['infinite', {}, 'Infinity', none],
  ])('is refused where it is %s', (_name, range, text, problem) => {
    expect(readNumber(range)(text)).toEqual({ ok: false, problem });
  });
});

describe('lines', () => {
  it('hold what their escapes stand for, and blank ones do not count', () => {
    expect(linesOf('a\\n\\tb\n\n\\\\r\\r\\x')).toEqual(['a\n\tb', '\\r\r\\x']);
  });

  it('are read up to their limit', () => {
    const read = readLines(2);
    expect(read('a\nb')).toEqual({ ok: true, value: ['a', 'b'] });
    expect(read('a\nb\nc')).toEqual({ ok: false, problem: 'Use up to 2, one a line. Not sent until then.' });
    expect(read('\n')).toEqual({ ok: false, problem: 'Nothing to send yet: write one sequence a line.' });
  });
});

describe('a JSON object', () => {
  it('is read, or what is wrong is said, with its place where the JSON breaks', () => {
    expect(readJsonObject('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readJsonObject(' ')).toMatchObject({ ok: false, problem: 'Write a JSON object.' });
    expect(readJsonObject('[]')).toStrictEqual({
      ok: false,
      problem: 'Use a JSON object. Not sent until it is one.',
    });
    const broken = readJsonObject('{"a" 1}');
    expect(broken).toMatchObject({ ok: false, at: 5 });
    expect(!broken.ok && broken.problem).toMatch(/^Not valid JSON: .+\. Not sent until it is\.$/);
  });

  it('of biases holds numbers from -100 to 100', () => {
    expect(readLogitBias('{"5":-100,"x":100}')).toEqual({ ok: true, value: { 5: -100, x: 100 } });
    expect(readLogitBias('[]')).toMatchObject({ ok: false });
    expect(readLogitBias('{"5":"1"}')).toMatchObject({ ok: false });
    expect(readLogitBias('{"5":101}')).toEqual({
      ok: false,
      problem: 'Bias of 5: Use -100 to 100. Not sent until it is in range.',
    });
  });
});

describe('tools', () => {
  const tool = (name: unknown, parameters?: unknown) =>
    JSON.stringify({
      type: 'function',
      function: { name, ...(parameters === undefined ? {} : { parameters }) },
    });

  it('are read with their names', () => {
    const text = `[${tool('a', {})},${tool('b')},{"type":"web_search"}]`;
    expect(readTools(text).ok).toBe(true);
    expect(toolNamesOf(text)).toEqual(['a', 'b']);
    expect(toolNamesOf('[')).toEqual([]);
  });

  it.each([
    ['an object', '{}', 'Use a JSON array of tools. Not sent until it is one.'],
    ['an empty list', '[]', 'No tools yet. Not sent until there is one.'],
    ['a list of words', '["a"]', 'Tool 1 is not an object. Not sent until it is.'],
    [
      'a tool without a name',
      `[${tool('a')},${tool('')}]`,
      'Tool 2 has no function name. Not sent until it has.',
    ],
    ['a tool whose name is a number', `[${tool(7)}]`, 'Tool 1 has no function name. Not sent until it has.'],
    [
      'a tool without its function',
      '[{"type":"function"}]',
      'Tool 1 has no function name. Not sent until it has.',
    ],
    [
      'two tools of one name',
      `[${tool('a')},${tool('a')}]`,
      'Two tools are named a. Not sent until names differ.',
    ],
    [
      'parameters that are a list',
      `[${tool('a', [])}]`,
      'parameters of a must be a JSON Schema object. Not sent until it is.',
    ],
  ])('are refused where they are %s', (_name, text, problem) => {
    expect(readTools(text)).toEqual({ ok: false, problem });
  });
});

it('a format is a word or an object with a type', () => {
  expect(readResponseFormat('text')).toEqual({ ok: true, value: { type: 'text' } });
  expect(readResponseFormat('json_object')).toEqual({ ok: true, value: { type: 'json_object' } });
  expect(readResponseFormat('{"type":"x"}')).toEqual({ ok: true, value: { type: 'x' } });
  expect(readResponseFormat('{"type":1}')).toEqual({
    ok: false,
    problem: 'A response_format needs a type. Not sent until it has one.',
  });
  expect(readResponseFormat('xml').ok).toBe(false);
});

it('a choice of a tool is a word, or the name of a function', () => {
  expect(readToolChoice('auto')).toEqual({ ok: true, value: 'auto' });
  expect(readToolChoice('')).toEqual({ ok: false, problem: 'Choose one. Not sent until then.' });
  expect(readToolChoice('function:add')).toEqual({
    ok: true,
    value: { type: 'function', function: { name: 'add' } },
  });
});
