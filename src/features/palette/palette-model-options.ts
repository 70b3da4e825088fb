import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { rankModels } from '../models/match-models.ts';
import type { PaletteOption } from './palette-option.ts';
import type { LaneTools } from './setting-options.ts';

const maxModels = 30;
/** Maximum number of matches without `@`. The best match is offered for every target, the other matches for one. */
const shortListSize = 6;

/**
 * Returns options for models that match the text after `@` (or, with fewer options, any other text): use in all lanes,
 * in one lane or in a new lane. Unlisted IDs can be used as typed.
 */
export function buildPaletteModelOptions(
  models: readonly ModelRecord[],
  typedText: string,
  { hasAtSign, recent }: { hasAtSign: boolean; recent: readonly string[] },
  tools: LaneTools,
): PaletteOption[] {
  const { lanes, namesHidden, changeSetups } = tools;
  const { query, targetIndex } = parseLaneSuffix(typedText, lanes.length);
  const matches = rankModels(
    // Text without `@` rarely means a model, so only IDs are matched, not abilities.
    models.map((model) => (hasAtSign ? { id: model.id, model } : { id: model.id })),
    query,
    recent,
  ).map(({ id }) => id);
  const typedIds = hasAtSign && query !== '' && !matches.includes(query) ? [query] : [];
  const offeredIds = [...matches.slice(0, hasAtSign ? maxModels : shortListSize), ...typedIds];
  const allIndices = lanes.map((_, index) => index);
  const createUseOption = (model: string, indices: readonly number[]): PaletteOption => {
    const targetLanes = indices.flatMap((index) => lanes[index] ?? []);
    const isAlreadySet = !namesHidden && targetLanes.every((lane) => lane.setup.model === model);
    const letters = indices.map(getLaneLetter);
    const targetText =
      lanes.length === 1
        ? ''
        : indices.length === lanes.length
          ? ' in all lanes'
          : ` in ${letters.join()} only`;
    return {
      id: `model ${model}${targetText}`,
      group: 'Models',
      icon: 'model',
      label: `Use ${model}${targetText}`,
      ...(isAlreadySet
        ? { disabledReason: 'In use' }
        : {
            currentValues: targetLanes.map((lane, laneIndex) => ({
              text: namesHidden
                ? 'hidden'
                : lane.setup.model === ''
                  ? 'no model'
                  : lane.setup.model.slice(lane.setup.model.lastIndexOf('/') + 1),
              letters: lanes.length === 1 ? [] : [letters[laneIndex] ?? ''],
            })),
          }),
      ...(model !== typedIds[0] || isAlreadySet ? {} : { note: 'exact ID as typed', currentValues: [] }),
      run: () => {
        changeSetups(
          targetLanes.map(({ id }) => id),
          (setup) => ({ ...setup, model }),
        );
        return `Now using ${model}${targetText}.`;
      },
    };
  };
  const createAddOptions = (model: string) =>
    lanes.length >= maxLanes ? [] : createAddLaneOptions(model, tools);
  if (targetIndex !== undefined) return offeredIds.map((model) => createUseOption(model, [targetIndex]));
  const [best, ...others] = offeredIds;
  if (best === undefined || lanes.length === 0) return [];
  const singleLaneOptions =
    hasAtSign && lanes.length > 1 ? allIndices.map((index) => createUseOption(best, [index])) : [];
  return [
    createUseOption(best, allIndices),
    ...singleLaneOptions,
    ...others.map((model) => createUseOption(model, allIndices)),
    ...(hasAtSign ? offeredIds.slice(0, shortListSize).flatMap(createAddOptions) : createAddOptions(best)),
  ];
}

/** Returns the option that adds a lane with this model. */
function createAddLaneOptions(model: string, { lanes, addLaneWith }: LaneTools): PaletteOption[] {
  if (lanes.length === 0) return [];
  const nextLetter = getLaneLetter(lanes.length);
  return [
    {
      id: `add ${model}`,
      group: 'Compare',
      icon: 'lane',
      label: `Add lane ${nextLetter} with ${model}`,
      note: `same setup as lane ${getLaneLetter(lanes.length - 1)}`,
      ...(lanes.length >= maxLanes ? { disabledReason: `Limit: ${maxLanes} lanes` } : {}),
      run: () => {
        addLaneWith((setup) => ({ ...setup, model }));
        return `Lane ${nextLetter} added with ${model}.`;
      },
    },
  ];
}

/**
 * Returns options for "add lane sampler" or "new lane with @north/one": a new lane with each matching model, or with
 * the ID as typed.
 */
export function buildLaneOptions(
  models: readonly ModelRecord[],
  typedText: string,
  recent: readonly string[],
  tools: LaneTools,
): PaletteOption[] {
  const match = /^(?:(?:add|new)\s+(?:a\s+)?(?:new\s+)?)?lane\s+(?:with\s+)?(@)?(\S.*)$/i.exec(typedText);
  const query = match?.[2]?.trim();
  if (query === undefined) return [];
  const matches = rankModels(
    models.map((model) => ({ id: model.id, model })),
    query,
    recent,
  ).map(({ id }) => id);
  const isId = match?.[1] !== undefined || query.includes('/');
  const typedIds = isId && !matches.includes(query) ? [query] : [];
  return [...matches.slice(0, shortListSize), ...typedIds].flatMap((model) =>
    createAddLaneOptions(model, tools),
  );
}

function parseLaneSuffix(typedText: string, count: number): { query: string; targetIndex?: number } {
  const [, query, letter] = /^(.*\S)\s+in\s+(?:lane\s+)?([a-f])$/i.exec(typedText.trim()) ?? [];
  if (query === undefined || letter === undefined) return { query: typedText.trim() };
  const index = letter.toLowerCase().charCodeAt(0) - 97;
  return index < count ? { query, targetIndex: index } : { query: typedText.trim() };
}
