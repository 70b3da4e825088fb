import { expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { getDeclaredAbilities, listRejectedTypes, withModelMark, type ModelMarks } from './model-marks.ts';

const visionModel: ModelRecord = {
  id: 'a/sees',
  kind: 'chat',
  abilities: { vision: true, files: false },
  raw: {},
};
const textModel: ModelRecord = {
  id: 'a/reads',
  kind: 'chat',
  abilities: { vision: false, files: true, audio: false },
  raw: {},
};
const listTypes = (id: string, marks: ModelMarks = {}) =>
  listRejectedTypes(
    id,
    marks,
    [visionModel, textModel].find((model) => model.id === id),
  );

it('rejects only the parts that the record denies, and none for unknown models', () => {
  expect([visionModel.id, textModel.id, 'a/new', 'constructor'].map((id) => listTypes(id))).toEqual([
    ['file'],
    ['image_url', 'input_audio'],
    [],
    [],
  ]);
});

it('prefers a user mark over the model record until it is removed', () => {
  const marked = withModelMark(
    withModelMark({}, visionModel.id, 'vision', false),
    textModel.id,
    'vision',
    true,
  );
  expect([visionModel.id, textModel.id].map((id) => listTypes(id, marked))).toEqual([
    ['image_url', 'file'],
    ['input_audio'],
  ]);
  const unmarked = withModelMark(marked, visionModel.id, 'vision', undefined);
  expect(listTypes(visionModel.id, unmarked)).toEqual(['file']);
  expect(Object.keys(unmarked)).toEqual([textModel.id]);
});

it('keeps marks of other abilities and accepts __proto__ as a model ID', () => {
  const marks = withModelMark(withModelMark({}, '__proto__', 'tools', true), '__proto__', 'thinking', false);
  expect(getDeclaredAbilities('__proto__', marks, undefined)).toEqual({ tools: true, thinking: false });
  expect(getDeclaredAbilities('other', marks, undefined)).toEqual({});
});
