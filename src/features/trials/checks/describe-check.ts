/** Describes checks and creates new ones of each kind. */
import { formatCount, formatList, pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { parseCheckSettings, type CheckSettings } from '../../../trials/checks/check-settings.ts';
import { guessExpectedField } from '../../../trials/files/expected-field.ts';
import type { Check, CheckKind } from '../../../trials/trial.ts';

/** Kinds in menu order, with the initial settings of a new check. */
export const checkKindRows: readonly {
  kind: CheckKind;
  label: string;
  description: string;
  settings?: Check['settings'];
}[] = [
  { kind: 'equals', label: 'Equals', description: 'Answer or field equals the expected text' },
  { kind: 'one of', label: 'One of', description: 'Answer or field equals one of the listed texts' },
  { kind: 'contains', label: 'Contains', description: 'Answer or field contains the expected text' },
  {
    kind: 'contains none',
    label: 'Contains none of',
    description: 'Answer or field contains none of the listed texts',
  },
  {
    kind: 'matches',
    label: 'Matches',
    description: 'Answer matches a regular expression',
    settings: { pattern: '' },
  },
  {
    kind: 'matches none',
    label: 'Does not match',
    description: 'Answer does not match a regular expression',
    settings: { pattern: '' },
  },
  {
    kind: 'number within',
    label: 'Number within tolerance',
    description: 'A number in the answer is close to the expected number',
  },
  { kind: 'is JSON', label: 'Is JSON', description: 'Whole answer is one JSON value' },
  {
    kind: 'fits schema',
    label: 'Fits schema',
    description: 'Answer or field fits the response_format schema or another schema',
  },
  {
    kind: 'length',
    label: 'Length',
    description: 'Limits on characters, words or tokens',
    settings: { atMost: 100, unit: 'words' },
  },
  {
    kind: 'finish reason',
    label: 'Finish reason',
    description: 'Answer has a given finish reason',
    settings: { reason: 'stop' },
  },
  {
    kind: 'called tool',
    label: 'Called tool',
    description: 'Answer calls a given tool, or no tool',
    settings: { name: '' },
  },
  {
    kind: 'first token within',
    label: 'Time to first token',
    description: 'Maximum time in milliseconds',
    settings: { ms: 1000 },
  },
  {
    kind: 'whole answer within',
    label: 'Total time',
    description: 'Maximum time in milliseconds',
    settings: { ms: 5000 },
  },
  { kind: 'marks', label: 'Marks', description: 'You mark answers as right or wrong' },
];

/** Returns true for kinds that compare with a text or a value of the case. */
export function hasExpectedValue(kind: CheckKind): boolean {
  return ['equals', 'one of', 'contains', 'contains none', 'number within'].includes(kind);
}

/** Returns true for kinds that can check a field of the answer's JSON. */
export function hasField(kind: CheckKind): boolean {
  return hasExpectedValue(kind) || ['matches', 'matches none', 'fits schema', 'length'].includes(kind);
}

/**
 * Creates a check of this kind. The expected value comes from the field with a fitting name or, without one, from the
 * last field of the cases.
 */
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

/** Returns the condition of a check, such as "field “team” equals the case's “team”". */
export function describeCheck(check: Check): string {
  const settings = parseCheckSettings(check);
  if (!settings) return 'has invalid settings';
  const fieldText = check.field === undefined || check.field === '' ? '' : `field “${check.field}” `;
  const { expected, kind } = check;
  const isLimited = expected !== undefined && 'value' in expected && !hasExpectedValue(kind);
  const limitText = isLimited ? `, in cases with “${expected.value}”` : '';
  return `${fieldText}${describeSettings(settings, describeExpected(check))}${limitText}`.trim();
}

function describeExpected({ expected }: Pick<Check, 'expected'>): string {
  if (!expected) return '(not set)';
  if ('value' in expected) return `the case's “${expected.value}”`;
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
      return `does not match /${settings.pattern}/${settings.flags}`;
    case 'is JSON':
      return settings.allowFence ? 'is JSON, with or without a code fence' : 'is JSON without a code fence';
    case 'fits schema':
      return settings.schema ? 'fits the given schema' : 'fits the response_format schema';
    case 'number within': {
      const toleranceText =
        settings.tolerance === 0 ? '' : ` ± ${settings.tolerance}${settings.unit === 'percent' ? '%' : ''}`;
      return `has ${expected}${toleranceText} as its ${settings.which} number`;
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
      return `first token arrives within ${formatCount(settings.ms)} ms`;
    case 'whole answer within':
      return `answer is complete within ${formatCount(settings.ms)} ms`;
    case 'marks':
      return 'you mark the answer as right';
  }
}

function describeIgnored({
  ignoreCase,
  ignoreSpace,
  ignoreLastStop,
  ignoreQuotes,
}: {
  ignoreCase: boolean;
  ignoreSpace: boolean;
  ignoreLastStop: boolean;
  ignoreQuotes: boolean;
}): string {
  const ignoredAspects = [
    ...(ignoreCase ? ['case'] : []),
    ...(ignoreSpace ? ['whitespace'] : []),
    ...(ignoreLastStop ? ['a final full stop'] : []),
    ...(ignoreQuotes ? ['quotation marks'] : []),
  ];
  return ignoredAspects.length === 0 ? '' : `, ignoring ${formatList(ignoredAspects)}`;
}

function describeLength({ atLeast, atMost, unit }: Extract<CheckSettings, { kind: 'length' }>): string {
  const unitNoun = unit.slice(0, -1);
  const minTexts = atLeast === undefined ? [] : [`at least ${pluralize(atLeast, unitNoun)}`];
  const maxTexts = atMost === undefined ? [] : [`at most ${pluralize(atMost, unitNoun)}`];
  return `has ${formatList([...minTexts, ...maxTexts]) || `any number of ${unit}`}`;
}
