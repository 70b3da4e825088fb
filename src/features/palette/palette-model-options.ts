import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Setup } from '../../conversation/session/types.ts';
import { withModelChoice } from '../../conversation/setup/model-key.ts';
import { rankModels } from '../models/match-models.ts';
import type { ModelOption } from '../models/picker-options.ts';
import type { PaletteOption } from './palette-option.ts';
import type { LaneTools } from './setting-options.ts';

const maxModels = 30;
/** Maximum number of matches without `@`. The best match is offered for every target, the other matches for one. */
const shortListSize = 6;

interface QueryKind {
  /** The text follows `@`, so it certainly means a model. */
  hasAtSign: boolean;
  /** Other text matches only whole parts of an ID, because it also matches a command. */
  isWholeWord?: boolean;
  /** Keys of recent models. */
  recent: readonly string[];
}

/**
 * Returns options for models that match the text after `@` (or, with fewer options, any other text): use in all lanes,
 * in one lane or in a new lane. Unlisted IDs can be used as typed.
 */
export function buildPaletteModelOptions(
  models: readonly ModelOption[],
  typedText: string,
  { hasAtSign, isWholeWord = false, recent }: QueryKind,
  tools: LaneTools,
): PaletteOption[] {
  const { lanes, namesHidden, changeSetups, getModelKey } = tools;
  const { query, targetIndex } = parseLaneSuffix(typedText, lanes.length);
  const matches = rankModels(
    // Text without `@` rarely means a model, so only starts of words in IDs are matched.
    hasAtSign ? models : models.filter((option) => matchesModelName(option, query, isWholeWord)),
    query,
    recent,
  ).map(toTarget);
  const typedTargets = hasAtSign ? listTypedTargets(matches, query) : [];
  const offeredTargets = [...matches.slice(0, hasAtSign ? maxModels : shortListSize), ...typedTargets];
  const allIndices = lanes.map((_, index) => index);
  const createUseOption = (target: ModelTarget, indices: readonly number[]): PaletteOption => {
    const targetLanes = indices.flatMap((index) => lanes[index] ?? []);
    const isAlreadySet =
      !namesHidden &&
      targetLanes.every(({ setup }) => getModelKey(setup) === getModelKey(target.edit(setup)));
    const letters = indices.map(getLaneLetter);
    const targetText =
      lanes.length === 1
        ? ''
        : indices.length === lanes.length
          ? ' in all lanes'
          : ` in ${letters.join()} only`;
    return {
      id: `model ${target.id}${targetText}`,
      group: 'Models',
      icon: 'model',
      label: `Use ${target.name}${targetText}`,
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
      ...(!target.isTyped || isAlreadySet ? {} : { note: 'exact ID as typed', currentValues: [] }),
      run: () => {
        changeSetups(
          targetLanes.map(({ id }) => id),
          target.edit,
        );
        return `Now using ${target.name}${targetText}.`;
      },
    };
  };
  const createAddOptions = (target: ModelTarget) =>
    lanes.length >= maxLanes ? [] : createAddLaneOptions(target, tools);
  if (targetIndex !== undefined)
    return offeredTargets.map((target) => createUseOption(target, [targetIndex]));
  const [best, ...others] = offeredTargets;
  if (best === undefined || lanes.length === 0) return [];
  const singleLaneOptions =
    hasAtSign && lanes.length > 1 ? allIndices.map((index) => createUseOption(best, [index])) : [];
  return [
    createUseOption(best, allIndices),
    ...singleLaneOptions,
    ...others.map((target) => createUseOption(target, allIndices)),
    ...(hasAtSign
      ? offeredTargets.slice(0, shortListSize).flatMap(createAddOptions)
      : createAddOptions(best)),
  ];
}

/** A model that an option offers. */
interface ModelTarget {
  id: string;
  /** Model ID, with the gateway if there are several. */
  name: string;
  /** True for the typed text as an ID. */
  isTyped?: true;
  /** Returns the setup with this model. */
  edit: (setup: Setup) => Setup;
}

function toTarget({ id, label, choice, group, headings }: ModelOption): ModelTarget {
  return {
    id,
    name: headings === undefined || group === undefined ? label : `${label} through ${group}`,
    edit: (setup) => withModelChoice(setup, choice),
  };
}

/** Returns the typed text as an ID of each lane's own gateway, unless it is an offered ID. */
function listTypedTargets(targets: readonly ModelTarget[], text: string): ModelTarget[] {
  if (text === '' || targets.some(({ id }) => id === text)) return [];
  return [{ id: text, name: text, isTyped: true, edit: (setup) => ({ ...setup, model: text }) }];
}

/** Returns the option that adds a lane with this model. */
function createAddLaneOptions(
  { id, name, edit }: ModelTarget,
  { lanes, addLaneWith }: LaneTools,
): PaletteOption[] {
  if (lanes.length === 0) return [];
  const nextLetter = getLaneLetter(lanes.length);
  return [
    {
      id: `add ${id}`,
      group: 'Compare',
      icon: 'lane',
      label: `Add lane ${nextLetter} with ${name}`,
      note: `same setup as lane ${getLaneLetter(lanes.length - 1)}`,
      ...(lanes.length >= maxLanes ? { disabledReason: `Limit: ${maxLanes} lanes` } : {}),
      run: () => {
        addLaneWith(edit);
        return `Lane ${nextLetter} added with ${name}.`;
      },
    },
  ];
}

/**
 * Returns options for "add lane sampler" or "new lane with @north/one": a new lane with each matching model, or with
 * the ID as typed.
 */
export function buildLaneOptions(
  models: readonly ModelOption[],
  typedText: string,
  recent: readonly string[],
  tools: LaneTools,
): PaletteOption[] {
  const match = /^(?:(?:add|new)\s+(?:a\s+)?(?:new\s+)?)?lane\s+(?:with\s+)?(@)?(\S.*)$/i.exec(typedText);
  const query = match?.[2]?.trim();
  if (query === undefined) return [];
  const matches = rankModels(models, query, recent).map(toTarget);
  const isId = match?.[1] !== undefined || query.includes('/');
  const typedTargets = isId ? listTypedTargets(matches, query) : [];
  return [...matches.slice(0, shortListSize), ...typedTargets].flatMap((target) =>
    createAddLaneOptions(target, tools),
  );
}

/** Returns true if every word of the query begins, or is, a part of the model ID or of the name of its gateway. */
function matchesModelName(
  { label, headings = [] }: ModelOption,
  query: string,
  isWholeWord: boolean,
): boolean {
  const joinParts = (text: string) => text.toLowerCase().replaceAll(/[-._: ]/g, '/');
  const names = [label, ...headings.map((heading) => `${heading}/${label}`)].map(
    (name) => `/${joinParts(name)}/`,
  );
  return query.split(/\s+/).every((word) => {
    const part = `/${joinParts(word)}${isWholeWord ? '/' : ''}`;
    return names.some((name) => name.includes(part));
  });
}

function parseLaneSuffix(typedText: string, count: number): { query: string; targetIndex?: number } {
  const [, query, letter] = /^(.*\S)\s+in\s+(?:lane\s+)?([a-f])$/i.exec(typedText.trim()) ?? [];
  if (query === undefined || letter === undefined) return { query: typedText.trim() };
  const index = letter.toLowerCase().charCodeAt(0) - 97;
  return index < count ? { query, targetIndex: index } : { query: typedText.trim() };
}
