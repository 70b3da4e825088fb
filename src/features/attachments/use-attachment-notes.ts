import { useEffect, useMemo, useState } from 'react';

import { describeMediaRouting, type LaneMediaSupport } from '../../conversation/request/media-routing.ts';
import { isTextFile, type FilePart } from '../../conversation/request/message-files.ts';
import {
  estimateDataUrlLength,
  getMediaSource,
  listMedia,
  maxRequestBytes,
  mediaTypes,
  parseImageHash,
  type MediaPart,
  type MediaType,
} from '../../conversation/request/message-images.ts';
import { getContentText } from '../../conversation/request/request.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { getLaneLetter, getLanePath, getManualReply } from '../../conversation/session/turn-tree.ts';
import type { LaneId, ModelChoice, SessionData } from '../../conversation/session/types.ts';
import {
  getDeclaredAbilities,
  getModelMarks,
  mediaAbilities,
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

interface Attachments {
  images: readonly DraftImage[];
  files?: readonly FilePart[];
}

interface AttachmentNotes {
  /** Returns which lanes receive attachments of this type; empty if that is obvious. */
  getNote: (type: MediaType) => string;
  /** Reason why the request would be too large. */
  warning: string | undefined;
  /** Lanes whose models reject some attachments, with the types. */
  rejections: readonly { laneId: LaneId; types: readonly MediaType[] }[];
  /** First model of the gateway of the first of these lanes that accepts all attachments. */
  suitableModel: ModelChoice | undefined;
}

/** Describes which lanes receive the attachments and whether these exceed the size limit of one request. */
export function useAttachmentNotes(
  { images, files = [] }: Attachments,
  targets: readonly LaneId[],
  onTooLarge?: (reason: string | undefined) => void,
  /** Size of the message's text and text files in the request. */
  textBytes = 0,
): AttachmentNotes {
  const marks = usePrefs((prefs) => prefs.modelMarks) ?? noMarks;
  const { getKey } = useAppServices().learnedModels;
  const findListedModel = useFindModel();
  const sessionData = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const mediaFiles = files.flatMap((file) => (isTextFile(file) ? [] : [file]));
  const attachedTypes = mediaTypes.filter((type) =>
    type === 'image_url' ? images.length > 0 : mediaFiles.some((file) => file.type === type),
  );
  const getSupport = (laneId: LaneId, type: MediaType): boolean | undefined => {
    const setup = sessionData?.lanes[laneId]?.setup;
    return setup && getDeclaredAbilities(getKey(setup), marks, findListedModel(setup))[mediaAbilities[type]];
  };
  const getNote = (type: MediaType) => {
    const lanes = (sessionData?.session.laneIds ?? []).flatMap((laneId, index): LaneMediaSupport[] => {
      const setup = sessionData?.lanes[laneId]?.setup;
      if (setup === undefined || !targets.includes(laneId)) return [];
      const letter = getLaneLetter(index);
      const isConfirmed = getSupport(laneId, type);
      if (isConfirmed !== false) return [{ letter, isConfirmed: isConfirmed === true }];
      const isMarked = getModelMarks(marks, getKey(setup))[mediaAbilities[type]] === false;
      return [{ letter, rejectedBy: isMarked ? 'marked' : 'listed' }];
    });
    return describeMediaRouting(lanes, type, type === 'image_url' ? images.length : 1);
  };
  const rejections = targets.flatMap((laneId) => {
    const types = attachedTypes.filter((type) => getSupport(laneId, type) === false);
    return types.length === 0 ? [] : [{ laneId, types }];
  });
  const gateway = sessionData?.lanes[rejections[0]?.laneId ?? '']?.setup.gateway;
  const models = useModels(gateway).data?.models ?? noModels;
  const shouldEstimate = attachedTypes.length > 0 || textBytes > minEstimatedBytes;
  const earlierContents = useMemo(
    () =>
      sessionData && shouldEstimate
        ? targets.map((laneId) => readEarlierContent({ ...sessionData, runs: {} }, laneId))
        : [],
    [sessionData, shouldEstimate, targets],
  );
  const sizes = useStoredSizes(
    listHashes([...mediaFiles, ...earlierContents.flatMap(({ media }) => media)]).join(' '),
  );
  const imageBytes = images.reduce(
    (sum, image) => sum + (image.bytes === undefined ? image.url.length : estimateDataUrlLength(image.bytes)),
    0,
  );
  /** Returns the size of the parts in a request to this lane, without those that its model rejects. */
  const measureMedia = (laneId: LaneId | undefined, media: readonly MediaPart[]) =>
    media.reduce((sum, part) => {
      if (laneId !== undefined && getSupport(laneId, part.type) === false) return sum;
      const source = getMediaSource(part);
      const hash = parseImageHash(source);
      return sum + (hash === undefined ? source.length : estimateDataUrlLength(sizes.get(hash) ?? 0));
    }, 0);
  const largestBytes = Math.max(
    0,
    ...earlierContents.map((earlier, index) => {
      const laneId = targets[index];
      const hasVision = laneId === undefined || getSupport(laneId, 'image_url') !== false;
      const mediaBytes = measureMedia(laneId, [...mediaFiles, ...earlier.media]);
      return textBytes + earlier.textBytes + mediaBytes + (hasVision ? imageBytes : 0);
    }),
  );
  const attachedBytes = textBytes + imageBytes + measureMedia(undefined, mediaFiles);
  const warning =
    largestBytes > maxRequestBytes
      ? describeTooLargeRequest(largestBytes, largestBytes > attachedBytes, {
          hasImages: images.length > 0,
          hasFiles: mediaFiles.length > 0,
        })
      : undefined;
  const typeList = attachedTypes.join(' ');
  const suitableModel = useMemo(
    () => (typeList === '' ? undefined : findSuitableModel(models, marks, typeList.split(' '))),
    [typeList, models, marks],
  );
  useEffect(() => onTooLarge?.(warning), [onTooLarge, warning]);
  return {
    getNote,
    warning,
    rejections,
    suitableModel:
      suitableModel === undefined
        ? undefined
        : { model: suitableModel, ...(gateway === undefined ? {} : { gateway }) },
  };
}

/** Returns the first chat model that accepts parts of all these types. */
export function findSuitableModel(
  models: readonly ModelRecord[],
  marks: ModelMarks,
  types: readonly string[],
): string | undefined {
  const abilities = mediaTypes.filter((type) => types.includes(type)).map((type) => mediaAbilities[type]);
  return listChatModels(models).find((record) => {
    const declaredAbilities = getDeclaredAbilities(record.id, marks, record);
    return abilities.every((ability) => declaredAbilities[ability] === true);
  })?.id;
}

function describeTooLargeRequest(
  bytes: number,
  hasEarlierContent: boolean,
  { hasImages, hasFiles }: { hasImages: boolean; hasFiles: boolean },
): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const subject = hasEarlierContent ? 'With earlier messages, the request' : 'The request';
  const advice = hasImages
    ? `Scale down or remove images${hasFiles ? ', or remove files' : ''}.`
    : 'Remove files.';
  return `${subject} would be about ${size}. The limit is 20 MB. ${advice}`;
}

/** Returns the size of a text in the body of a request. */
export function countJsonBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/**
 * Returns what each request of the lane sends again: the size of its prompts, and its images, documents and sounds with
 * repetitions.
 */
function readEarlierContent(data: SessionData, laneId: LaneId): { media: MediaPart[]; textBytes: number } {
  const lane = data.lanes[laneId];
  const messages = (lane ? getLanePath(data, lane) : []).flatMap((turn) => {
    const promptMessages = data.prompts[turn.promptId]?.messages ?? [];
    const manualReply = getManualReply(turn);
    return manualReply ? [...promptMessages, manualReply] : promptMessages;
  });
  return {
    media: listMedia(messages),
    textBytes: messages.reduce((sum, { content }) => sum + countJsonBytes(getContentText(content)), 0),
  };
}

function listHashes(media: readonly MediaPart[]): string[] {
  return [...new Set(media.flatMap((part) => parseImageHash(getMediaSource(part)) ?? []))];
}

/** Returns the size in bytes of stored images and files by hash; `hashes` is a space-separated list. */
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
