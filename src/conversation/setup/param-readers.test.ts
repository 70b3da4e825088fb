import { describe, expect, it } from 'vitest';

import { JsonSource } from '../../lib/json.ts';
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

const none = 'Must be a number. Not sent.';

describe('a number', () => {
  it('is read within its range, ends included, and with spaces around it', () => {
    const read = readNumber({ min: -2, max: 2 });
    expect(['-2', ' 2 ', '0.5'].map((text) => read(text))).toEqual(
      [-2, 2, 0.5].map((value) => ({ ok: true, value })),
    );
  });

  it.each([
    ['outside of both ends', { min: 1, max: 4096 }, '5000', 'Must be 1 to 4,096. Not sent.'],
    ['below its only end', { min: 1 }, '0', 'Must be a number, 1 or more. Not sent.'],
    [
      'below the only end of whole ones',
      { min: 1, integer: true },
      '0',
      'Must be a whole number, 1 or more. Not sent.',
    ],
    ['above its only end', { max: 5 }, '6', 'Must be a number. Not sent.'],
    [
      'a fraction where whole ones are asked for',
      { integer: true },
      '1.5',
      'Must be a whole number. Not sent.',
    ],
    ['too large to be written out', { integer: true }, '1e400', none],
    ['not written in digits', { integer: true }, '1e20', 'Must be a whole number. Not sent.'],
    ['nothing', {}, ' ', none],
    ['a word', {}, 'x', none],
    ['infinite', {}, 'Infinity', none],
  ])('is refused where it is %s', (_name, range, text, problem) => {
    expect(readNumber(range)(text)).toEqual({ ok: false, problem });
  });

  it('keeps the digits of whole numbers that doubles cannot hold, within the range', () => {
    const read = readNumber({ min: 1, integer: true });
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

describe('lines', () => {
  it('hold what their escapes stand for, and blank ones do not count', () => {
    expect(linesOf('a\\n\\tb\n\n\\\\r\\r\\x')).toEqual(['a\n\tb', '\\r\r\\x']);
  });

  it('are read up to their limit', () => {
    const read = readLines(2);
    expect(read('a\nb')).toEqual({ ok: true, value: ['a', 'b'] });
    expect(read('a\nb\nc')).toEqual({ ok: false, problem: 'At most 2, one per line. Not sent.' });
    expect(read('\n')).toEqual({ ok: false, problem: 'Nothing to send yet: write one sequence per line.' });
  });
});

describe('a JSON object', () => {
  it('is read, or what is wrong is said, with its place where the JSON breaks', () => {
    expect(readJsonObject('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readJsonObject(' ')).toMatchObject({ ok: false, problem: 'Enter a JSON object.' });
    expect(readJsonObject('[]')).toStrictEqual({
      ok: false,
      problem: 'Must be a JSON object. Not sent.',
    });
    const broken = readJsonObject('{"a" 1}');
    expect(broken).toMatchObject({ ok: false, at: 5 });
    expect(!broken.ok && broken.problem).toMatch(/^Not valid JSON: .+\. Not sent\.$/);
  });

  it('of biases holds numbers from -100 to 100', () => {
    expect(readLogitBias('{"5":-100,"x":100}')).toEqual({ ok: true, value: { 5: -100, x: 100 } });
    expect(readLogitBias('[]')).toMatchObject({ ok: false });
    expect(readLogitBias('{"5":"1"}')).toMatchObject({ ok: false });
    expect(readLogitBias('{"5":101}')).toEqual({
      ok: false,
      problem: 'Bias of 5: Must be -100 to 100. Not sent.',
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
    ['an object', '{}', 'Must be a JSON array of tools. Not sent.'],
    ['an empty list', '[]', 'No tools yet. Not sent.'],
    ['a list of words', '["a"]', 'Tool 1 is not an object. Not sent.'],
    ['a tool without a name', `[${tool('a')},${tool('')}]`, 'Tool 2 has no function name. Not sent.'],
    ['a tool whose name is a number', `[${tool(7)}]`, 'Tool 1 has no function name. Not sent.'],
    ['a tool without its function', '[{"type":"function"}]', 'Tool 1 has no function name. Not sent.'],
    ['two tools of one name', `[${tool('a')},${tool('a')}]`, 'Two tools are named a. Not sent.'],
    [
      'parameters that are a list',
      `[${tool('a', [])}]`,
      'parameters of a must be a JSON Schema object. Not sent.',
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
    problem: 'A response_format needs a type. Not sent.',
  });
  expect(readResponseFormat('xml').ok).toBe(false);
});

it('a choice of a tool is a word, or the name of a function', () => {
  expect(readToolChoice('auto')).toEqual({ ok: true, value: 'auto' });
  expect(readToolChoice('')).toEqual({ ok: false, problem: 'Choose one. Not sent.' });
  expect(readToolChoice('function:add')).toEqual({
    ok: true,
    value: { type: 'function', function: { name: 'add' } },
  });
});
