import { describe, expect, it } from 'vitest';

import type { FieldRefusal } from '../../gateway/errors/field-refusal.ts';
import { aSetup, ticked } from '../../testing/builders.ts';
import { fieldsOf, firstParams, type Params } from './params.ts';
import {
  describeFix,
  describeFixed,
  isFixable,
  toRefusedFields,
  withFieldsFixed,
  withRefusedFields,
  withReplacedFields,
} from './refused-fields.ts';

const field = (name: string) => ({ field: name, in: 'request' as const });
const renamed: FieldRefusal = {
  ...field('max_tokens'),
  kind: 'replace',
  replacement: 'max_completion_tokens',
};
const fixed: FieldRefusal = { ...field('temperature'), kind: 'value', isFixed: true };
const wrong: FieldRefusal = { ...field('n'), kind: 'value', isFixed: false };
const extra: FieldRefusal = { ...field('min_p'), kind: 'unsupported' };
const missing: FieldRefusal = { ...field('seed'), kind: 'missing' };

describe('fixes of refused fields', () => {
  it('labels the fix of refused fields with what it does', () => {
    expect(describeFix([renamed])).toBe('Send as max_completion_tokens');
    expect(describeFix([fixed])).toBe('Leave temperature out');
    expect(describeFix([fixed, wrong, extra])).toBe('Leave temperature, n and min_p out');
    expect(describeFix([missing])).toBe('Send seed');
    expect(describeFix([extra, renamed, missing])).toBe(
      'Send as max_completion_tokens, leave min_p out and send seed',
    );
    expect(describeFixed([renamed, fixed, missing], 'm')).toBe(
      'max_tokens is now sent to m as max_completion_tokens. temperature is no longer sent to m. seed is now sent to m.',
    );
  });

  it('remembers a refused field if no value is accepted, else changes the setup', () => {
    const all = [renamed, fixed, wrong, extra, missing];
    expect(toRefusedFields(all)).toEqual({
      max_tokens: 'max_completion_tokens',
      temperature: null,
      min_p: null,
    });
    const params = withFieldsFixed(ticked({ max_tokens: '5', temperature: '0.3', n: '3' }), all);
    expect(fieldsOf(params)).toEqual({ max_tokens: 5, temperature: 0.3, seed: 7 });
    expect(isFixable({ ...field('dimensions'), kind: 'missing' })).toBe(false);
  });
});

describe('a setup for a model that refused fields', () => {
  const refused = { max_tokens: 'max_completion_tokens', temperature: null, min_p: null };
  const setup = aSetup({
    params: ticked({
      max_tokens: '5',
      temperature: '0.3',
      'Extra provider fields': '{"min_p": 1, "id": 12345678901234567890}',
    }),
  });

  it('keeps typed text of refused fields and restores the setup once nothing is refused', () => {
    const adapted = withRefusedFields(setup, refused);
    expect(Object.keys(fieldsOf(adapted.params))).toEqual(['max_completion_tokens', 'id']);
    expect(withRefusedFields(adapted, refused)).toBe(adapted);
    expect(withRefusedFields(adapted, {})).toEqual(setup);
    expect(withRefusedFields(setup, { other: null, top_p: null })).toBe(setup);
  });

  it('sends the default stream_options again that an earlier version had unticked', () => {
    const stream_options = { sent: false, text: '{"include_usage":true}', byDefault: true } as const;
    const params: Params = { ...firstParams, stream_options };
    const again = withRefusedFields(aSetup({ params }), {});
    expect(again.params).toEqual(firstParams);
    const still = withRefusedFields(aSetup({ params }), { stream_options: null });
    expect(fieldsOf(still.params)).toEqual({ stream: true });
  });

  it('replaces field names in a trial column but leaves out no field that it tests', () => {
    const column = withReplacedFields(setup, refused);
    expect(fieldsOf(column.params)).toMatchObject({ max_completion_tokens: 5, temperature: 0.3, min_p: 1 });
    const fromLane = withReplacedFields(withRefusedFields(setup, { temperature: null }), {});
    expect(fieldsOf(fromLane.params)).not.toHaveProperty('temperature');
  });
});
