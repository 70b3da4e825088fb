import { expect, it } from 'vitest';

import { isErrorMember, isErrorValue, isErrorText } from './error-value.ts';

it('distinguishes an error inside a successful response from similar values', () => {
  const chunk = { object: 'chat.completion.chunk' };
  const rows: [value: unknown, event: string | undefined, isError: boolean][] = [
    [{}, ' Error ', true],
    [{}, 'errors', false],
    [[{ error: 'a' }], undefined, true],
    [[{ message: 'failed' }], undefined, false],
    ['failed', undefined, false],
    [{ error: 'a' }, 'other', true],
    [{ error: { code: 0, message: '' } }, undefined, false],
    [{ error: { code: 1, message: '' } }, undefined, true],
    [{ ...chunk, error: 'a' }, undefined, true],
    [{ ...chunk, status: 'failed', message: 'a' }, undefined, false],
    [{ type: 'chat.completion', status: 'failed', message: 'a' }, undefined, false],
    [{ object: 'status', type: 'chat.completion', status: 'failed', message: 'a' }, undefined, true],
    [{ object: 'error' }, 'other', true],
    [{ type: 'error' }, 'other', true],
    [{ base_resp: { status_code: 1004 } }, undefined, true],
    [{ base_resp: { status_code: 1004 } }, 'message', true],
    [{ base_resp: { status_code: 1004 } }, 'other', false],
    [{ base_resp: { status_code: 0 } }, undefined, false],
    [{ choices: [], status: 'failed', message: 'a' }, undefined, false],
    [{ usage: null, status: 'failed', message: 'a' }, undefined, false],
    [{ choices: [{ error: 'a' }] }, undefined, true],
    [{ choices: { error: 'a' } }, undefined, true],
    [{ choices: [{ error: '' }, { delta: {} }] }, undefined, false],
    [{ choices: 'a' }, undefined, false],
    [{ errors: ['a'] }, undefined, true],
    [{ errors: [] }, undefined, false],
    [{ status: 'failed', message: 'a' }, undefined, true],
    [{ status: 'failed', message: 'a' }, 'message', true],
    [{ status: 'failed', message: 'a' }, 'other', false],
    [{ status: 'running', message: 'a' }, undefined, false],
    [{ status: 400, message: 'a' }, undefined, true],
    [{ status: 399, message: 'a' }, undefined, false],
    [{ status: 'failed' }, undefined, false],
    [{ status: 'failed', title: 'a' }, undefined, true],
    [{ status: 'running', title: 'a' }, undefined, false],
    [{ code: 7, message: 'a' }, undefined, true],
    [{ code: 'OK', message: 'a' }, undefined, false],
    [{ code: 204, error_code: 'x', message: 'a' }, undefined, true],
    [{ success: false, message: 'a' }, undefined, true],
    [{ success: true, message: 'a' }, undefined, false],
    [{ message: 'It failed' }, undefined, true],
    [{ object: 'status', message: 'It failed' }, undefined, false],
    [{ status: 'running', message: 'It failed' }, undefined, false],
    [{ code: 0, message: 'It failed' }, undefined, true],
    [{ message: '', reason: 'It failed' }, undefined, true],
    [{ message: 'Wait', reason: 'It failed' }, undefined, false],
  ];
  expect(rows.map(([value, event]) => [value, event, isErrorValue(value, event)])).toEqual(rows);
});

it('treats an error member as an error only if it has content', () => {
  const rows: [error: unknown, isError: boolean][] = [
    [undefined, false],
    [null, false],
    [false, false],
    [0, false],
    [' ', false],
    [[], false],
    [{}, false],
    [{ message: null, details: [] }, false],
    [true, true],
    [500, true],
    ['a', true],
    [['a'], true],
    [{ message: 'a', code: null }, true],
  ];
  expect(rows.map(([error]) => [error, isErrorMember(error)])).toEqual(rows);
});

it('detects failure wording in the first 1,000 characters of a text', () => {
  const rows: [text: unknown, isError: boolean][] = [
    ['The request timed out', true],
    ['No errors so far', false],
    ['No errors, but it crashed', true],
    [`${'x'.repeat(990)} failed`, true],
    [`${'x'.repeat(1000)} failed`, false],
    [{ text: 'failed' }, false],
  ];
  expect(rows.map(([text]) => [text, isErrorText(text)])).toEqual(rows);
});
