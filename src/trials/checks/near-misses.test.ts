import { describe, expect, it } from 'vitest';

import type { Check } from '../trial.ts';
import { createNearMissFinder, sumNearMisses } from './near-misses.ts';
import { applyCheck } from './score-answer.ts';

/** Returns the settings with which an answer to this check would pass, whose head is `head`. */
function findSettings(
  answer: string,
  { head = answer, ...changes }: Partial<Check> & { head?: string } = {},
): readonly string[] {
  const check: Check = {
    id: 'check',
    name: 'right team',
    kind: 'equals',
    expected: { value: 'team' },
    settings: {},
    ...changes,
  };
  const values = { team: 'billing' };
  const score = applyCheck(
    check,
    values,
    { outcome: 'answered' },
    {
      answer: { text: answer, toolCalls: [], tokensOut: { kind: 'not yet' } },
    },
  );
  return createNearMissFinder(check)({ head, scores: { check: score } }, values);
}

describe('near misses', () => {
  it.each([
    ['Billing', ['ignoreCase']],
    ['billing.', ['ignoreLastStop']],
    ['“billing”', ['ignoreQuotes']],
    ['"Billing."', ['ignoreCase', 'ignoreLastStop', 'ignoreQuotes']],
    ['billing', []],
    ['The team is billing', []],
    ['', []],
  ])('lists the settings that %s needs to equal "billing"', (answer, settings) => {
    expect(findSettings(answer)).toEqual(settings);
  });

  it('applies to one of several texts and to the case of a contained text', () => {
    expect(findSettings('Legal.', { kind: 'one of', expected: { text: 'billing\nlegal' } })).toEqual([
      'ignoreCase',
      'ignoreLastStop',
    ]);
    expect(findSettings('The team is Billing.', { kind: 'contains' })).toEqual(['ignoreCase']);
    expect(findSettings('No billing', { kind: 'contains none' })).toEqual([]);
    expect(findSettings('1.0', { kind: 'number within', expected: { text: '1' } })).toEqual([]);
  });

  it('lists only settings that are not on', () => {
    expect(findSettings('Billing.', { settings: { ignoreCase: true } })).toEqual(['ignoreLastStop']);
  });

  it('compares the value of a field, and no answer without it', () => {
    const field = { field: 'team' };
    expect(findSettings('{"team":"Billing"}', { ...field, head: 'Billing' })).toEqual(['ignoreCase']);
    expect(findSettings('Billing', field)).toEqual([]);
  });

  it('leaves out answers that are longer than their head', () => {
    const expected = { text: 'a'.repeat(120) };
    expect(findSettings('A'.repeat(119), { expected: { text: 'a'.repeat(119) } })).toEqual(['ignoreCase']);
    expect(findSettings('A'.repeat(121), { expected, head: 'A'.repeat(120) })).toEqual([]);
  });

  it('sums up the settings of all answers', () => {
    expect(sumNearMisses([['ignoreQuotes'], ['ignoreCase'], ['ignoreCase']])).toEqual({
      answers: 3,
      settings: ['ignoreCase', 'ignoreQuotes'],
    });
    expect(sumNearMisses([])).toBeUndefined();
  });
});
