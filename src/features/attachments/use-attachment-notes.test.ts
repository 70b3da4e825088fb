import { expect, it } from 'vitest';

import { listRejectedTypes } from '../../conversation/setup/model-marks.ts';
import { listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';
import { listStarters } from '../conversation/session-starters.ts';
import { pickDefaultModel } from '../models/use-default-model.ts';
import { findSuitableModel } from './use-attachment-notes.ts';

/** Creates a model list that counts how often its IDs are read. */
function createCountingModelList(length: number) {
  let readCount = 0;
  const models = Array.from({ length }, (_, index): ModelRecord => {
    const id = `owner/model-${index}`;
    const record: ModelRecord = { id, kind: 'unknown', abilities: {}, raw: {} };
    return Object.defineProperty(record, 'id', { enumerable: true, get: () => ((readCount += 1), id) });
  });
  return { models, getReadCount: () => readCount };
}

it('reads the IDs of a long model list only a few times if no model accepts images', () => {
  const length = 2000;
  const { models, getReadCount } = createCountingModelList(length);
  expect(findSuitableModel(models, {}, ['image_url'])).toBeUndefined();
  expect(pickDefaultModel(models)).toBe('owner/model-0');
  expect(listStarters(models, '')).not.toEqual([]);
  for (const record of listChatModels(models)) listRejectedTypes(record.id, {}, record);
  expect(getReadCount()).toBeLessThan(20 * length);
});
