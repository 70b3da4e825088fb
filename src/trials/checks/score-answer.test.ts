import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../lib/json.ts';
import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { createAnsweredRun } from '../../testing/trials.ts';
import { noAnswerReasons, type Check, type CheckKind } from '../trial.ts';
import { parseCheckSettings, getValueAtPath } from './check-settings.ts';
import {
  toCheckedAnswer,
  hashCheck,
  isExcluded,
  applyCheck,
  createTimeoutScore,
  type CheckedAnswer,
  getCountedResult,
} from './score-answer.ts';

type Row = [
  answer: string | Partial<CheckedAnswer>,
  expected: string,
  result: 'passed' | 'failed' | 'no answer',
  why: string,
];

function scoreText(
  kind: CheckKind,
  settings: JsonObject,
  expected: string,
  answer: string | Partial<CheckedAnswer>,
  field?: string,
): string {
  const check: Check = {
    id: 'check',
    name: 'check',
    kind,
    settings,
    expected: { text: expected },
    ...(field === undefined ? {} : { field }),
  };
  const checkedAnswer: CheckedAnswer = {
    text: '',
    toolCalls: [],
    tokensOut: { kind: 'exact', value: 20 },
    ...(typeof answer === 'string' ? { text: answer } : answer),
  };
  const { result, why } = applyCheck(check, {}, { outcome: 'answered' }, { answer: checkedAnswer });
  return `${result}: ${why}`;
}

/** Returns the actual scores of the rows that differ from the expected ones. */
function findFailures(kind: CheckKind, settings: JsonObject, rows: readonly Row[], field?: string): string[] {
  return rows.flatMap(([answer, expected, result, why]) => {
    const actual = scoreText(kind, settings, expected, answer, field);
    return actual === `${result}: ${why}` ? [] : [actual];
  });
}

describe('checks by kind', () => {
  it('compares trimmed texts in an "equals" check', () => {
    expect(
      findFailures('equals', {}, [
        ['billing', 'billing', 'passed', 'equals “billing”'],
        ['  billing\n', 'billing', 'passed', 'equals “billing”'],
        ['billing', ' billing ', 'passed', 'equals “billing”'],
        ['Billing', 'billing', 'failed', 'is “Billing”, expected “billing”'],
        ['billing.', 'billing', 'failed', 'is “billing.”, expected “billing”'],
        ['bil ling', 'billing', 'failed', 'is “bil ling”, expected “billing”'],
        ['', 'billing', 'failed', 'is “”, expected “billing”'],
        ['', '', 'passed', 'equals “”'],
        ['日本', '日本', 'passed', 'equals “日本”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('equals', { ignoreCase: true }, [
        ['BILLING', 'billing', 'passed', 'equals “billing”'],
        ['ÄRGER', 'ärger', 'passed', 'equals “ärger”'],
        ['BILLING.', 'billing', 'failed', 'is “BILLING.”, expected “billing”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('equals', { ignoreSpace: true }, [
        ['bil ling', 'billing', 'passed', 'equals “billing”'],
        ['a\tb\nc', 'abc', 'passed', 'equals “abc”'],
        ['1 000', '1000', 'passed', 'equals “1000”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('equals', { ignoreLastStop: true }, [
        ['billing.', 'billing', 'passed', 'equals “billing”'],
        ['billing', 'billing.', 'passed', 'equals “billing.”'],
        ['billing..', 'billing', 'failed', 'is “billing..”, expected “billing”'],
        ['billing .', 'billing', 'passed', 'equals “billing”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('equals', { ignoreQuotes: true }, [
        ['"billing"', 'billing', 'passed', 'equals “billing”'],
        ['“ billing ”', '«billing»', 'passed', 'equals “«billing»”'],
        ['‘billing', 'billing', 'failed', 'is “‘billing”, expected “billing”'],
        ['"bil" "ling"', 'billing', 'failed', 'is “"bil" "ling"”, expected “billing”'],
        ['"billing".', 'billing', 'failed', 'is “"billing".”, expected “billing”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('equals', { ignoreQuotes: true, ignoreLastStop: true }, [
        ['"billing".', 'billing', 'passed', 'equals “billing”'],
        ['"billing."', 'billing', 'passed', 'equals “billing”'],
        ['billing..', 'billing', 'failed', 'is “billing..”, expected “billing”'],
      ]),
    ).toEqual([]);
  });

  it(`compares a field of the answer's JSON in an "equals" check, also inside a code fence`, () => {
    expect(
      findFailures(
        'equals',
        {},
        [
          ['{"team":"legal"}', 'legal', 'passed', 'equals “legal”'],
          ['{"team":"account"}', 'legal', 'failed', 'is “account”, expected “legal”'],
          ['```json\n{"team":"legal"}\n```', 'legal', 'passed', 'equals “legal”'],
          ['{"team":null}', 'null', 'passed', 'equals “null”'],
          ['{"team":12}', '12', 'passed', 'equals “12”'],
          ['{"team":true}', 'true', 'passed', 'equals “true”'],
          ['{"team":["a"]}', '["a"]', 'passed', 'equals “["a"]”'],
          ['{"other":"legal"}', 'legal', 'failed', 'has no field team'],
          ['legal', 'legal', 'failed', 'is not JSON'],
          ['{"team":"legal"', 'legal', 'failed', 'is not JSON'],
          ['Here it is: {"team":"legal"}', 'legal', 'failed', 'is not JSON'],
          ['["legal"]', 'legal', 'failed', 'has no field team'],
          ['', 'legal', 'failed', 'is not JSON'],
        ],
        'team',
      ),
    ).toEqual([]);
    expect(
      findFailures(
        'equals',
        {},
        [
          ['{"items":[{"price":12}]}', '12', 'passed', 'equals “12”'],
          ['{"items":[]}', '12', 'failed', 'has no field items[0].price'],
          ['{"items":{"0":{"price":12}}}', '12', 'passed', 'equals “12”'],
        ],
        'items[0].price',
      ),
    ).toEqual([]);
    expect(
      findFailures('equals', {}, [['{}', 'x', 'failed', 'has no field constructor']], 'constructor'),
    ).toEqual([]);
  });

  it('accepts any of the expected lines in a "one of" check', () => {
    expect(
      findFailures('one of', { ignoreCase: true }, [
        ['yes', 'yes\nyep\n', 'passed', 'equals “yes”'],
        ['YEP', 'yes\nyep', 'passed', 'equals “yep”'],
        ['no', 'yes\nyep', 'failed', 'is “no”, not one of “yes”, “yep”'],
        ['yes yep', 'yes\nyep', 'failed', 'is “yes yep”, not one of “yes”, “yep”'],
        ['', 'yes\n\nyep', 'failed', 'is “”, not one of “yes”, “yep”'],
      ]),
    ).toEqual([]);
    expect(findFailures('one of', {}, [['Yes', 'yes', 'failed', 'is “Yes”, not one of “yes”']])).toEqual([]);
  });

  it('requires any or all of the expected lines in a "contains" check', () => {
    expect(
      findFailures('contains', {}, [
        ['a refund in 3 days', 'refund', 'passed', 'contains “refund”'],
        ['a Refund', 'refund', 'failed', 'contains none of “refund”'],
        ['a return', 'refund\nreturn', 'passed', 'contains “return”'],
        ['nothing', 'refund\nreturn', 'failed', 'contains none of “refund”, “return”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('contains', { all: true, ignoreCase: true }, [
        ['Refund or RETURN', 'refund\nreturn', 'passed', 'contains “refund”'],
        ['Refund', 'refund\nreturn', 'failed', 'does not contain “return”'],
      ]),
    ).toEqual([]);
  });

  it('rejects every listed line in a "contains none" check', () => {
    expect(
      findFailures('contains none', {}, [
        ['fine', 'sorry\nas an AI', 'passed', 'contains none'],
        ['I am sorry', 'sorry\nas an AI', 'failed', 'contains “sorry”'],
        ['Sorry', 'sorry', 'passed', 'contains none'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('contains none', { ignoreCase: true }, [['Sorry', 'sorry', 'failed', 'contains “sorry”']]),
    ).toEqual([]);
  });

  it('mentions an empty text when a check for absence passes on it', () => {
    const remark = 'the text is empty';
    expect(
      findFailures('contains none', {}, [[' \n', 'sorry', 'passed', `contains none: ${remark}`]]),
    ).toEqual([]);
    expect(
      findFailures('contains none', {}, [['{"a":""}', 'x', 'passed', `contains none: ${remark}`]], 'a'),
    ).toEqual([]);
    expect(
      findFailures('matches none', { pattern: 'x' }, [['', '', 'passed', `no match: ${remark}`]]),
    ).toEqual([]);
    expect(
      findFailures('called tool', { none: true }, [['', '', 'passed', `called no tool: ${remark}`]]),
    ).toEqual([]);
  });

  it('searches for a pattern in "matches" and "matches none" checks', () => {
    expect(
      findFailures('matches', { pattern: '\\d{4}-\\d{2}' }, [
        ['on 2026-11', '', 'passed', 'matches “2026-11”'],
        ['soon', '', 'failed', 'no match'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('matches', { pattern: '^x', flags: 'im' }, [['a\nXy', '', 'passed', 'matches “X”']]),
    ).toEqual([]);
    expect(findFailures('matches', { pattern: '' }, [['any', '', 'passed', 'matches “”']])).toEqual([]);
    expect(
      findFailures('matches', { pattern: '(' }, [['any', '', 'no answer', 'the pattern is invalid']]),
    ).toEqual([]);
    expect(
      findFailures('matches', { pattern: 'a', flags: 'q' }, [
        ['any', '', 'no answer', 'the pattern is invalid'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('matches none', { pattern: '\\b(Mr|Mrs|Ms)\\b' }, [
        ['Dear Mrs Hill', '', 'failed', 'matches “Mrs”'],
        ['Dear customer', '', 'passed', 'no match'],
      ]),
    ).toEqual([]);
    expect(
      findFailures(
        'matches',
        { pattern: '^[A-Z]+$' },
        [['{"code":"AB"}', '', 'passed', 'matches “AB”']],
        'code',
      ),
    ).toEqual([]);
  });

  it('requires a single JSON value in an "is JSON" check, inside a code fence if allowed', () => {
    const rows: Row[] = [
      ['{"a":1}', '', 'passed', 'is JSON'],
      [' [1, 2] ', '', 'passed', 'is JSON'],
      ['"text"', '', 'passed', 'is JSON'],
      ['12', '', 'passed', 'is JSON'],
      ['', '', 'failed', 'is not JSON'],
      ['{"a":1} and more', '', 'failed', 'is not JSON'],
      ["{'a':1}", '', 'failed', 'is not JSON'],
      ['{"a":1,}', '', 'failed', 'is not JSON'],
      ['```json\n{"a":\n```', '', 'failed', 'is not JSON'],
    ];
    const fenced = '```json\n{"a":1}\n```';
    expect(
      findFailures('is JSON', {}, [...rows, [fenced, '', 'failed', 'has a code fence around the JSON']]),
    ).toEqual([]);
    expect(
      findFailures('is JSON', { allowFence: true }, [
        ...rows,
        [fenced, '', 'passed', 'is JSON in a code fence'],
      ]),
    ).toEqual([]);
  });

  it('validates against the given schema in a "fits schema" check, otherwise against the schema from response_format', () => {
    const schema = { type: 'object', properties: { team: { enum: ['legal'] } }, required: ['team'] };
    expect(
      findFailures('fits schema', { schema }, [
        ['{"team":"legal"}', '', 'passed', 'fits the schema'],
        ['```\n{"team":"legal"}\n```', '', 'passed', 'fits the schema'],
        ['{"team":"other"}', '', 'failed', 'team must be "legal"; it is "other".'],
        ['{}', '', 'failed', 'team is missing.'],
        ['legal', '', 'failed', 'is not JSON'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('fits schema', {}, [
        [{ text: '{"team":"legal"}', schema }, '', 'passed', 'fits the schema'],
        ['{"team":"legal"}', '', 'no answer', 'no schema is set'],
      ]),
    ).toEqual([]);
    expect(
      findFailures(
        'fits schema',
        { schema: { type: 'integer' } },
        [['{"n":3}', '', 'passed', 'fits the schema']],
        'n',
      ),
    ).toEqual([]);
    const text = '{"const":12345678901234567891}';
    for (const answer of ['12345678901234567890', '12345678901234567891']) {
      const score = answer.endsWith('1')
        ? 'passed: fits the schema'
        : `failed: The answer must be 12345678901234567891; it is ${answer}.`;
      expect(scoreText('fits schema', { schema: text }, '', answer)).toBe(score);
      expect(scoreText('fits schema', {}, '', { text: answer, schema: text })).toBe(score);
    }
  });

  it('compares the only, first or last number in a "number within" check', () => {
    expect(
      findFailures('number within', {}, [
        ['42', '42', 'passed', 'is 42'],
        ['The answer is 42.', '42', 'passed', 'is 42'],
        ['42.0', '42', 'passed', 'is 42.0'],
        ['1,234', '1234', 'passed', 'is 1234'],
        ['-5', '-5', 'passed', 'is -5'],
        ['−5', '-5', 'passed', 'is -5'],
        ['41', '42', 'failed', 'is 41, expected 42'],
        ['40 or 42', '42', 'failed', 'has 2 numbers'],
        ['forty', '42', 'failed', 'has no number'],
        ['0.30000000000000004', '0.3', 'passed', 'is 0.30000000000000004'],
        ['12345678901234567890', '12345678901234567890', 'passed', 'is 12345678901234567890'],
        [
          '12345678901234567890',
          '12345678901234567891',
          'failed',
          'is 12345678901234567890, expected 12345678901234567891',
        ],
        ['5000000001', '5000000000', 'failed', 'is 5000000001, expected 5000000000'],
        ['1e400', '10e399', 'passed', 'is 1e400'],
        ['1e400', '1e401', 'failed', 'is 1e400, expected 1e401'],
        ['-0', '0', 'passed', 'is -0'],
        ['42', 'many', 'no answer', 'the expected value is not a number'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('number within', { which: 'last', tolerance: 2 }, [
        ['first 10, then 41', '42', 'passed', 'is 41'],
        ['first 42, then 10', '42', 'failed', 'is 10, expected 42 ± 2'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('number within', { which: 'first', tolerance: 10, unit: 'percent' }, [
        ['110 of 300', '100', 'passed', 'is 110'],
        ['111 of 300', '100', 'failed', 'is 111, expected 100 ± 10%'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('number within', { decimal: 'comma' }, [
        ['1.234,5', '1234,5', 'passed', 'is 1234.5'],
        ['3,5', '3,5', 'passed', 'is 3.5'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('number within', {}, [['{"answer":"42 days"}', '42', 'passed', 'is 42']], 'answer'),
    ).toEqual([]);
  });

  it('applies the tolerance of a "number within" check beyond the precision and range of doubles', () => {
    expect(
      findFailures('number within', { tolerance: 1 }, [
        ['9007199254740993', '9007199254740992', 'passed', 'is 9007199254740993'],
        [
          '9007199254740994',
          '9007199254740992',
          'failed',
          'is 9007199254740994, expected 9007199254740992 ± 1',
        ],
      ]),
    ).toEqual([]);
    expect(
      findFailures('number within', { tolerance: 0.57, unit: 'percent' }, [
        ['10057', '10000', 'passed', 'is 10057'],
        ['1e401', '1e400', 'failed', 'is 1e401, expected 1e400 ± 0.57%'],
      ]),
    ).toEqual([]);
  });

  it('compares numeric fields digit by digit in "equals" and "one of" checks', () => {
    const exactNumber = '{"id":12345678901234567890}';
    expect(
      findFailures(
        'equals',
        {},
        [
          [exactNumber, '12345678901234567890', 'passed', 'equals “12345678901234567890”'],
          [
            exactNumber,
            '12345678901234567891',
            'failed',
            'is “12345678901234567890”, expected “12345678901234567891”',
          ],
          ['{"id":1.0}', '1', 'passed', 'equals “1”'],
          ['{"id":1.0}', '1.0', 'passed', 'equals “1.0”'],
          ['{"id":"1.0"}', '1', 'failed', 'is “1.0”, expected “1”'],
          ['{"id":1e400}', '1e401', 'failed', 'is “1e400”, expected “1e401”'],
          ['{"id":1,"id":-0}', '0', 'passed', 'equals “0”'],
          [
            '{"id":[1.0,{"a":9007199254740993}]}',
            '[1, {"a": 9007199254740993}]',
            'passed',
            'equals “[1, {"a": 9007199254740993}]”',
          ],
          [
            '{"id":[1.0,{"a":9007199254740993}]}',
            '[1,{"a":9007199254740992}]',
            'failed',
            'is “[1.0,{"a":9007199254740993}]”, expected “[1,{"a":9007199254740992}]”',
          ],
        ],
        'id',
      ),
    ).toEqual([]);
    expect(
      findFailures(
        'one of',
        {},
        [[exactNumber, '1\n12345678901234567890', 'passed', 'equals “12345678901234567890”']],
        'id',
      ),
    ).toEqual([]);
    expect(findFailures('equals', {}, [['1.0', '1', 'failed', 'is “1.0”, expected “1”']])).toEqual([]);
  });

  it('requires the given reason in a "finish reason" check', () => {
    expect(
      findFailures('finish reason', { reason: 'stop' }, [
        [{ finishReason: 'stop' }, '', 'passed', 'is “stop”'],
        [{ finishReason: 'length' }, '', 'failed', 'is “length”, expected “stop”'],
        [{}, '', 'failed', 'is not reported, expected “stop”'],
      ]),
    ).toEqual([]);
  });

  it('requires a call by name, a call with the given arguments among others, or no call in a "called tool" check', () => {
    const createCall = (name: string, argumentsText = '{"city":"Oslo","days":{"from":1,"to":3}}') => ({
      toolCalls: [{ name, arguments: argumentsText }],
    });
    expect(
      findFailures('called tool', { name: 'weather' }, [
        [createCall('weather'), '', 'passed', 'called “weather”'],
        [createCall('search'), '', 'failed', 'called “search”'],
        [{}, '', 'failed', 'called no tool'],
      ]),
    ).toEqual([]);
    const exactNumber = '{"id":9007199254740993,"price":1.0}';
    for (const expectedArguments of [{ price: 1 }, '{"id":9007199254740993,"price":1}'])
      expect(
        findFailures('called tool', { name: 'pay', arguments: expectedArguments }, [
          [createCall('pay', exactNumber), '', 'passed', 'called “pay”'],
        ]),
      ).toEqual([]);
    expect(
      findFailures('called tool', { name: 'pay', arguments: '{"id":9007199254740992}' }, [
        [createCall('pay', exactNumber), '', 'failed', `called “pay” with “${exactNumber}”`],
      ]),
    ).toEqual([]);
    expect(
      findFailures('called tool', { name: 'weather', arguments: { city: 'Oslo', days: { to: 3 } } }, [
        [createCall('weather'), '', 'passed', 'called “weather”'],
        [createCall('weather', '{"city":"Bonn"}'), '', 'failed', 'called “weather” with “{"city":"Bonn"}”'],
        [createCall('weather', '{"city":'), '', 'failed', 'called “weather” with “{"city":”'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('called tool', { none: true }, [
        ['Hi', '', 'passed', 'called no tool'],
        [createCall('weather'), '', 'failed', 'called “weather”'],
      ]),
    ).toEqual([]);
  });

  it('limits characters, words or tokens in a "length" check', () => {
    expect(
      findFailures('length', { atMost: 3 }, [
        ['abc', '', 'passed', 'has 3 characters'],
        ['👩a', '', 'passed', 'has 2 characters'],
        ['abcd', '', 'failed', 'has 4 characters, expected at most 3'],
        ['', '', 'passed', 'has 0 characters'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('length', { atLeast: 2, atMost: 3, unit: 'words' }, [
        [' two  words\n', '', 'passed', 'has 2 words'],
        ['one', '', 'failed', 'has 1 word, expected at least 2'],
        ['a b c d', '', 'failed', 'has 4 words, expected at most 3'],
      ]),
    ).toEqual([]);
    expect(
      findFailures(
        'length',
        { atMost: 8, unit: 'words' },
        [['{"why":"a b c"}', '', 'passed', 'has 3 words']],
        'why',
      ),
    ).toEqual([]);
    expect(
      findFailures('length', { atMost: 20, unit: 'tokens' }, [
        [{ tokensOut: { kind: 'exact', value: 20 } }, '', 'passed', 'has 20 tokens'],
        [
          { tokensOut: { kind: 'estimated', value: 21 } },
          '',
          'failed',
          'has ~21 tokens, expected at most 20',
        ],
        [{ tokensOut: { kind: 'none', why: 'x' } }, '', 'no answer', 'the token count is unknown'],
      ]),
    ).toEqual([]);
  });

  it('limits milliseconds in "first token within" and "whole answer within" checks', () => {
    expect(
      findFailures('first token within', { ms: 1500 }, [
        [{ firstTokenMs: 1500 }, '', 'passed', 'the first token took 1.50 s'],
        [{ firstTokenMs: 1501 }, '', 'failed', 'the first token took 1.50 s, expected within 1,500 ms'],
        [{}, '', 'failed', 'the first token did not arrive'],
      ]),
    ).toEqual([]);
    expect(
      findFailures('whole answer within', { ms: 900 }, [
        [{ totalMs: 412 }, '', 'passed', 'the whole answer took 412 ms'],
        [{ totalMs: 2000 }, '', 'failed', 'the whole answer took 2.00 s, expected within 900 ms'],
      ]),
    ).toEqual([]);
  });

  it(`returns the user's mark in a "marks" check`, () => {
    const check: Check = { id: 'c', name: 'marks', kind: 'marks', settings: {} };
    const answer = toCheckedAnswer(createAnsweredRun('x'));
    const scoreMark = (mark?: 'right' | 'wrong') =>
      applyCheck(check, {}, { outcome: 'answered' }, { answer, ...(mark ? { mark } : {}) });
    expect([scoreMark('right').result, scoreMark('wrong').result, scoreMark().result]).toEqual([
      'passed',
      'failed',
      'no answer',
    ]);
  });
});

describe('scoring of a cell', () => {
  const check: Check = {
    id: 'c',
    name: 'right team',
    kind: 'equals',
    field: 'team',
    expected: { value: 'team' },
    settings: {},
  };
  const answer = toCheckedAnswer(createAnsweredRun('{"team":"legal"}'));

  it('scores a cell without an answer as no answer, with the reason', () => {
    const cell = { outcome: 'no answer', why: 'timed out' } as const;
    expect(applyCheck(check, { team: 'legal' }, cell, { answer })).toMatchObject({
      result: 'no answer',
      why: 'timed out',
    });
    expect(applyCheck(check, { team: 'legal' }, { outcome: 'answered' }, {}).result).toBe('no answer');
  });

  it('counts timeouts and answers that were cut off as failed, unless the trial leaves them out', () => {
    const plan = { at: 0, cases: 1, repeats: 1, columns: [], baseline: 'a', margin: 5 };
    const countReasons = (trial: Parameters<typeof getCountedResult>[0], reasons = noAnswerReasons) =>
      reasons.map((why) =>
        getCountedResult(trial, check, { outcome: 'no answer', why }, { of: '', result: 'no answer' }),
      );
    expect(noAnswerReasons).toEqual(['failed', 'cut', 'lost', 'timed out', 'filtered']);
    expect(countReasons({})).toEqual(['no answer', 'failed', 'no answer', 'failed', 'no answer']);
    const allMissing = noAnswerReasons.map(() => 'no answer');
    expect(countReasons({ leavesOutTimeouts: true })).toEqual(allMissing);
    expect(countReasons({ plan })).toEqual(allMissing);
  });

  it('excludes a case whose expected value is empty or absent', () => {
    expect([{ team: 'legal' }, { team: ' ' }, {}].map((values) => isExcluded(check, values))).toEqual([
      false,
      true,
      true,
    ]);
    expect(isExcluded({}, {})).toBe(false);
    expect(isExcluded({ expected: { text: '' } }, {})).toBe(false);
    expect(isExcluded({ expected: { value: 'constructor' } }, {})).toBe(true);
  });

  it("derives the hash of a score from the check's settings and the expected value", () => {
    const { of, result } = applyCheck(check, { team: 'legal' }, { outcome: 'answered' }, { answer });
    expect([of, result]).toEqual([hashCheck(check, { team: 'legal', other: 'x' }), 'passed']);
    expect(hashCheck({ ...check, name: 'other' }, { team: 'legal' })).toBe(of);
    const otherHashes = [
      hashCheck(check, { team: 'billing' }),
      hashCheck({ ...check, field: 'why' }, { team: 'legal' }),
      hashCheck({ ...check, settings: { ignoreCase: true } }, { team: 'legal' }),
      hashCheck({ ...check, kind: 'one of' }, { team: 'legal' }),
    ];
    expect(otherHashes).not.toContain(of);
  });

  it('scores a pattern that exceeded 100 ms as no answer', () => {
    expect(createTimeoutScore(check, { team: 'legal' })).toEqual({
      of: hashCheck(check, { team: 'legal' }),
      result: 'no answer',
      why: 'the pattern took over 100 ms',
    });
  });

  it('scores invalid check settings as no answer with a reason, never as failed', () => {
    expect(parseCheckSettings({ kind: 'finish reason', settings: {} })).toBeUndefined();
    expect(parseCheckSettings({ kind: 'equals', settings: { ignoreCase: 'yes' } })).toBeUndefined();
    expect(scoreText('length', { atMost: -1 }, '', 'x')).toBe('no answer: the check has invalid settings');
    expect(parseCheckSettings({ kind: 'called tool', settings: { name: 'x' } })).toEqual({
      kind: 'called tool',
      name: 'x',
    });
  });

  it('follows a path through fields and lists', () => {
    const value = { items: [{ price: 1 }, { price: 2 }], 'a b': { c: null } };
    expect(
      ['items[1].price', 'items.0.price', 'a b.c', 'items[2]', 'items.price', 'toString'].map((path) =>
        getValueAtPath(value, path),
      ),
    ).toEqual([2, 1, null, undefined, undefined, undefined]);
  });

  it('checks the first candidate without reasoning, with its calls and the requested schema', () => {
    const schema = { type: 'object' };
    const format = JSON.stringify({ type: 'json_schema', json_schema: { name: 'x', schema } });
    const run = createAnsweredRun('ignored', {
      setup: createTestSetup({ params: createTickedParams({ response_format: format }) }),
      choices: [
        {
          parts: [
            { type: 'thinking', text: 'hm', startedMs: 1, endedMs: 2, deltas: 1 },
            { type: 'text', text: '{}' },
            { type: 'tool-call', slot: 0, name: 'weather', arguments: '{"city":"Oslo"}' },
          ],
          finishReason: 'tool_calls',
        },
        { parts: [{ type: 'text', text: 'second' }] },
      ],
    });
    expect(toCheckedAnswer(run)).toMatchObject({
      text: '{}',
      finishReason: 'tool_calls',
      toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }],
      firstTokenMs: 300,
      totalMs: 900,
      schema,
    });
  });
});
