/** Describes edits that made lanes equal, and reverts single edits. */
import { pluralize } from '../../lib/format.ts';
import type { Setup } from '../session/types.ts';
import { isSameModel, withModelChoice } from './model-key.ts';
import { getParamRow, PARAMS, type ParamName, type Params } from './params.ts';
import { withSystemRole } from './setup.ts';

export type SetupField = 'model' | 'system' | ParamName;

/** Setup of a lane before and after an edit. */
export interface LaneEdit {
  before: Setup;
  after: Setup;
}

const setupFields: readonly SetupField[] = ['model', 'system', ...PARAMS.map(({ name }) => name)];

/**
 * Returns the text that the next request uses, `undefined` if the field is not sent. The gateway belongs to the model:
 * `staging/north`.
 */
function getFieldText(setup: Setup, field: SetupField): string | undefined {
  if (field === 'model') return [setup.gateway, setup.model].filter(Boolean).join('/');
  if (field === 'system') return setup.system;
  const setting = setup.params[field];
  return setting?.sent ? setting.text : undefined;
}

/** Returns the fields whose value in the next request changed in at least one lane. */
export function findChangedFields(edits: readonly LaneEdit[]): SetupField[] {
  return setupFields.filter((field) =>
    edits.some(({ before, after }) => getFieldText(before, field) !== getFieldText(after, field)),
  );
}

/**
 * Reverts the changes of this edit, except for fields that were changed again. Returns the same object if nothing is
 * left to revert.
 */
export function revertEdit(setup: Setup, { before, after }: LaneEdit): Setup {
  return setupFields
    .filter((field) => !hasSameField(before, after, field) && hasSameField(setup, after, field))
    .reduce((next, field) => withFieldFrom(next, before, field), setup);
}

/** Compares fields, including text that is kept while a field is not sent. */
function hasSameField(a: Setup, b: Setup, field: SetupField): boolean {
  if (field === 'system') return a.system === b.system && a.systemRole === b.systemRole;
  if (field === 'model') return isSameModel(a, b);
  const [first, second] = [a.params[field], b.params[field]];
  return first?.sent === second?.sent && first?.text === second?.text;
}

function withFieldFrom(setup: Setup, source: Setup, field: SetupField): Setup {
  if (field === 'model') return withModelChoice(setup, source);
  if (field === 'system') return withSystemRole({ ...setup, system: source.system }, source.systemRole);
  const { [field]: _, ...others } = setup.params;
  const setting = source.params[field];
  const params: Params = setting ? { ...others, [field]: setting } : others;
  return { ...setup, params };
}

/** Returns true for fields that are typed or stepped, whose small edits are merged into one. */
export function isTypedField(field: SetupField): boolean {
  if (field === 'model' || field === 'system') return field === 'system';
  const { type } = getParamRow(field).control;
  return type !== 'switch' && type !== 'tool-choice' && type !== 'words' && type !== 'constant';
}

/**
 * Returns `temperature is 0.3 in 2 lanes. Previously: A 0.2, B 1.6.` for an edit that made differing lanes equal,
 * `undefined` for any other edit.
 */
export function describeEqualizedField(
  edits: readonly (LaneEdit & { letter: string })[],
  namesHidden: boolean,
): string | undefined {
  const isEqualIn = (side: keyof LaneEdit, field: SetupField) =>
    new Set(edits.map((lane) => getFieldText(lane[side], field))).size <= 1;
  const equalizedFields = setupFields.filter(
    (field) => isEqualIn('after', field) && !isEqualIn('before', field),
  );
  const [field] = equalizedFields;
  const [firstEdit] = edits;
  if (field === undefined || !firstEdit) return undefined;
  const moreText =
    equalizedFields.length === 1
      ? ''
      : ` ${pluralize(equalizedFields.length - 1, 'more field')} set to the same value.`;
  const laneText = `in ${pluralize(edits.length, 'lane')}.`;
  if (field === 'model' && namesHidden) return `The model is the same ${laneText}${moreText}`;
  const previousText = edits
    .map(({ letter, before }) => `${letter}\u00a0${formatShortValue(before, field)}`)
    .join(', ');
  const name = field === 'system' ? 'The system prompt' : field;
  return `${name} is ${formatShortValue(firstEdit.after, field)} ${laneText} Previously: ${previousText}.${moreText}`;
}

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
const maxTextChars = 24;

function formatShortValue(setup: Setup, field: SetupField): string {
  const text = getFieldText(setup, field);
  if (text === undefined) return 'not sent';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return field === 'model' ? 'no model' : 'empty';
  const isNumber = field !== 'model' && field !== 'system' && getParamRow(field).control.type === 'number';
  // Numbers beyond 2^53 would be rounded.
  if (isNumber && Math.abs(Number(line)) <= Number.MAX_SAFE_INTEGER) return numberFormat.format(Number(line));
  const shortText = line.length > maxTextChars ? `${line.slice(0, maxTextChars)}…` : line;
  return field === 'system' ? `“${shortText}”` : shortText;
}
