import { useEffect, useMemo, useState } from 'react';

import { describeImageRouting, type LaneImageSupport } from '../../conversation/request/image-routing.ts';
import {
  estimateDataUrlLength,
  findImageHashes,
  maxRequestBytes,
} from '../../conversation/request/message-images.ts';
import { getContentText } from '../../conversation/request/request.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { getLaneLetter, getLanePath, getManualReply } from '../../conversation/session/turn-tree.ts';
import type { LaneId, ModelChoice, SessionData } from '../../conversation/session/types.ts';
import {
  getDeclaredAbilities,
  getModelMarks,
  type ModelMarks,
} from '../../conversation/setup/model-marks.ts';
import { listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';
import { useAppServices, usePrefs, useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { useFindModel } from '../models/use-model-lists.ts';
import { useModels } from '../models/use-models.ts';

const noMarks = {};
const noModels: readonly ModelRecord[] = [];
/** Size from which a text can make the request too large, with room for the conversation. */
const minEstimatedBytes = maxRequestBytes / 10;
const noSizes: ReadonlyMap<string, number> = new Map();

/**
 * Describes which lanes receive the images and whether the attachments exceed the size limit of one request. `lanesWithoutVision` are the
 * lanes whose models reject images; `visionModel` is the first model of the gateway of the first of them that accepts
 * images.
 */
export function useImageNote(
  images: readonly DraftImage[],
  targets: readonly LaneId[],
  onTooLarge?: (reason: string | undefined) => void,
  /** Size of the message's text and files in the request. */
  textBytes = 0,
): {
  note: string;
  warning: string | undefined;
  lanesWithoutVision: readonly LaneId[];
  visionModel: ModelChoice | undefined;
} {
  const marks = usePrefs((prefs) => prefs.modelMarks) ?? noMarks;
  const { getKey } = useAppServices().learnedModels;
  const findListedModel = useFindModel();
  const sessionData = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const lacksVision = (laneId: LaneId) => {
    const setup = sessionData?.lanes[laneId]?.setup;
    return (
      setup !== undefined &&
      getDeclaredAbilities(getKey(setup), marks, findListedModel(setup)).vision === false
    );
  };
  const imageSupport = (sessionData?.session.laneIds ?? []).flatMap((laneId, index): LaneImageSupport[] => {
    const setup = sessionData?.lanes[laneId]?.setup;
    if (setup === undefined || !targets.includes(laneId)) return [];
    const letter = getLaneLetter(index);
    if (!lacksVision(laneId)) return [{ letter }];
    return [
      { letter, textOnlyReason: getModelMarks(marks, getKey(setup)).vision === false ? 'marked' : 'listed' },
    ];
  });
  const lanesWithoutVision = images.length === 0 ? [] : targets.filter(lacksVision);
  const gateway = sessionData?.lanes[lanesWithoutVision[0] ?? '']?.setup.gateway;
  const models = useModels(gateway).data?.models ?? noModels;
  const shouldEstimate = images.length > 0 || textBytes > minEstimatedBytes;
  const earlierContents = useMemo(
    () =>
      sessionData && shouldEstimate
        ? targets.map((laneId) => readEarlierContent({ ...sessionData, runs: {} }, laneId))
        : [],
    [sessionData, shouldEstimate, targets],
  );
  const sizes = useStoredSizes([...new Set(earlierContents.flatMap(({ hashes }) => hashes))].join(' '));
  const imageBytes = images.reduce(
    (sum, image) => sum + (image.bytes === undefined ? image.url.length : estimateDataUrlLength(image.bytes)),
    0,
  );
  const largestBytes = Math.max(
    0,
    ...earlierContents.map((earlier, index) => {
      const allTextBytes = textBytes + earlier.textBytes;
      // Lanes without vision receive only the text.
      return lacksVision(targets[index] ?? '')
        ? allTextBytes
        : earlier.hashes.reduce(
            (sum, hash) => sum + estimateDataUrlLength(sizes.get(hash) ?? 0),
            allTextBytes + imageBytes,
          );
    }),
  );
  const warning =
    largestBytes > maxRequestBytes
      ? describeTooLargeRequest(largestBytes, largestBytes > imageBytes + textBytes, images.length > 0)
      : undefined;
  const hasImages = images.length > 0;
  const visionModel = useMemo(
    () => (hasImages ? findVisionModel(models, marks) : undefined),
    [hasImages, models, marks],
  );
  useEffect(() => onTooLarge?.(warning), [onTooLarge, warning]);
  return {
    note: images.length === 0 ? '' : describeImageRouting(imageSupport, images.length),
    warning,
    lanesWithoutVision,
    visionModel:
      visionModel === undefined
        ? undefined
        : { model: visionModel, ...(gateway === undefined ? {} : { gateway }) },
  };
}

/** Returns the first chat model that accepts images. */
export function findVisionModel(models: readonly ModelRecord[], marks: ModelMarks): string | undefined {
  return listChatModels(models).find(
    (record) => getDeclaredAbilities(record.id, marks, record).vision === true,
  )?.id;
}

function describeTooLargeRequest(bytes: number, hasEarlierContent: boolean, hasImages: boolean): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const subject = hasEarlierContent ? 'With earlier messages, the request' : 'The request';
  const advice = hasImages ? 'Scale down or remove images.' : 'Remove files.';
  return `${subject} would be about ${size}. The limit is 20 MB. ${advice}`;
}

/** Returns the size of a text in the body of a request. */
export function countJsonBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/**
 * Returns what each request of the lane sends again: the size of its prompts, and the hashes of its images with
 * repetitions.
 */
function readEarlierContent(data: SessionData, laneId: LaneId): { hashes: string[]; textBytes: number } {
  const lane = data.lanes[laneId];
  const messages = (lane ? getLanePath(data, lane) : []).flatMap((turn) => {
    const promptMessages = data.prompts[turn.promptId]?.messages ?? [];
    const manualReply = getManualReply(turn);
    return manualReply ? [...promptMessages, manualReply] : promptMessages;
  });
  return {
    hashes: messages.flatMap((message) => findImageHashes([message])),
    textBytes: messages.reduce((sum, { content }) => sum + countJsonBytes(getContentText(content)), 0),
  };
}

/** Returns the size in bytes of stored images by hash; `hashes` is a space-separated list. */
function useStoredSizes(hashes: string): ReadonlyMap<string, number> {
  const { images } = useSessionServices();
  const [sizes, setSizes] = useState(noSizes);
  useEffect(() => {
    if (hashes === '') return;
    let isCurrent = true;
    const readSizes = async () => {
      const entries = await Promise.all(
        hashes.split(' ').map(async (hash) => [hash, (await images.read(hash))?.size ?? 0] as const),
      );
      if (isCurrent) setSizes(new Map(entries));
    };
    // If the sizes cannot be read, the note counts only the known ones.
    readSizes().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [images, hashes]);
  return sizes;
}
