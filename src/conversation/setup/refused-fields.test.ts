import { describe, expect, it } from 'vitest';

import type { FieldRefusal } from '../../gateway/errors/field-refusal.ts';
import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { buildRequestFields, defaultParams, type Params } from './params.ts';
import {
  describeFix,
  describeAppliedFix,
  isFixable,
  toRefusedFields,
  withFixedParams,
  withRefusedFields,
  withReplacedFields,
} from './refused-fields.ts';

const createRequestField = (name: string) => ({ field: name, in: 'request' as const });
const replaceRefusal: FieldRefusal = {
  ...createRequestField('max_tokens'),
  kind: 'replace',
  replacement: 'max_completion_tokens',
};
const fixedValueRefusal: FieldRefusal = {
  ...createRequestField('temperature'),
  kind: 'value',
  isFixed: true,
};
const wrongValueRefusal: FieldRefusal = { ...createRequestField('n'), kind: 'value', isFixed: false };
const unsupportedRefusal: FieldRefusal = { ...createRequestField('min_p'), kind: 'unsupported' };
const missingRefusal: FieldRefusal = { ...createRequestField('seed'), kind: 'missing' };

describe('fixes for rejected fields', () => {
  it('labels the button with the effect of the fix', () => {
    expect(describeFix([replaceRefusal])).toBe('Send as max_completion_tokens');
    expect(describeFix([fixedValueRefusal])).toBe('Leave temperature out');
    expect(describeFix([fixedValueRefusal, wrongValueRefusal, unsupportedRefusal])).toBe(
      'Leave temperature, n and min_p out',
    );
    expect(describeFix([missingRefusal])).toBe('Send seed');
    expect(describeFix([unsupportedRefusal, replaceRefusal, missingRefusal])).toBe(
      'Send as max_completion_tokens, leave min_p out and send seed',
    );
    expect(describeAppliedFix([replaceRefusal, fixedValueRefusal, missingRefusal], 'm')).toBe(
      'max_tokens is now sent to m as max_completion_tokens. temperature is no longer sent to m. seed is now sent to m.',
    );
  });

  it('stores fields that are rejected for any value and fixes other fields once', () => {
    const refusals = [
      replaceRefusal,
      fixedValueRefusal,
      wrongValueRefusal,
      unsupportedRefusal,
      missingRefusal,
    ];
    expect(toRefusedFields(refusals)).toEqual({
      max_tokens: 'max_completion_tokens',
      temperature: null,
      min_p: null,
    });
    const params = withFixedParams(
      createTickedParams({ max_tokens: '5', temperature: '0.3', n: '3' }),
      refusals,
    );
    expect(buildRequestFields(params)).toEqual({ max_tokens: 5, temperature: 0.3, seed: 7 });
    expect(isFixable({ ...createRequestField('dimensions'), kind: 'missing' })).toBe(false);
  });
});

describe('setup for a model that rejected fields', () => {
  const refusedFields = { max_tokens: 'max_completion_tokens', temperature: null, min_p: null };
  const setup = createTestSetup({
    params: createTickedParams({
      max_tokens: '5',
      temperature: '0.3',
      'Extra provider fields': '{"min_p": 1, "id": 12345678901234567890}',
    }),
  });

  it('keeps the text of rejected fields and restores the setup once no field is rejected', () => {
    const adapted = withRefusedFields(setup, refusedFields);
    expect(Object.keys(buildRequestFields(adapted.params))).toEqual(['max_completion_tokens', 'id']);
    expect(withRefusedFields(adapted, refusedFields)).toBe(adapted);
    expect(withRefusedFields(adapted, {})).toEqual(setup);
    expect(withRefusedFields(setup, { other: null, top_p: null })).toBe(setup);
  });

  it('sends the default stream_options again after an earlier version had unticked it', () => {
    const stream_options = { sent: false, text: '{"include_usage":true}', byDefault: true } as const;
    const params: Params = { ...defaultParams, stream_options };
    const again = withRefusedFields(createTestSetup({ params }), {});
    expect(again.params).toEqual(defaultParams);
    const still = withRefusedFields(createTestSetup({ params }), { stream_options: null });
    expect(buildRequestFields(still.params)).toEqual({ stream: true });
  });

  it('renames fields of a trial column but does not omit any', () => {
    const column = withReplacedFields(setup, refusedFields);
    expect(buildRequestFields(column.params)).toMatchObject({
      max_completion_tokens: 5,
      temperature: 0.3,
      min_p: 1,
    });
    const fromLane = withReplacedFields(withRefusedFields(setup, { temperature: null }), {});
    expect(buildRequestFields(fromLane.params)).not.toHaveProperty('temperature');
  });
});
