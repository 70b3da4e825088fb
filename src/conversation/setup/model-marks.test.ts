import { expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { getAbilities, isTextOnly, withModelMark } from './model-marks.ts';

const sees: ModelRecord = { id: 'a/sees', kind: 'chat', abilities: { vision: true }, raw: {} };
const reads: ModelRecord = { id: 'a/reads', kind: 'chat', abilities: { vision: false }, raw: {} };
const models = [sees, reads];

it('a model is text-only by its record, and an unknown one is not', () => {
  expect([sees.id, reads.id, 'a/new', 'constructor'].map((id) => isTextOnly(id, {}, models))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

it("a person's mark outranks the record, in both directions, until it is taken back", () => {
  const marked = withModelMark(withModelMark({}, sees.id, 'vision', false), reads.id, 'vision', true);
  expect([sees.id, reads.id].map((id) => isTextOnly(id, marked, models))).toEqual([true, false]);
  const back = withModelMark(marked, sees.id, 'vision', undefined);
  expect(isTextOnly(sees.id, back, models)).toBe(false);
  expect(Object.keys(back)).toEqual([reads.id]);
});

it('marks of one ability leave the others alone, and names of prototypes are names like others', () => {
  const marks = withModelMark(withModelMark({}, '__proto__', 'tools', true), '__proto__', 'thinking', false);
  expect(getAbilities('__proto__', marks, [])).toEqual({ tools: true, thinking: false });
  expect(getAbilities('other', marks, [])).toEqual({});
});
