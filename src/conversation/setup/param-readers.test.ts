import { describe, expect, it } from 'vitest';

import { JsonSource } from '../../lib/json.ts';
import {
  splitLines,
  parseJsonObject,
  createLinesReader,
  parseLogitBias,
  createNumberReader,
  parseResponseFormat,
  parseToolChoice,
  parseToolsParam,
  getToolNames,
} from './param-readers.ts';

const notANumberProblem = 'Must be a number. Not sent.';

describe('number reader', () => {
  it('reads numbers within the inclusive range and ignores surrounding spaces', () => {
    const read = createNumberReader({ min: -2, max: 2 });
    expect(['-2', ' 2 ', '0.5'].map((text) => read(text))).toEqual(
      [-2, 2, 0.5].map((value) => ({ ok: true, value })),
    );
  });

  it.each([
    ['outside its range', { min: 1, max: 4096 }, '5000', 'Must be between 1 and 4,096. Not sent.'],
    ['below its minimum', { min: 1 }, '0', 'Must be a number, 1 or more. Not sent.'],
    [
      'below the minimum for integers',
      { min: 1, integer: true },
      '0',
      'Must be a whole number, 1 or more. Not sent.',
    ],
    ['above its maximum', { max: 5 }, '6', 'Must be a number. Not sent.'],
    ['a fraction instead of an integer', { integer: true }, '1.5', 'Must be a whole number. Not sent.'],
    ['too large for a double', { integer: true }, '1e400', notANumberProblem],
    ['in exponent notation', { integer: true }, '1e20', 'Must be a whole number. Not sent.'],
    ['blank', {}, ' ', notANumberProblem],
    ['a word', {}, 'x', notANumberProblem],
    ['infinite', {}, 'Infinity', notANumberProblem],
  ])('rejects a number that is %s', (_name, range, text, problem) => {
    expect(createNumberReader(range)(text)).toEqual({ ok: false, problem });
  });

  it('keeps the digits of integers that doubles cannot represent, within the range', () => {
    const read = createNumberReader({ min: 1, integer: true });
    expect(read(' 12345678901234567890 ')).toEqual({
      ok: true,
      value: new JsonSource('12345678901234567890'),
    });
    expect(read('-12345678901234567890')).toEqual({
      ok: false,
      problem: 'Must be a whole number, 1 or more. Not sent.',
    });
  });
});

describe('lines reader', () => {
  it('replaces escapes and ignores blank lines', () => {
    expect(splitLines('a\\n\\tb\n\n\\\\r\\r\\x')).toEqual(['a\n\tb', '\\r\r\\x']);
  });

  it('rejects more lines than the limit', () => {
    const read = createLinesReader(2);
    expect(read('a\nb')).toEqual({ ok: true, value: ['a', 'b'] });
    expect(read('a\nb\nc')).toEqual({ ok: false, problem: 'At most 2, one per line. Not sent.' });
    expect(read('\n')).toEqual({ ok: false, problem: 'Nothing to send yet. Enter one sequence per line.' });
  });
});

describe('JSON object reader', () => {
  it('parses a JSON object, or returns the problem with its offset', () => {
    expect(parseJsonObject('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(parseJsonObject(' ')).toMatchObject({ ok: false, problem: 'Enter a JSON object.' });
    expect(parseJsonObject('[]')).toStrictEqual({
      ok: false,
      problem: 'Must be a JSON object. Not sent.',
    });
    const broken = parseJsonObject('{"a" 1}');
    expect(broken).toMatchObject({ ok: false, offset: 5 });
    expect(!broken.ok && broken.problem).toMatch(/^Not valid JSON: .+\. Not sent\.$/);
  });

  it('accepts logit biases from -100 to 100', () => {
    expect(parseLogitBias('{"5":-100,"x":100}')).toEqual({ ok: true, value: { 5: -100, x: 100 } });
    expect(parseLogitBias('[]')).toMatchObject({ ok: false });
    expect(parseLogitBias('{"5":"1"}')).toMatchObject({ ok: false });
    expect(parseLogitBias('{"5":101}')).toEqual({
      ok: false,
      problem: 'Bias of 5: Must be between -100 and 100. Not sent.',
    });
  });
});

describe('tools reader', () => {
  const createToolJson = (name: unknown, parameters?: unknown) =>
    JSON.stringify({
      type: 'function',
      function: { name, ...(parameters === undefined ? {} : { parameters }) },
    });

  it('parses tools and returns their function names', () => {
    const text = `[${createToolJson('a', {})},${createToolJson('b')},{"type":"web_search"}]`;
    expect(parseToolsParam(text).ok).toBe(true);
    expect(getToolNames(text)).toEqual(['a', 'b']);
    expect(getToolNames('[')).toEqual([]);
  });

  it.each([
    ['an object', '{}', 'This is not a list of tools yet, so nothing is sent.'],
    ['an empty list', '[]', 'No tools yet. Not sent.'],
    ['a list of strings', '["a"]', 'Tool 1 is not an object. Not sent.'],
    [
      'a tool without a name',
      `[${createToolJson('a')},${createToolJson('')}]`,
      'Tool 2 has no function name. Not sent.',
    ],
    ['a tool whose name is a number', `[${createToolJson(7)}]`, 'Tool 1 has no function name. Not sent.'],
    ['a tool without its function', '[{"type":"function"}]', 'Tool 1 has no function name. Not sent.'],
    [
      'two tools with the same name',
      `[${createToolJson('a')},${createToolJson('a')}]`,
      'Two tools are named a. Not sent.',
    ],
    [
      'parameters in the form of a list',
      `[${createToolJson('a', [])}]`,
      'parameters of a must be a JSON Schema object. Not sent.',
    ],
  ])('rejects invalid tools: %s', (_name, text, problem) => {
    expect(parseToolsParam(text)).toEqual({ ok: false, problem });
  });
});

it('accepts a known format or an object with a type as response_format', () => {
  expect(parseResponseFormat('text')).toEqual({ ok: true, value: { type: 'text' } });
  expect(parseResponseFormat('json_object')).toEqual({ ok: true, value: { type: 'json_object' } });
  expect(parseResponseFormat('{"type":"x"}')).toEqual({ ok: true, value: { type: 'x' } });
  expect(parseResponseFormat('{"type":1}')).toEqual({
    ok: false,
    problem: 'A response_format needs a type. Not sent.',
  });
  expect(parseResponseFormat('xml').ok).toBe(false);
});

it('accepts a word or a function name as tool_choice', () => {
  expect(parseToolChoice('auto')).toEqual({ ok: true, value: 'auto' });
  expect(parseToolChoice('')).toEqual({ ok: false, problem: 'Choose one. Not sent.' });
  expect(parseToolChoice('function:add')).toEqual({
    ok: true,
    value: { type: 'function', function: { name: 'add' } },
  });
});
