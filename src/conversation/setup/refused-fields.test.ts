import { describe, expect, it } from 'vitest';

import type { FieldRefusal } from '../../gateway/errors/field-refusal.ts';
import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { buildRequestFields, defaultParams, type Params } from './params.ts';
import {
  describeFix,
  describeFixed,
  isFixable,
  toRefusedFields,
  withFieldsFixed,
  withRefusedFields,
  withReplacedFields,
} from './refused-fields.ts';

const createRequestField = (name: string) => ({ field: name, in: 'request' as const });
const renamed: FieldRefusal = {
  ...createRequestField('max_tokens'),
  kind: 'replace',
  replacement: 'max_completion_tokens',
};
const fixed: FieldRefusal = { ...createRequestField('temperature'), kind: 'value', isFixed: true };
const wrong: FieldRefusal = { ...createRequestField('n'), kind: 'value', isFixed: false };
const extra: FieldRefusal = { ...createRequestField('min_p'), kind: 'unsupported' };
const missing: FieldRefusal = { ...createRequestField('seed'), kind: 'missing' };

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
    const refusals = [renamed, fixed, wrong, extra, missing];
    expect(toRefusedFields(refusals)).toEqual({
      max_tokens: 'max_completion_tokens',
      temperature: null,
      min_p: null,
    });
    const params = withFieldsFixed(
      createTickedParams({ max_tokens: '5', temperature: '0.3', n: '3' }),
      refusals,
    );
    expect(buildRequestFields(params)).toEqual({ max_tokens: 5, temperature: 0.3, seed: 7 });
    expect(isFixable({ ...createRequestField('dimensions'), kind: 'missing' })).toBe(false);
  });
});

describe('a setup for a model that refused fields', () => {
  const refused = { max_tokens: 'max_completion_tokens', temperature: null, min_p: null };
  const setup = createTestSetup({
    params: createTickedParams({
      max_tokens: '5',
      temperature: '0.3',
      'Extra provider fields': '{"min_p": 1, "id": 12345678901234567890}',
    }),
  });

  it('keeps typed text of refused fields and restores the setup once nothing is refused', () => {
    const adapted = withRefusedFields(setup, refused);
    expect(Object.keys(buildRequestFields(adapted.params))).toEqual(['max_completion_tokens', 'id']);
    expect(withRefusedFields(adapted, refused)).toBe(adapted);
    expect(withRefusedFields(adapted, {})).toEqual(setup);
    expect(withRefusedFields(setup, { other: null, top_p: null })).toBe(setup);
  });

  it('sends the default stream_options again that an earlier version had unticked', () => {
    const stream_options = { sent: false, text: '{"include_usage":true}', byDefault: true } as const;
    const params: Params = { ...defaultParams, stream_options };
    const again = withRefusedFields(createTestSetup({ params }), {});
    expect(again.params).toEqual(defaultParams);
    const still = withRefusedFields(createTestSetup({ params }), { stream_options: null });
    expect(buildRequestFields(still.params)).toEqual({ stream: true });
  });

  it('replaces field names in a trial column but leaves out no field that it tests', () => {
    const column = withReplacedFields(setup, refused);
    expect(buildRequestFields(column.params)).toMatchObject({
      max_completion_tokens: 5,
      temperature: 0.3,
      min_p: 1,
    });
    const fromLane = withReplacedFields(withRefusedFields(setup, { temperature: null }), {});
    expect(buildRequestFields(fromLane.params)).not.toHaveProperty('temperature');
  });
});
