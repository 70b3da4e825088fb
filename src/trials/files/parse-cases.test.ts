import { describe, expect, it } from 'vitest';

import { trialLimits } from '../trial.ts';
import { splitCases, describeCaseFile, summarizeCaseFile } from './case-file-result.ts';
import { guessExpectedField } from './expected-field.ts';
import { parseCases } from './parse-cases.ts';

const parseValues = (text: string) => parseCases(text).cases.map(({ values }) => values);
const parseReasons = (text: string) => parseCases(text).invalidLines.map(({ reason }) => reason);

describe('cases from a table', () => {
  it('reads cases with their line numbers for every delimiter', () => {
    for (const delimiter of [',', '\t', ';', '|']) {
      const text = ['ticket;team', 'Paid twice;billing', 'Box is wet;delivery'].join('\n');
      const result = parseCases(text.replaceAll(';', delimiter));
      expect(result.kind).toBe(delimiter === '\t' ? 'TSV' : 'CSV');
      expect(result.fields).toEqual(['ticket', 'team']);
      expect(result.cases).toEqual([
        { values: { ticket: 'Paid twice', team: 'billing' }, line: 2 },
        { values: { ticket: 'Box is wet', team: 'delivery' }, line: 3 },
      ]);
    }
  });

  it('keeps line breaks, delimiters and quotes inside quoted cells, and the first line number of each row', () => {
    const text = '\uFEFFa,b\r\n"one\r\ntwo, ""three""",x\r\nlast,y\r\n';
    expect(parseCases(text).cases).toEqual([
      { values: { a: 'one\r\ntwo, "three"', b: 'x' }, line: 2 },
      { values: { a: 'last', b: 'y' }, line: 4 },
    ]);
  });

  it('lists malformed lines with a reason and skips them', () => {
    const text = 'a,b\n1,2\n1,2,3\n\n"open,2\n5,6\n"x"y,7\n8,9\n"open,4\n5,6';
    const result = parseCases(text);
    expect(result.cases.map(({ line }) => line)).toEqual([2, 6, 8, 10]);
    expect(result.invalidLines.map(({ reason }) => reason)).toEqual([
      'Line 3 has 3 fields instead of 2.',
      'Line 4 is empty.',
      'Line 5 has text after a closing quote.',
      'Line 7 has text after a closing quote.',
      'Line 9 opens a quote that is never closed.',
    ]);
    expect(describeCaseFile(summarizeCaseFile(result))).toBe('4 cases found, 5 lines skipped');
  });
});

describe('file with too many cases', () => {
  it('counts all cases and malformed lines but sends only the first of them to the page', () => {
    const lines = Array.from(
      { length: trialLimits.cases + 1 },
      (_, index) => `ticket ${index},billing\nodd,line,${index}`,
    );
    const result = summarizeCaseFile(parseCases(['ticket,team', ...lines].join('\n')));
    expect(result.counts).toEqual({ cases: trialLimits.cases + 1, invalidLines: trialLimits.cases + 1 });
    expect(result.cases).toHaveLength(5);
    expect(result.invalidLines).toHaveLength(trialLimits.cases);
    expect(result.invalidLines.at(-1)?.reason).toBe(
      `Line ${2 * trialLimits.cases + 1} has 3 fields instead of 2.`,
    );
    expect(describeCaseFile(result)).toBe('10,001 cases found, 10,001 lines skipped');
  });
});

describe('split of cases into parts', () => {
  it('splits cases in order into parts of limited length, with a separate part for a larger case', () => {
    const charCounts = [200_000, 200_000, 200_000, 900_000, 10, 499_990, 3];
    const cases = charCounts.map((charCount, line) => ({ values: { q: 'x'.repeat(charCount) }, line }));
    const batches = [...splitCases(cases)];
    expect(batches.map((batch) => batch.map(({ line }) => line))).toEqual([[0, 1, 2], [3], [4, 5], [6]]);
    expect(batches.flat()).toEqual(cases);
  });

  it('includes the history in the length of a part', () => {
    const history = [{ role: 'user' as const, content: 'x'.repeat(600_000) }];
    const cases = [1, 2].map((line) => ({ values: {}, history, line }));
    expect([...splitCases(cases)]).toEqual([[cases[0]], [cases[1]]]);
  });

  it('yields no parts for an empty case list', () => {
    expect([...splitCases([])]).toEqual([]);
  });
});

describe('cases from JSON Lines', () => {
  it('reads strings unchanged, other values as JSON and messages as history', () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const result = parseCases(
      `{"q":"one","n":2,"messages":${JSON.stringify(messages)}}\n{"q":null,"list":[1]}\n`,
    );
    expect(result.kind).toBe('JSON Lines');
    expect(result.fields).toEqual(['q', 'n', 'list']);
    expect(result.cases).toEqual([
      { values: { q: 'one', n: '2' }, history: messages, line: 1 },
      { values: { q: '', list: '[1]' }, line: 2 },
    ]);
  });

  it('lists lines that are not objects or have unreadable messages', () => {
    expect(parseReasons('{"q":"one"}\n[1]\n{"q":\n{"q":"x","messages":[{"role":"nobody"}]}')).toEqual([
      'Line 2 is not a JSON object.',
      'Line 3 is not a JSON object.',
      'Line 4 has messages that cannot be read.',
    ]);
  });
});

describe('cases from plain text', () => {
  it('reads one case per line of plain text', () => {
    expect(parseCases('Where is it?\nWho, then, is that?\n').kind).toBe('text');
    expect(parseValues('Where is it?\n\nWho is that?\n')).toEqual([
      { text: 'Where is it?' },
      { text: 'Who is that?' },
    ]);
  });

  it('skips a case of more than 100 KB with a reason', () => {
    expect(parseReasons(`short\n${'x'.repeat(100_001)}`)).toEqual(['Line 2 is larger than 100 KB.']);
  });
});

const rawMessages = [
  { role: 'developer', content: 'Answer in one word.' },
  { role: 'user', content: [{ type: 'input_text', text: 'Which team?' }] },
  { role: 'assistant', function_call: { name: 'find', arguments: '{"id":12345678901234567890}' } },
  { role: 'function', name: 'find', content: 'billing' },
  { role: 'assistant', content: 'billing' },
];
const parsedMessages = [
  { role: 'developer', content: 'Answer in one word.' },
  { role: 'user', content: [{ type: 'text', text: 'Which team?' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call00001',
        type: 'function',
        function: { name: 'find', arguments: '{"id":12345678901234567890}' },
      },
    ],
  },
  { role: 'tool', name: 'find', content: 'billing', tool_call_id: 'call00001' },
];

describe('messages in case files', () => {
  it('reads roles and calls from older APIs and uses the last answer as the expected answer', () => {
    const result = parseCases(JSON.stringify([{ id: 1, messages: rawMessages }]));
    expect(result.cases).toEqual([
      { line: 1, values: { id: '1', expected: 'billing' }, history: parsedMessages },
    ]);
    expect(result.fields).toEqual(['id', 'expected']);
    expect(result.choices).toEqual({ format: 'json', history: 'messages', expectsLast: true });
  });

  it('keeps the last answer in the history if it is not the expected answer', () => {
    const fullHistory = [...parsedMessages, { role: 'assistant', content: 'billing' }];
    const withoutExpected = parseCases(JSON.stringify({ messages: rawMessages }), { expectsLast: false });
    expect(withoutExpected.cases).toEqual([{ line: 1, values: {}, history: fullHistory }]);
    const withLabel = parseCases(JSON.stringify({ ideal: 'legal', messages: rawMessages }));
    expect(withLabel.cases).toEqual([{ line: 1, values: { ideal: 'legal' }, history: fullHistory }]);
    expect(withLabel.choices.expectsLast).toBe(false);
  });

  it('keeps provider fields of imported messages with all digits, without assigning them to a gateway', () => {
    const message =
      '{"role":"assistant","model":"north/one","content":"Hi","reasoning_content":"Hm.","x":1.0}';
    const [first] = parseCases(
      `{"messages":[{"role":"user","content":"Go"},${message}],"expected":"x"}`,
    ).cases;
    expect(first?.history?.[1]).toEqual({
      role: 'assistant',
      content: 'Hi',
      opaque: {
        model: 'north/one',
        fields: { reasoning_content: '"Hm."', x: '1.0' },
        calls: [],
        isImported: true,
      },
    });
  });

  it('finds messages in other columns and in tables, and keeps the messages as a value on request', () => {
    const input = JSON.stringify([{ role: 'user', content: 'Hello' }]);
    const table = `id,input\n1,"${input.replaceAll('"', '""')}"\n`;
    expect(parseCases(table).cases).toEqual([
      { line: 2, values: { id: '1' }, history: [{ role: 'user', content: 'Hello' }] },
    ]);
    expect(parseCases(table, { history: '' }).cases).toEqual([{ line: 2, values: { id: '1', input } }]);
  });
});

describe('expected column', () => {
  it('finds the expected column by name, preferring the most specific name', () => {
    expect(guessExpectedField(['answer', 'Expected output', 'source'])).toBe('Expected output');
    expect(guessExpectedField(['input', 'label', 'source'])).toBe('label');
    expect(guessExpectedField(['ticket', 'team'])).toBeUndefined();
  });
});
