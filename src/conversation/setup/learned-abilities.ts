import type { ModelRecord } from '../../gateway/models/model-record.ts';
/** What runs have shown of models, since the specification tells nothing of a model's record (§2.8). Never a rule: only told. */
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { allAbilities, getModelMarks, type Abilities, type Ability, type ModelMarks } from './model-marks.ts';

/** seen: an answer showed it. refused: the gateway or the provider said that it cannot. */
export type AbilityOutcome = 'seen' | 'refused';

/** The run that showed it. */
export interface Sighting {
  sessionId: string;
  runId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Of one model, the newest sighting of each kind. */
export type LearnedAbilities = Partial<Record<Ability, Partial<Record<AbilityOutcome, Sighting>>>>;

/** `storedAbilities` maps model ids to what is stored of each, which is outside data. */
export function readLearnedAbilities(storedAbilities: unknown, model: string): LearnedAbilities {
  return readModelAbilities(getOwnProperty(storedAbilities, model));
}

/** One refusal may have had any cause: what was ever seen stays seen. Undefined: untried. */
export function getAbilityOutcome(
  learnedAbilities: LearnedAbilities,
  ability: Ability,
): AbilityOutcome | undefined {
  const sightings = learnedAbilities[ability];
  return sightings?.seen ? 'seen' : sightings?.refused ? 'refused' : undefined;
}

/** What a model can do: a person's mark before what was seen, before its record. A refusal alone says nothing here. */
export function mergeAbilities(model: ModelRecord, storedAbilities: unknown, marks: ModelMarks): Abilities {
  const learnedAbilities = readLearnedAbilities(storedAbilities, model.id);
  const seenAbilities: Abilities = {};
  for (const ability of allAbilities) if (learnedAbilities[ability]?.seen) seenAbilities[ability] = true;
  return { ...model.abilities, ...seenAbilities, ...getModelMarks(marks, model.id) };
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
