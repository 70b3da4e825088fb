import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { matchingModels } from '../models/match-models.ts';
import type { PaletteOption } from './palette-option.ts';
import type { LaneTools } from './setting-options.ts';

const mostModels = 30;
/** The best match is offered in every way, the others in one. */
const shownFew = 6;

/**
 * Models that match what was typed after `@` (or as a part of other words, then few of them): in all lanes, in each
 * lane, in a new lane. An ID that is not listed can be used as it was typed.
 */
export function modelOptions(
  models: readonly ModelRecord[],
  typed: string,
  { isAsked, recent }: { isAsked: boolean; recent: readonly string[] },
  tools: LaneTools,
): PaletteOption[] {
  const { lanes, namesHidden, changeSetups } = tools;
  const { query, letter } = withoutLane(typed, lanes.length);
  const found = matchingModels(
    // Of other words few are meant for models: there only an ID is found, not what it can do.
    models.map((model) => (isAsked ? { id: model.id, model } : { id: model.id })),
    query,
    recent,
  ).map(({ id }) => id);
  const typedIn = isAsked && query !== '' && !found.includes(query) ? [query] : [];
  const offered = [...found.slice(0, isAsked ? mostModels : shownFew), ...typedIn];
  const everyIndex = lanes.map((_, index) => index);
  const using = (model: string, indices: readonly number[]): PaletteOption => {
    const places = indices.flatMap((index) => lanes[index] ?? []);
    const isSo = !namesHidden && places.every((lane) => lane.setup.model === model);
    const letters = indices.map(getLaneLetter);
    const where =
      lanes.length === 1
        ? ''
        : indices.length === lanes.length
          ? ' in all lanes'
          : ` in ${letters.join()} only`;
    return {
      id: `model ${model}${where}`,
      group: 'Models',
      icon: 'model',
      words: `Use ${model}${where}`,
      ...(isSo
        ? { blockedBy: 'In use' }
        : {
            now: places.map((lane, place) => ({
              text: namesHidden
                ? 'hidden'
                : lane.setup.model === ''
                  ? 'no model'
                  : lane.setup.model.slice(lane.setup.model.lastIndexOf('/') + 1),
              letters: lanes.length === 1 ? [] : [letters[place] ?? ''],
            })),
          }),
      ...(model !== typedIn[0] || isSo ? {} : { note: 'use this exact ID', now: [] }),
      run: () => {
        changeSetups(
          places.map(({ id }) => id),
          (setup) => ({ ...setup, model }),
        );
        return `${model} is used${where}.`;
      },
    };
  };
  const add = (model: string) => (lanes.length >= maxLanes ? [] : addOption(model, tools));
  if (letter !== undefined) return offered.map((model) => using(model, [letter]));
  const [best, ...others] = offered;
  if (best === undefined || lanes.length === 0) return [];
  const singles = isAsked && lanes.length > 1 ? everyIndex.map((index) => using(best, [index])) : [];
  return [
    using(best, everyIndex),
    ...singles,
    ...others.map((model) => using(model, everyIndex)),
    ...(isAsked ? offered.slice(0, shownFew).flatMap(add) : add(best)),
  ];
}

/** The new lane with this model. */
function addOption(model: string, { lanes, addLaneWith }: LaneTools): PaletteOption[] {
  if (lanes.length === 0) return [];
  const next = getLaneLetter(lanes.length);
  return [
    {
      id: `add ${model}`,
      group: 'Compare',
      icon: 'lane',
      words: `Add lane ${next} with ${model}`,
      note: `same setup as lane ${getLaneLetter(lanes.length - 1)}`,
      ...(lanes.length >= maxLanes ? { blockedBy: `Limit: ${maxLanes} lanes` } : {}),
      run: () => {
        addLaneWith((setup) => ({ ...setup, model }));
        return `Lane ${next} added with ${model}.`;
      },
    },
  ];
}

/** "add lane sampler", "new lane with @north/one": a new lane with each model that matches, or with the ID as typed. */
export function laneOptions(
  models: readonly ModelRecord[],
  typed: string,
  recent: readonly string[],
  tools: LaneTools,
): PaletteOption[] {
  const asked = /^(?:(?:add|new)\s+(?:a\s+)?(?:new\s+)?)?lane\s+(?:with\s+)?(@)?(\S.*)$/i.exec(typed);
  const query = asked?.[2]?.trim();
  if (query === undefined) return [];
  const found = matchingModels(
    models.map((model) => ({ id: model.id, model })),
    query,
    recent,
  ).map(({ id }) => id);
  const isId = asked?.[1] !== undefined || query.includes('/');
  const typedIn = isId && !found.includes(query) ? [query] : [];
  return [...found.slice(0, shownFew), ...typedIn].flatMap((model) => addOption(model, tools));
}

function withoutLane(typed: string, count: number): { query: string; letter?: number } {
  const [, query, letter] = /^(.*\S)\s+in\s+(?:lane\s+)?([a-f])$/i.exec(typed.trim()) ?? [];
  if (query === undefined || letter === undefined) return { query: typed.trim() };
  const index = letter.toLowerCase().charCodeAt(0) - 97;
  return index < count ? { query, letter: index } : { query: typed.trim() };
}
