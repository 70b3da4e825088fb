/** A check in words, and new ones of each kind. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { parseCheckSettings, type CheckSettings } from '../../../trials/checks/check-settings.ts';
import { guessExpectedField } from '../../../trials/files/expected-field.ts';
import type { Check, CheckKind } from '../../../trials/trial.ts';

/** The kinds, in the order in which they are offered, with what a new one begins with. */
export const checkKindRows: readonly {
  kind: CheckKind;
  label: string;
  description: string;
  settings?: Check['settings'];
}[] = [
  { kind: 'equals', label: 'Equals', description: 'the answer, or a field of it, is the expected text' },
  { kind: 'one of', label: 'One of', description: 'it is one of several texts' },
  { kind: 'contains', label: 'Contains', description: 'the expected text occurs in it' },
  { kind: 'contains none', label: 'Contains none of', description: 'none of several texts occurs in it' },
  {
    kind: 'matches',
    label: 'Matches',
    description: 'a regular expression finds something',
    settings: { pattern: '' },
  },
  {
    kind: 'matches none',
    label: 'Matches none of',
    description: 'a regular expression finds nothing',
    settings: { pattern: '' },
  },
  { kind: 'number within', label: 'Number within', description: 'a number is near the expected one' },
  { kind: 'is JSON', label: 'Is JSON', description: 'the whole answer is one JSON value' },
  {
    kind: 'fits schema',
    label: 'Fits schema',
    description: 'it fits the schema of response_format, or another',
  },
  {
    kind: 'length',
    label: 'Length',
    description: 'so many characters, words or tokens',
    settings: { atMost: 100, unit: 'words' },
  },
  {
    kind: 'finish reason',
    label: 'Finish reason',
    description: 'it ended for this reason',
    settings: { reason: 'stop' },
  },
  {
    kind: 'called tool',
    label: 'Called tool',
    description: 'it called a tool of this name',
    settings: { name: '' },
  },
  {
    kind: 'first token within',
    label: 'First token within',
    description: 'so many milliseconds',
    settings: { ms: 1000 },
  },
  {
    kind: 'whole answer within',
    label: 'Whole answer within',
    description: 'so many milliseconds',
    settings: { ms: 5000 },
  },
  { kind: 'marks', label: 'Marks', description: 'you mark answers right or wrong by hand' },
];

/** Kinds that compare with a text or a value of the case. */
export function hasExpectedValue(kind: CheckKind): boolean {
  return ['equals', 'one of', 'contains', 'contains none', 'number within'].includes(kind);
}

/** Kinds that can look at a field of the answer's JSON. */
export function hasField(kind: CheckKind): boolean {
  return hasExpectedValue(kind) || ['matches', 'matches none', 'fits schema', 'length'].includes(kind);
}

/** Creates a check of this kind that expects the value with a fitting name, else the last value of the cases. */
export function createCheck(
  kind: CheckKind,
  { fields, checks }: { fields: readonly string[]; checks: readonly Check[] },
): Omit<Check, 'id'> {
  const row = checkKindRows.find((item) => item.kind === kind);
  const label = row?.label ?? kind;
  const usedNames = new Set(checks.map(({ name }) => name));
  let [name, count] = [label, 2];
  while (usedNames.has(name)) {
    name = `${label} ${count}`;
    count += 1;
  }
  const value = fields.length > 1 ? (guessExpectedField(fields) ?? fields.at(-1)) : undefined;
  return {
    name,
    kind,
    settings: row?.settings ?? {},
    ...(hasExpectedValue(kind) ? { expected: value === undefined ? { text: '' } : { value } } : {}),
  };
}

/** When it passes: "field team equals column team". */
export function describeCheck(check: Check): string {
  const settings = parseCheckSettings(check);
  if (!settings) return 'its settings cannot be read';
  const fieldText = check.field === undefined || check.field === '' ? '' : `field ${check.field} `;
  return `${fieldText}${describeSettings(settings, describeExpected(check))}`.trim();
}

function describeExpected({ expected }: Pick<Check, 'expected'>): string {
  if (!expected) return 'nothing yet';
  if ('value' in expected) return `value ${expected.value}`;
  return `“${sanitizeForSentence(expected.text.replaceAll('\n', ', '), 40)}”`;
}

function describeSettings(settings: CheckSettings, expected: string): string {
  switch (settings.kind) {
    case 'equals':
      return `equals ${expected}${describeIgnored(settings)}`;
    case 'one of':
      return `is one of ${expected}${describeIgnored(settings)}`;
    case 'contains':
      return `contains ${settings.all ? 'all of ' : ''}${expected}${settings.ignoreCase ? ', ignoring case' : ''}`;
    case 'contains none':
      return `contains none of ${expected}`;
    case 'matches':
      return `matches /${settings.pattern}/${settings.flags}`;
    case 'matches none':
      return `matches none of /${settings.pattern}/${settings.flags}`;
    case 'is JSON':
      return settings.allowFence ? 'is JSON, a fence allowed' : 'is JSON, no fence around it';
    case 'fits schema':
      return settings.schema ? 'fits the schema given here' : 'fits the schema of response_format';
    case 'number within': {
      const toleranceText =
        settings.tolerance === 0 ? '' : ` ± ${settings.tolerance}${settings.unit === 'percent' ? ' %' : ''}`;
      return `${settings.which} number is ${expected}${toleranceText}`;
    }
    case 'finish reason':
      return `finish reason is ${settings.reason}`;
    case 'called tool':
      return 'none' in settings
        ? 'calls no tool'
        : `calls ${settings.name === '' ? 'a tool' : settings.name}`;
    case 'length':
      return describeLength(settings);
    case 'first token within':
      return `first token within ${formatCount(settings.ms)} ms`;
    case 'whole answer within':
      return `whole answer within ${formatCount(settings.ms)} ms`;
    case 'marks':
      return 'you marked it right';
  }
}

function describeIgnored({
  ignoreCase,
  ignoreSpace,
  ignoreLastStop,
}: {
  ignoreCase: boolean;
  ignoreSpace: boolean;
  ignoreLastStop: boolean;
}): string {
  const ignoredAspects = [
    ...(ignoreCase ? ['case'] : []),
    ...(ignoreSpace ? ['white space'] : []),
    ...(ignoreLastStop ? ['a last full stop'] : []),
  ];
  return ignoredAspects.length === 0 ? '' : `, ignoring ${ignoredAspects.join(', ')}`;
}

function describeLength({ atLeast, atMost, unit }: Extract<CheckSettings, { kind: 'length' }>): string {
  const unitNoun = unit.slice(0, -1);
  const minTexts = atLeast === undefined ? [] : [`at least ${pluralize(atLeast, unitNoun)}`];
  const maxTexts = atMost === undefined ? [] : [`at most ${pluralize(atMost, unitNoun)}`];
  return [...minTexts, ...maxTexts].join(', ') || `any number of ${unit}`;
}
