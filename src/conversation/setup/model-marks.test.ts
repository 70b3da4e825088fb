import { expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { getDeclaredAbilities, isTextOnly, withModelMark } from './model-marks.ts';

const visionModel: ModelRecord = { id: 'a/sees', kind: 'chat', abilities: { vision: true }, raw: {} };
const textModel: ModelRecord = { id: 'a/reads', kind: 'chat', abilities: { vision: false }, raw: {} };
const models = [visionModel, textModel];

it('treats models as text-only according to their record, but never unknown models', () => {
  expect(
    [visionModel.id, textModel.id, 'a/new', 'constructor'].map((id) => isTextOnly(id, {}, models)),
  ).toEqual([false, true, false, false]);
});

it('prefers a user mark over the model record until it is removed', () => {
  const marked = withModelMark(
    withModelMark({}, visionModel.id, 'vision', false),
    textModel.id,
    'vision',
    true,
  );
  expect([visionModel.id, textModel.id].map((id) => isTextOnly(id, marked, models))).toEqual([true, false]);
  const unmarked = withModelMark(marked, visionModel.id, 'vision', undefined);
  expect(isTextOnly(visionModel.id, unmarked, models)).toBe(false);
  expect(Object.keys(unmarked)).toEqual([textModel.id]);
});

it('keeps marks of other abilities and accepts __proto__ as a model ID', () => {
  const marks = withModelMark(withModelMark({}, '__proto__', 'tools', true), '__proto__', 'thinking', false);
  expect(getDeclaredAbilities('__proto__', marks, [])).toEqual({ tools: true, thinking: false });
  expect(getDeclaredAbilities('other', marks, [])).toEqual({});
});
