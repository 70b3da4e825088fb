import { isDeepEqual } from '../conversation/session/differences.ts';
/**
 * The words of a verdict. One function makes them for the screen, for files and for whoever
 * listens; what it says follows from the facts alone.
 */
import { diffSetups } from '../conversation/session/setup-diff.ts';
import { buildRequestFields } from '../conversation/setup/params.ts';
import { writeExactJson } from '../lib/exact-json.ts';
import { formatCount, pluralize } from '../lib/format.ts';
import { casesNeeded } from './statistics/planning.ts';
import { baseThreshold } from './statistics/sequential-test.ts';
import { distanceMs, durationWords } from './trial-pace.ts';
import { caseCount, letterAt, type Column, type Trial } from './trial.ts';
import { fewestUnits, type Comparison, type Outcome, type Verdict } from './verdict.ts';

/** What a column is called in a sentence, always with its letter's tile. */
export interface ColumnName {
  letter: string;
  name: string;
}

/** A sentence in pieces: words as they are, and what is drawn in its own way. */
export type WordPart = string | { column: ColumnName } | { points: string } | { range: string };
export type Words = WordPart[];

/** The sentence as plain text. */
export function plainWords(words: Words): string {
  return words
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('column' in part) return part.column.name;
      return 'points' in part ? part.points : part.range;
    })
    .join('');
}

/**
 * The names of the columns: the last part of the model's id where models differ, else what differs ("temperature 1.2"),
 * else the letter.
 */
export function columnNames(columns: readonly Column[]): ColumnName[] {
  const fields = columns.map(({ setup }) => buildRequestFields(setup.params));
  const differing = [...new Set(fields.flatMap((each) => Object.keys(each)))].filter((name) =>
    fields.some((each) => !isDeepEqual(each[name], fields[0]?.[name])),
  );
  const models = columns.map(({ setup }) => setup.model.split('/').at(-1) ?? setup.model);
  const settings = (isComplete: boolean): string[] =>
    fields.map((each) =>
      differing
        .flatMap((name) => {
          const value = each[name];
          if (value === undefined) return isComplete ? [`no ${name}`] : [];
          return [`${name} ${typeof value === 'string' ? value : writeExactJson(value)}`];
        })
        .join(', '),
    );
  const isOneModel = columns.every(({ setup }) => setup.model === columns[0]?.setup.model);
  // What is not sent is said only where nothing else tells columns apart.
  const choices = [settings(false), settings(true)];
  if (!isOneModel)
    choices.unshift(
      models,
      models.map((model, index) => [model, choices[1]?.[index]].filter(Boolean).join(', ')),
    );
  const mostLetters = 40;
  const names = choices.find(
    (each) =>
      new Set(each).size === columns.length &&
      each.every((name) => name !== '' && name.length <= mostLetters),
  );
  return columns.map((_, index) => ({ letter: letterAt(index), name: names?.[index] ?? letterAt(index) }));
}

/** What differs from the baseline's setup, as facts: "temperature 0.2", "another system prompt". */
export function changedFrom(column: Column, baseline: Column): string[] {
  const facts = diffSetups(column.setup, baseline.setup)?.changes ?? [];
  return isDeepEqual(column.messages, baseline.messages) ? facts : [...facts, 'another wording'];
}

/** Points, whole ones; what is not 0 and would read as 0 has one decimal. */
export function pointsWords(difference: number): string {
  // To the thousandth first: 14.499999 is 14.5.
  const points = Number((100 * difference).toFixed(4));
  const size = Math.abs(points);
  const whole = Math.round(size);
  const number = whole === 0 && size >= 0.05 ? size.toFixed(1) : formatCount(whole);
  return points < 0 && Number(number) !== 0 ? `−${number}` : number;
}

function pointsCount(difference: number): string {
  const number = pointsWords(Math.abs(difference));
  return `${number} ${number === '1' ? 'point' : 'points'}`;
}

function rangeWords(low: number, high: number): string {
  return `(${pointsWords(low)} to ${pointsWords(high)})`;
}

/** Evidence rounded down, so that it never reads as reached; over 1,000 it says so. */
export function evidenceWords(evidence: number): string {
  if (evidence > 1000) return 'over 1,000';
  return evidence < 10 ? String(Math.floor(evidence * 10) / 10) : String(Math.floor(evidence));
}

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
];

/** What the words need to know beside the facts. */
export interface VerdictContext {
  trial: Pick<
    Trial,
    'columns' | 'repeats' | 'seed' | 'margin' | 'state' | 'groupField' | 'plan' | 'decides'
  > &
    Pick<Trial, 'checks' | 'baseline' | 'valuesChanged' | 'retired' | 'batches'>;
  /** Requests per minute, for how long more cases would take; 0: no limit, and nothing is said of time. */
  perMinute: number;
  /** Something has been answered: what is chosen from now on was chosen after that. */
  hasAnswers: boolean;
  /** Groups that came back in a later batch and count as new ones. */
  hasNewUnits: boolean;
}

export interface VerdictWords {
  /** The first line: the outcome that is said first. */
  first: Words;
  /** Sentences below it, in order. */
  below: Words[];
  /** How it was counted, as one line. */
  method: string;
}

/** Outcomes in the order in which they are said. */
const order: readonly Outcome[] = ['better', 'worse', 'about the same', 'contradictory', 'open', 'too few'];

/** Every sentence about a verdict. Without a check that decides, `verdict` is undefined. */
export function verdictWords(verdict: Verdict | undefined, context: VerdictContext): VerdictWords {
  if (!verdict) return { first: ['Choose a check that decides.'], below: [], method: '' };
  const names = columnNames(context.trial.columns);
  const groups = groupsOf(verdict);
  const [firstGroup, ...others] = groups;
  const rates = ratesSentence(verdict, names);
  return {
    first: firstGroup ? sentenceOf(firstGroup, verdict, context, names, true) : rates,
    below: [
      ...(firstGroup ? [rates] : []),
      ...tooFewHint(firstGroup, verdict),
      ...(isFew(firstGroup?.[0]) ? [['Few cases.']] : []),
      ...moreSentences(firstGroup ?? [], context),
      // What else would tell stands behind its own sentence: elsewhere it would be read as that of another column.
      ...others.flatMap((group) => [
        sentenceOf(group, verdict, context, names, false),
        ...moreSentences(group, context),
      ]),
      ...notes(verdict, context, names),
    ],
    method: methodLine(verdict, context, firstGroup?.[0]),
  };
}

/** Those that are said in one sentence, the best first. Where all is open, the first line says the best alone. */
function groupsOf({ comparisons }: Verdict): Comparison[][] {
  return order
    .flatMap((outcome) => {
      const alike = comparisons
        .filter((comparison) => comparison.outcome === outcome)
        .toSorted((one, other) => other.difference - one.difference);
      return outcome === 'contradictory' ? alike.map((comparison) => [comparison]) : [alike];
    })
    .filter((group) => group.length > 0)
    .flatMap((group, index) =>
      index === 0 && group[0]?.outcome === 'open' ? [group.slice(0, 1), group.slice(1)] : [group],
    )
    .filter((group) => group.length > 0);
}

const nameOf = (names: readonly ColumnName[], column: number): { column: ColumnName } => ({
  column: names[column] ?? { letter: letterAt(column), name: letterAt(column) },
});

/** "B", "B and D", "B, D and E". */
function listed(parts: readonly Words[]): Words {
  return parts.flatMap((part, index): Words => {
    if (index === 0) return [...part];
    return [index === parts.length - 1 ? ' and ' : ', ', ...part];
  });
}

function sentenceOf(
  group: readonly Comparison[],
  verdict: Verdict,
  { trial }: VerdictContext,
  names: readonly ColumnName[],
  isFirst: boolean,
): Words {
  const [one] = group;
  if (!one) return [];
  const baseline = nameOf(names, verdict.baseline);
  const columns = listed(group.map(({ column }) => [nameOf(names, column)]));
  const isSeveral = group.length > 1;
  const are = isSeveral ? ' are ' : ' is ';
  const end = isFirst && !isSeveral ? '' : '.';
  const apart: Words = isSeveral ? [' Between ', ...columns, ' nothing was compared.'] : [];
  switch (one.outcome) {
    case 'too few': {
      const units = Math.max(...group.map((each) => each.units));
      const count = pluralize(units, trial.groupField === undefined ? 'case' : 'group');
      return isFirst ? [`${count}: too few to say`] : [...columns, `: ${count}, too few to say.`];
    }
    case 'better':
    case 'worse': {
      const by = listed(group.map((each) => byWords(each, trial.margin / 100)));
      return [
        ...columns,
        `${are}${one.outcome} than `,
        baseline,
        isSeveral ? ': by ' : ' by ',
        ...by,
        end,
        ...apart,
      ];
    }
    case 'about the same': {
      const ranges = listed(group.map(({ range }) => (range ? [{ range: rangeWords(...range) }] : [])));
      const within = pointsCount(trial.margin / 100);
      return [
        ...columns,
        `${are}about the same as `,
        baseline,
        ': ',
        { points: `within ${within}` },
        ' ',
        ...ranges,
        end,
        ...apart,
      ];
    }
    case 'contradictory': {
      const words = 'the first cases and the later ones contradict each other';
      return isFirst ? [`Not decided: ${words}`] : [...columns, ` is not decided: ${words}.`];
    }
    case 'open': {
      const standing = openWords(one, baseline);
      const yet = trial.state.name === 'running' ? ' yet' : '';
      if (isSeveral) {
        const all = listed(group.map((each) => openWords(each, undefined).after));
        return [...columns, ` are not decided${yet}: `, ...all, end];
      }
      if (!isFirst) return [...columns, ` is not decided${yet}: `, ...standing.after, end];
      return [`Not decided${yet}: `, ...columns, ...standing.whole, end];
    }
  }
}

/** "14 points (2 to 27)"; of what is worse the distance, too. */
function byWords({ outcome, difference, range }: Comparison, margin: number): Words {
  if (!range) return [];
  const [low, high] = outcome === 'worse' ? [-range[1], -range[0]] : range;
  const isSmall = high < margin;
  return [
    { points: pointsCount(difference) },
    ' ',
    { range: rangeWords(low, high) },
    ...(isSmall ? [`, less than the ${pointsCount(margin)} that count`] : []),
  ];
}

/** The end of "Not decided: B …" and of "B is not decided: …"; of several the baseline is not said each time. */
function openWords(
  { difference, range }: Comparison,
  baseline: { column: ColumnName } | undefined,
): { whole: Words; after: Words } {
  const shown: Words = range ? [' ', { range: rangeWords(...range) }] : [];
  const than = (word: string): Words => (baseline ? [` ${word}`, baseline] : []);
  if (Math.abs(difference) < 0.0005)
    return {
      whole: [...(baseline ? [' and ', baseline] : []), ' are level', ...shown],
      after: ['level', ...than('with '), ...shown],
    };
  const side: Words = difference > 0 ? ['ahead', ...than('of ')] : ['behind', ...than('')];
  const rest: Words = [...side, ' by ', { points: pointsCount(difference) }, ...shown];
  return { whole: [' is ', ...rest], after: rest };
}

/** How many passed of those that answered, over the same counted cases as the verdict. */
function ratesSentence({ columns }: Verdict, names: readonly ColumnName[]): Words {
  const parts = columns.map(({ answered, passed, rate }, column): Words => {
    if (answered === 0) return [nameOf(names, column), ' none'];
    const isWhole = Number.isInteger(passed);
    const count = isWhole
      ? `${formatCount(passed)} of ${formatCount(answered)}`
      : `${percentWords(rate?.rate ?? 0)} % of ${formatCount(answered)}`;
    return [nameOf(names, column), column === 0 ? ` passed ${count}` : ` ${count}`];
  });
  return [...listed(parts), '.'];
}

function percentWords(share: number): string {
  return formatCount(Math.round(Number((100 * share).toFixed(6))));
}

function tooFewHint(first: readonly Comparison[] | undefined, { family }: Verdict): Words[] {
  if (first?.[0]?.outcome !== 'too few') return [];
  const points = 20;
  const needed = casesNeeded({ better: 0.05 + points / 100, worse: 0.05 }, baseThreshold * family);
  const hint = needed === undefined ? '' : `; to see ${points} points, ${needed} are needed`;
  return [[`From ${fewestUnits} cases on there is a verdict${hint}.`]];
}

/** A share of missing answers that is said. */
const muchMissing = 0.02;

/** Lists the remarks that apply, the most important first. */
function notes(
  verdict: Verdict,
  { trial, hasAnswers }: VerdictContext,
  names: readonly ColumnName[],
): Words[] {
  const isChosen = verdict.comparisons.some(({ outcome }) => outcome === 'better');
  const { columns } = trial;
  const isFromMany = columns.length >= 4 || columns.some(({ madeFrom }) => madeFrom !== undefined);
  return [
    ...missingWords(verdict, trial, names),
    ...(verdict.hangsOnMissing ? [['If all of these had failed, nothing would be decided.']] : []),
    ...(isChosen && isFromMany ? [[`Best of ${columns.length} columns: confirm on new cases.`]] : []),
    ...(hasAnswers && wasChosenLater(trial) ? [['Chosen after the answers were seen.']] : []),
  ];
}

function isFew(first: Comparison | undefined): boolean {
  return first !== undefined && first.outcome !== 'too few' && first.units < 2 * fewestUnits;
}

/** How many more cases would tell what is open; of several the first that they would tell. */
function moreSentences(
  group: readonly Comparison[],
  { trial: { repeats }, perMinute }: Pick<VerdictContext, 'trial' | 'perMinute'>,
): Words[] {
  const known = group.flatMap(({ moreCases }) => moreCases ?? []);
  if (known.length === 0) return [];
  const moreCases = Math.min(...known);
  const [if_, of] =
    group.length === 1
      ? ['If that is the true difference', '']
      : ['If these are the true differences', ' one of them'];
  if (!Number.isFinite(moreCases)) return [[`${if_}, more than 10,000 cases would tell${of}.`]];
  const count = pluralize(moreCases, 'more case');
  // Only the two columns of the comparison are asked.
  const time = perMinute === 0 ? '' : `, ${durationWords(moreCases * 2 * repeats * distanceMs(perMinute))}`;
  return [[`${if_}, about ${count} would tell${of}${time}.`]];
}

/** An unmarked answer is not missing. */
function missingWords(
  verdict: Verdict,
  { decides, checks }: Pick<Trial, 'decides' | 'checks'>,
  names: readonly ColumnName[],
): Words[] {
  if (checks.find(({ id }) => id === decides)?.kind === 'marks') return [];
  return verdict.columns.flatMap(({ missing, cells, between: [low, high] }, column): Words[] => {
    const isMuch = missing > muchMissing * cells;
    if (missing === 0 || !(isMuch || verdict.hangsOnMissing)) return [];
    const share = `${percentWords(missing / cells)} % gave no answer in `;
    const range = `: its rate is between ${percentWords(low)} and ${percentWords(high)} %.`;
    return [[share, nameOf(names, column), range]];
  });
}

function wasChosenLater({ plan, decides, baseline, margin }: VerdictContext['trial']): boolean {
  if (!plan) return false;
  return plan.decides !== decides || plan.baseline !== baseline || plan.margin !== margin;
}

function methodLine(
  verdict: Verdict,
  { trial, hasAnswers, hasNewUnits }: VerdictContext,
  first: Comparison | undefined,
): string {
  const check = trial.checks.find(({ id }) => id === trial.decides);
  const isAll = verdict.counted === verdict.cases;
  const each =
    trial.repeats === 1 ? 'one answer each' : `${trial.repeats} answers each, averaged by case first`;
  const isMarks = check?.kind === 'marks';
  const counted = `${formatCount(verdict.counted)} of ${pluralize(verdict.cases, 'case')} counted in drawn order ${trial.seed}`;
  const size = isMarks
    ? `${formatCount(verdict.counted)} of ${pluralize(verdict.cases, 'case')} marked, counted in the order they were marked`
    : isAll
      ? `${pluralize(verdict.cases, 'case')}, ${each}, drawn order ${trial.seed}`
      : `${counted}${trial.repeats === 1 ? '' : `, ${each}`}`;
  const place =
    verdict.family > 1 && first
      ? ` for the ${ordinals[first.rank - 1]} of ${verdict.family} comparisons`
      : '';
  const changed = hasAnswers ? (trial.valuesChanged?.length ?? 0) : 0;
  const gone = trial.retired.caseIds.length;
  return [
    `Check “${check?.name ?? ''}”, ${size}.`,
    'Ranges may be watched at any time.',
    ...(first ? [`Evidence ${evidenceWords(first.evidence)}, needed ${first.needed}${place}.`] : []),
    ...(isMarks ? ['Marks are not blind, and whoever marked chose which cases count.'] : []),
    ...(trial.groupField === undefined ? [] : [`Cases with the same ${trial.groupField} count as one.`]),
    ...(hasNewUnits ? ['Where one came back with later cases, it counts as a new one.'] : []),
    ...(changed > 0
      ? [`Expected values were changed after the answers were seen: ${pluralize(changed, 'case')}.`]
      : []),
    ...(gone > 0 ? [`Taken out after they were answered: ${pluralize(gone, 'case')}.`] : []),
    ...planWords(trial),
  ].join(' ');
}

/** Where the trial has grown or shrunk since Run was first pressed. */
function planWords({ plan, repeats, columns, batches, retired }: VerdictContext['trial']): string[] {
  if (!plan) return [];
  const cases = caseCount({ batches, retired });
  const parts = [
    ...(plan.cases === cases ? [] : [pluralize(plan.cases, 'case')]),
    ...(plan.repeats === repeats ? [] : [pluralize(plan.repeats, 'repeat')]),
    ...(plan.columns.length === columns.length ? [] : [pluralize(plan.columns.length, 'column')]),
  ];
  return parts.length === 0 ? [] : [`Planned with ${plainWords(listed(parts.map((part) => [part])))}.`];
}
