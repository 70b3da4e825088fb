import { useEffect, useMemo, useState } from 'react';

import { describeImageRouting, type LaneImageSupport } from '../../../conversation/request/image-routing.ts';
import {
  estimateDataUrlLength,
  findImageHashes,
  maxRequestBytes,
} from '../../../conversation/request/message-images.ts';
import type { DraftImage } from '../../../conversation/session/draft.ts';
import { getLaneLetter, getLanePath, getManualReply } from '../../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData } from '../../../conversation/session/types.ts';
import { getAbilities, getModelMarks, type ModelMarks } from '../../../conversation/setup/model-marks.ts';
import { listChatModels, type ModelRecord } from '../../../gateway/models/model-record.ts';
import { usePlayground, usePrefs, useSessionShallow } from '../../../state/use-playground.tsx';
import { useModels } from '../../models/use-models.ts';

const noMarks = {};
const noModels: readonly ModelRecord[] = [];
const noSizes: ReadonlyMap<string, number> = new Map();

/**
 * Which lanes the images go to, in words, and whether they are too much for one request; `blind`: lanes whose models
 * take none, `seer`: the first model that does.
 */
export function useImageNote(
  images: readonly DraftImage[],
  targets: readonly LaneId[],
  onTooLarge?: (reason: string | undefined) => void,
): { note: string; warning: string | undefined; blind: readonly LaneId[]; seer: string | undefined } {
  const marks = usePrefs((prefs) => prefs.modelMarks) ?? noMarks;
  const models = useModels().data?.models ?? noModels;
  const parts = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const sights = (parts?.session.laneIds ?? []).flatMap((laneId, index): LaneImageSupport[] => {
    const model = parts?.lanes[laneId]?.setup.model;
    if (model === undefined || !targets.includes(laneId)) return [];
    const letter = getLaneLetter(index);
    if (getAbilities(model, marks, models).vision !== false) return [{ letter }];
    return [{ letter, textOnly: getModelMarks(marks, model).vision === false ? 'marked' : 'listed' }];
  });
  const isBlind = (laneId: LaneId) => {
    const model = parts?.lanes[laneId]?.setup.model;
    return model !== undefined && getAbilities(model, marks, models).vision === false;
  };
  const earlier = useMemo(
    () =>
      parts && images.length > 0 ? targets.map((laneId) => hashesInLane({ ...parts, runs: {} }, laneId)) : [],
    [parts, images.length, targets],
  );
  const sizes = useStoredSizes([...new Set(earlier.flat())].join(' '));
  const own = images.reduce(
    (sum, image) => sum + (image.bytes === undefined ? image.url.length : estimateDataUrlLength(image.bytes)),
    0,
  );
  const largest = Math.max(
    0,
    // Lanes without vision get the text alone.
    ...earlier.map((hashes, index) =>
      isBlind(targets[index] ?? '')
        ? 0
        : hashes.reduce((sum, hash) => sum + estimateDataUrlLength(sizes.get(hash) ?? 0), own),
    ),
  );
  const warning = largest > maxRequestBytes ? tooLargeSentence(largest, largest > own) : undefined;
  const hasImages = images.length > 0;
  const seer = useMemo(
    () => (hasImages ? findSeeingModel(models, marks) : undefined),
    [hasImages, models, marks],
  );
  useEffect(() => onTooLarge?.(warning), [onTooLarge, warning]);
  return {
    note: images.length === 0 ? '' : describeImageRouting(sights, images.length),
    warning,
    blind: images.length === 0 ? [] : targets.filter(isBlind),
    seer,
  };
}

/** Returns the first chat model that takes images. */
export function findSeeingModel(models: readonly ModelRecord[], marks: ModelMarks): string | undefined {
  return listChatModels(models).find(({ id }) => getAbilities(id, marks, models).vision === true)?.id;
}

function tooLargeSentence(bytes: number, hasEarlier: boolean): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const all = hasEarlier ? 'With earlier images, the request' : 'The request';
  return `${all} would be about ${size}; the limit is 20 MB. Scale images down, or remove some.`;
}

/** Hashes of the images that are sent again with each request of the lane, as often as they stand there. */
function hashesInLane(data: SessionData, laneId: LaneId): string[] {
  const lane = data.lanes[laneId];
  return (lane ? getLanePath(data, lane) : []).flatMap((turn) => {
    const messages = data.prompts[turn.promptId]?.messages ?? [];
    const written = getManualReply(turn);
    return findImageHashes(written ? [...messages, written] : messages);
  });
}

/** Bytes of these stored images, by hash; the hashes in one text, with spaces between. */
function useStoredSizes(hashes: string): ReadonlyMap<string, number> {
  const { images } = usePlayground();
  const [sizes, setSizes] = useState(noSizes);
  useEffect(() => {
    if (hashes === '') return;
    let isCurrent = true;
    const read = async () => {
      const found = await Promise.all(
        hashes.split(' ').map(async (hash) => [hash, (await images.read(hash))?.size ?? 0] as const),
      );
      if (isCurrent) setSizes(new Map(found));
    };
    // Without their sizes the note counts what it knows.
    read().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [images, hashes]);
  return sizes;
}
