/** What an edit changed in a setup: in words where it made lanes alike, and to be given back alone. */
import { pluralize } from '../../lib/format.ts';
import type { Setup } from '../session/types.ts';
import { paramRow, PARAMS, type ParamName, type Params } from './params.ts';
import { withSystemRole } from './setup.ts';

export type SetupField = 'model' | 'system' | ParamName;

/** A lane before and after an edit. */
export interface LaneEdit {
  before: Setup;
  after: Setup;
}

const setupFields: readonly SetupField[] = ['model', 'system', ...PARAMS.map(({ name }) => name)];

/** As the next request has it; undefined stands for not sent. */
function textOfField(setup: Setup, field: SetupField): string | undefined {
  if (field === 'model' || field === 'system') return setup[field];
  const setting = setup.params[field];
  return setting?.sent ? setting.text : undefined;
}

/** The fields that the next request has differently in one of these lanes at least. */
export function changedFields(lanes: readonly LaneEdit[]): SetupField[] {
  return setupFields.filter((field) =>
    lanes.some(({ before, after }) => textOfField(before, field) !== textOfField(after, field)),
  );
}

/** The setup with what this edit changed given back; what was changed again since stays. The same object where nothing is left to give back. */
export function givenBack(setup: Setup, { before, after }: LaneEdit): Setup {
  return setupFields
    .filter((field) => !isSameIn(before, after, field) && isSameIn(setup, after, field))
    .reduce((next, field) => withFieldOf(next, before, field), setup);
}

/** Also what is remembered of a field while it is not sent. */
function isSameIn(one: Setup, other: Setup, field: SetupField): boolean {
  if (field === 'system') return one.system === other.system && one.systemRole === other.systemRole;
  if (field === 'model') return one.model === other.model;
  const [first, second] = [one.params[field], other.params[field]];
  return first?.sent === second?.sent && first?.text === second?.text;
}

function withFieldOf(setup: Setup, source: Setup, field: SetupField): Setup {
  if (field === 'model') return { ...setup, model: source.model };
  if (field === 'system') return withSystemRole({ ...setup, system: source.system }, source.systemRole);
  const { [field]: _, ...others } = setup.params;
  const setting = source.params[field];
  const params: Params = setting ? { ...others, [field]: setting } : others;
  return { ...setup, params };
}

/** Typed or stepped, so that many small edits are one in the mind of who makes them. */
export function isTyped(field: SetupField): boolean {
  if (field === 'model' || field === 'system') return field === 'system';
  const { type } = paramRow(field).control;
  return type !== 'switch' && type !== 'tool-choice' && type !== 'words' && type !== 'constant';
}

/**
 * `temperature is 0.3 in 2 lanes. It was A 0.2, B 1.6.` for an edit that made alike what was not; undefined for any
 * other.
 */
export function levellingSentence(
  lanes: readonly (LaneEdit & { letter: string })[],
  namesHidden: boolean,
): string | undefined {
  const isAlike = (side: keyof LaneEdit, field: SetupField) =>
    new Set(lanes.map((lane) => textOfField(lane[side], field))).size <= 1;
  const levelled = setupFields.filter((field) => isAlike('after', field) && !isAlike('before', field));
  const [field] = levelled;
  const [first] = lanes;
  if (field === undefined || !first) return undefined;
  const more = levelled.length === 1 ? '' : ` ${pluralize(levelled.length - 1, 'more field')} made the same.`;
  const where = `in ${pluralize(lanes.length, 'lane')}.`;
  if (field === 'model' && namesHidden) return `The model is the same ${where}${more}`;
  const was = lanes.map(({ letter, before }) => `${letter} ${shortWords(before, field)}`).join(', ');
  const name = field === 'system' ? 'The system prompt' : field;
  return `${name} is ${shortWords(first.after, field)} ${where} It was ${was}.${more}`;
}

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
const longestText = 24;

function shortWords(setup: Setup, field: SetupField): string {
  const text = textOfField(setup, field);
  if (text === undefined) return 'not sent';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return field === 'model' ? 'no model' : 'empty';
  const isNumber = field !== 'model' && field !== 'system' && paramRow(field).control.type === 'number';
  // Digits beyond 2^53 would be rounded.
  if (isNumber && Math.abs(Number(line)) <= Number.MAX_SAFE_INTEGER) return format.format(Number(line));
  const short = line.length > longestText ? `${line.slice(0, longestText)}…` : line;
  return field === 'system' ? `“${short}”` : short;
}
