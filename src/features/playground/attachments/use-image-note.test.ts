import { expect, it } from 'vitest';

import { isTextOnly } from '../../../conversation/setup/model-marks.ts';
import { listChatModels, type ModelRecord } from '../../../gateway/models/model-record.ts';
import { firstModelOf } from '../../models/use-default-model.ts';
import { startersFor } from '../conversation/session-starters.ts';
import { findSeeingModel } from './use-image-note.ts';

/** A list whose ids count how often they are read. */
function aCountingList(length: number) {
  let reads = 0;
  const models = Array.from({ length }, (_, index): ModelRecord => {
    const id = `owner/model-${index}`;
    const record: ModelRecord = { id, kind: 'unknown', abilities: {}, raw: {} };
    return Object.defineProperty(record, 'id', { enumerable: true, get: () => ((reads += 1), id) });
  });
  return { models, reads: () => reads };
}

it('reads the ids of a long list a few times, where nothing in it takes images', () => {
  const length = 2000;
  const { models, reads } = aCountingList(length);
  expect(findSeeingModel(models, {})).toBeUndefined();
  expect(firstModelOf(models)).toBe('owner/model-0');
  expect(startersFor(models, '')).not.toEqual([]);
  for (const { id } of listChatModels(models)) isTextOnly(id, {}, models);
  expect(reads()).toBeLessThan(20 * length);
});
