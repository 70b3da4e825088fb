import { expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { getDeclaredAbilities, isTextOnly, withModelMark } from './model-marks.ts';

const visionModel: ModelRecord = { id: 'a/sees', kind: 'chat', abilities: { vision: true }, raw: {} };
const textModel: ModelRecord = { id: 'a/reads', kind: 'chat', abilities: { vision: false }, raw: {} };
const models = [visionModel, textModel];

it('a model is text-only by its record, and an unknown one is not', () => {
  expect(
    [visionModel.id, textModel.id, 'a/new', 'constructor'].map((id) => isTextOnly(id, {}, models)),
  ).toEqual([false, true, false, false]);
});

it("a person's mark outranks the record, in both directions, until it is taken back", () => {
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

it('marks of one ability leave the others alone, and names of prototypes are names like others', () => {
  const marks = withModelMark(withModelMark({}, '__proto__', 'tools', true), '__proto__', 'thinking', false);
  expect(getDeclaredAbilities('__proto__', marks, [])).toEqual({ tools: true, thinking: false });
  expect(getDeclaredAbilities('other', marks, [])).toEqual({});
});
