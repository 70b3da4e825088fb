import type { ModelRecord } from '../../gateway/models/model-record.ts';
/** What runs have shown of models, since the specification tells nothing of a model's record (§2.8). Never a rule: only told. */
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { everyAbility, marksOf, type Abilities, type Ability, type ModelMarks } from './model-marks.ts';

/** seen: an answer showed it. refused: the gateway or the provider said that it cannot. */
export type Outcome = 'seen' | 'refused';

/** The run that showed it. */
export interface Sighting {
  sessionId: string;
  runId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Of one model, the newest sighting of each kind. */
export type LearnedOfModel = Partial<Record<Ability, Partial<Record<Outcome, Sighting>>>>;

/** `stored` maps model ids to what is stored of each, which is outside data. */
export function learnedOf(stored: unknown, model: string): LearnedOfModel {
  return readOfModel(getOwnProperty(stored, model));
}

/** One refusal may have had any cause: what was ever seen stays seen. Undefined: untried. */
export function outcomeOf(learned: LearnedOfModel, ability: Ability): Outcome | undefined {
  const found = learned[ability];
  return found?.seen ? 'seen' : found?.refused ? 'refused' : undefined;
}

/** What a model can do: a person's mark before what was seen, before its record. A refusal alone says nothing here. */
export function withLearned(model: ModelRecord, stored: unknown, marks: ModelMarks): Abilities {
  const own = learnedOf(stored, model.id);
  const seen: Abilities = {};
  for (const ability of everyAbility) if (own[ability]?.seen) seen[ability] = true;
  return { ...model.abilities, ...seen, ...marksOf(marks, model.id) };
}

function readOfModel(raw: unknown): LearnedOfModel {
  const found: LearnedOfModel = {};
  for (const ability of everyAbility) {
    const outcomes = getOwnProperty(raw, ability);
    for (const outcome of ['seen', 'refused'] as const) {
      const sighting = getOwnProperty(outcomes, outcome);
      const sessionId = getStringProperty(sighting, 'sessionId');
      const runId = getStringProperty(sighting, 'runId');
      const at = getNumberProperty(sighting, 'at');
      if (sessionId === undefined || runId === undefined || at === undefined) continue;
      found[ability] = { ...found[ability], [outcome]: { sessionId, runId, at } };
    }
  }
  return found;
}
