import { expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { getDeclaredAbilities, isTextOnly, withModelMark, type ModelMarks } from './model-marks.ts';

const visionModel: ModelRecord = { id: 'a/sees', kind: 'chat', abilities: { vision: true }, raw: {} };
const textModel: ModelRecord = { id: 'a/reads', kind: 'chat', abilities: { vision: false }, raw: {} };
const isTextOnlyModel = (id: string, marks: ModelMarks = {}) =>
  isTextOnly(
    id,
    marks,
    [visionModel, textModel].find((model) => model.id === id),
  );

it('treats models as text-only according to their record, but never unknown models', () => {
  expect([visionModel.id, textModel.id, 'a/new', 'constructor'].map((id) => isTextOnlyModel(id))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

it('prefers a user mark over the model record until it is removed', () => {
  const marked = withModelMark(
    withModelMark({}, visionModel.id, 'vision', false),
    textModel.id,
    'vision',
    true,
  );
  expect([visionModel.id, textModel.id].map((id) => isTextOnlyModel(id, marked))).toEqual([true, false]);
  const unmarked = withModelMark(marked, visionModel.id, 'vision', undefined);
  expect(isTextOnlyModel(visionModel.id, unmarked)).toBe(false);
  expect(Object.keys(unmarked)).toEqual([textModel.id]);
});

it('keeps marks of other abilities and accepts __proto__ as a model ID', () => {
  const marks = withModelMark(withModelMark({}, '__proto__', 'tools', true), '__proto__', 'thinking', false);
  expect(getDeclaredAbilities('__proto__', marks, undefined)).toEqual({ tools: true, thinking: false });
  expect(getDeclaredAbilities('other', marks, undefined)).toEqual({});
});
