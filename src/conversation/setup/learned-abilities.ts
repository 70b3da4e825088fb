/**
 * Abilities learned from runs, because the API does not specify the contents of a model's record (§2.8). For
 * information only; nothing is enforced.
 */
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { allAbilities, getModelMarks, type Abilities, type Ability, type ModelMarks } from './model-marks.ts';

/**
 * Outcome of a run. `seen`: an answer proved the ability. `refused`: the gateway or provider reported that it is
 * missing.
 */
export type AbilityOutcome = 'seen' | 'refused';

/** Run that provided the evidence. */
export interface Sighting {
  sessionId: string;
  runId: string;
  /** Time in epoch ms. */
  at: number;
}

/** Newest sighting of each kind for one model. */
export type LearnedAbilities = Partial<Record<Ability, Partial<Record<AbilityOutcome, Sighting>>>>;

/** Reads the learned abilities of a model. `storedAbilities` maps model keys to untrusted stored values. */
export function readLearnedAbilities(storedAbilities: unknown, key: string): LearnedAbilities {
  return readModelAbilities(getOwnProperty(storedAbilities, key));
}

/**
 * Returns `seen` if the ability was ever observed, since a single refusal may have other causes; `undefined` if
 * untested.
 */
export function getAbilityOutcome(
  learnedAbilities: LearnedAbilities,
  ability: Ability,
): AbilityOutcome | undefined {
  const sightings = learnedAbilities[ability];
  return sightings?.seen ? 'seen' : sightings?.refused ? 'refused' : undefined;
}

/**
 * Merges the abilities of a model: user marks take precedence over observations, and observations over the model
 * record. A refusal alone has no effect here.
 */
export function mergeAbilities(
  model: ModelRecord,
  key: string,
  storedAbilities: unknown,
  marks: ModelMarks,
): Abilities {
  const learnedAbilities = readLearnedAbilities(storedAbilities, key);
  const seenAbilities: Abilities = {};
  for (const ability of allAbilities) if (learnedAbilities[ability]?.seen) seenAbilities[ability] = true;
  return { ...model.abilities, ...seenAbilities, ...getModelMarks(marks, key) };
}

function readModelAbilities(raw: unknown): LearnedAbilities {
  const abilities: LearnedAbilities = {};
  for (const ability of allAbilities) {
    const outcomes = getOwnProperty(raw, ability);
    for (const outcome of ['seen', 'refused'] as const) {
      const sighting = getOwnProperty(outcomes, outcome);
      const sessionId = getStringProperty(sighting, 'sessionId');
      const runId = getStringProperty(sighting, 'runId');
      const at = getNumberProperty(sighting, 'at');
      if (sessionId === undefined || runId === undefined || at === undefined) continue;
      abilities[ability] = { ...abilities[ability], [outcome]: { sessionId, runId, at } };
    }
  }
  return abilities;
}
