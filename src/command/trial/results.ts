/** Judges an ended trial and writes its results: `verdict.json`, `junit.xml` and `summary.md`. */
import { buildMarkdownReport } from '../../features/trials/report/markdown-report.ts';
import { describeVerdict, summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { toPlainText } from '../../features/trials/verdict/rich-text.ts';
import { formatList } from '../../lib/format.ts';
import { buildMarkdownTable } from '../../lib/report/report-markdown.ts';
import { escapeHtml } from '../../lib/text/safe-text.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { getColumnLetter, type CaseId, type CellKey, type Trial } from '../../trials/trial.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './command-context.ts';
import {
  exitCodes,
  judgeComparison,
  judgeFloors,
  type ExitCode,
  type JudgedFloor,
  type Judgement,
} from './exit-code.ts';
import type { Expectation, Expectations } from './expectations.ts';
import type { TrialFolder } from './trial-folder.ts';

/** Throws a UsageError if the trial cannot show whether the expectations are met. */
export function checkExpectations(
  { checks, columns, decides }: Trial,
  { floors }: Pick<Expectations, 'floors'>,
): void {
  const missingCheck = floors.find((floor) => checks.every(({ name }) => name !== floor.check))?.check;
  if (missingCheck !== undefined)
    throw new UsageError(
      `The trial has no check named ${JSON.stringify(missingCheck)}. Its checks: ${formatList(checks.map(({ name }) => name)) || 'none'}.`,
    );
  if (floors.length > 0) return;
  if (decides === undefined)
    throw new UsageError(
      'No check decides, so there is no verdict. Add a check to the trial, or use --floor.',
    );
  if (columns.length < 2)
    throw new UsageError(
      'The trial has one column, so nothing is compared. Add a column to it, or use --baseline or --floor.',
    );
}

/** One result that counts for the exit code. */
interface JudgedResult {
  /** Name in the JUnit file, such as "B is not worse than A". */
  name: string;
  judgement: Judgement;
  /** The numbers behind it. */
  detail: string;
}

export interface JudgedTrial {
  judgement: Judgement;
  results: JudgedResult[];
}

const expectationTexts: Record<Expectation, string> = {
  better: 'is better than',
  'not-worse': 'is not worse than',
  same: 'is about the same as',
};

const formatPoints = (share: number): string => String(Math.round(1000 * share) / 10);

/** Judges every comparison with the baseline and every floor. */
export function judgeTrial(state: OpenTrialState, { expect, floors }: Expectations): JudgedTrial {
  const { trial, verdict } = state;
  const comparisons = (verdict?.comparisons ?? []).map((comparison): JudgedResult => {
    const { column, difference, interval, outcome } = comparison;
    const range = interval ? ` (${formatPoints(interval[0])} to ${formatPoints(interval[1])})` : '';
    return {
      name: `${getColumnLetter(column)} ${expectationTexts[expect]} ${getColumnLetter(verdict?.baseline ?? 0)}`,
      judgement: judgeComparison(comparison, expect, trial.margin / 100),
      detail: `${outcome}: difference ${formatPoints(difference)} points${range}`,
    };
  });
  const results = [...comparisons, ...judgeFloors(state, floors).map(describeFloor)];
  const hasResult = (judgement: Judgement) => results.some((result) => result.judgement === judgement);
  return {
    judgement: hasResult('decided against')
      ? 'decided against'
      : hasResult('not decided') || results.length === 0
        ? 'not decided'
        : 'as expected',
    results,
  };
}

function describeFloor({ check, rate, column, interval, judgement }: JudgedFloor): JudgedResult {
  return {
    name: `${getColumnLetter(column)} passes ${check} in at least ${formatPoints(rate)} %`,
    judgement,
    detail: interval
      ? `between ${formatPoints(interval[0])} and ${formatPoints(interval[1])} %`
      : 'no answers to tell',
  };
}

/** Returns the exit code of a judgement. */
export function toExitCode(judgement: Judgement): ExitCode {
  switch (judgement) {
    case 'as expected':
      return exitCodes.asExpected;
    case 'decided against':
      return exitCodes.decidedAgainst;
    case 'not decided':
      return exitCodes.notDecided;
  }
}

/** Prints the sentences of the verdict and each expectation. */
export function printVerdict(
  state: OpenTrialState,
  { results }: JudgedTrial,
  { print }: Pick<CommandContext, 'print'>,
): void {
  const { words, method } = summarizeVerdict(state);
  for (const sentence of words) print(sentence);
  if (method !== '') print(method);
  for (const { name, judgement, detail } of results) print(`${name}: ${judgement} (${detail})`);
  state.trial.columns.forEach(({ stopped }, index) => {
    if (stopped) print(`Column ${getColumnLetter(index)} stopped: ${stopped.report.message}`);
  });
}

/** Facts of the run that the verdict file contains beside the verdict. */
export interface RunFacts {
  exitCode: ExitCode;
  interruptedRequests: number;
  missingCells: readonly CellKey[];
  extraAnswers: readonly { key: CellKey; requestId: string | undefined; name: string }[];
}

/** Writes the files of the verdict into the folder. */
export function writeResults(
  folder: Pick<TrialFolder, 'writeResult'>,
  state: OpenTrialState,
  judged: JudgedTrial,
  { expect }: Expectations,
  facts: RunFacts,
): void {
  folder.writeResult(
    'verdict.json',
    `${JSON.stringify(buildVerdictJson(state, judged, expect, facts), null, 2)}\n`,
  );
  folder.writeResult('junit.xml', buildJUnit(state.trial.title, judged));
  folder.writeResult('summary.md', buildSummary(state, judged, facts));
}

/** Returns the number of each case, in the order of the file. */
export function numberCases({ batches }: Pick<Trial, 'batches'>): Map<CaseId, number> {
  return new Map(batches.flatMap(({ caseIds }) => caseIds).map((id, index) => [id, index + 1]));
}

function buildVerdictJson(
  state: OpenTrialState,
  { judgement, results }: JudgedTrial,
  expect: Expectation,
  { exitCode, interruptedRequests, missingCells, extraAnswers }: RunFacts,
) {
  const { trial, verdict } = state;
  const { first, details, tradeOffs, method } = describeVerdict(state);
  const numbers = numberCases(trial);
  const describeCell = ({ caseId, columnId, repeat }: CellKey) => ({
    case: numbers.get(caseId),
    column: getColumnLetter(trial.columns.findIndex(({ id }) => id === columnId)),
    repeat,
  });
  return {
    format: 'bench-verdict',
    version: 1,
    title: trial.title,
    exitCode,
    result: judgement,
    expect,
    sentence: toPlainText(first),
    sentences: [...details, ...tradeOffs].map(toPlainText),
    method,
    cases: verdict?.cases ?? 0,
    counted: verdict?.counted ?? 0,
    columns: trial.columns.map(({ setup: { model, gateway } }, index) => {
      const counts = verdict?.columns[index];
      return {
        column: getColumnLetter(index),
        model,
        ...(gateway === undefined ? {} : { gateway }),
        ...(counts
          ? {
              passed: counts.answers.passed,
              answers: counts.answers.count,
              missing: counts.missing,
              rate: counts.rate?.rate ?? null,
              range: counts.rate?.interval ?? null,
            }
          : {}),
      };
    }),
    comparisons: (verdict?.comparisons ?? []).map(
      ({ column, outcome, difference, interval, logEvidence, requiredEvidence }) => ({
        column: getColumnLetter(column),
        outcome,
        difference,
        range: interval ?? null,
        logEvidence,
        needed: requiredEvidence,
      }),
    ),
    judged: results,
    interruptedRequests,
    missingCells: missingCells.map(describeCell),
    extraAnswers: extraAnswers.map(({ key, requestId, name }) => ({
      ...describeCell(key),
      requestId,
      from: name,
    })),
  };
}

/** Builds a JUnit file with a test per expectation: decided against is a failure, not decided an error. */
function buildJUnit(title: string, { results }: JudgedTrial): string {
  const count = (judgement: Judgement) => results.filter((result) => result.judgement === judgement).length;
  const cases = results.map(({ name, judgement, detail }) => {
    const start = `    <testcase classname="${escapeXml(title)}" name="${escapeXml(name)}"`;
    if (judgement === 'as expected') return `${start}/>`;
    const tag = judgement === 'decided against' ? 'failure' : 'error';
    return `${start}>\n      <${tag} type="${judgement}" message="${escapeXml(detail)}"/>\n    </testcase>`;
  });
  const counts = `tests="${results.length}" failures="${count('decided against')}" errors="${count('not decided')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(title)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Escapes text for XML, which cannot contain most control characters. */
function escapeXml(text: string): string {
  return escapeHtml(
    text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
  );
}

/** Number of cases in the summary that only one column passed. */
const maxSummaryCases = 20;

function buildSummary(state: OpenTrialState, { judgement, results }: JudgedTrial, facts: RunFacts): string {
  const { pieces } = buildMarkdownReport(state, maxSummaryCases);
  const rows = results.map((result) => [result.name, result.judgement, result.detail]);
  const missing = describeMissingCases(state.trial, facts.missingCells);
  return [
    ...pieces,
    '\n## Expectations\n\n',
    `Result: ${judgement} (exit code ${facts.exitCode}).\n\n`,
    ...(missing === undefined ? [] : [`${missing}\n\n`]),
    ...(rows.length === 0 ? [] : [`${buildMarkdownTable(['Expectation', 'Result', 'Detail'], rows)}\n`]),
  ].join('');
}

/** Number of missing cases that a sentence names. */
const maxNamedCases = 20;

/** Returns a sentence that names the cases without all answers; undefined if there are none. */
export function describeMissingCases(trial: Trial, cells: readonly CellKey[]): string | undefined {
  const numbers = numberCases(trial);
  const caseNumbers = [...new Set(cells.map(({ caseId }) => numbers.get(caseId) ?? 0))].toSorted(
    (a, b) => a - b,
  );
  if (caseNumbers.length === 0) return undefined;
  const named = caseNumbers.slice(0, maxNamedCases).map(String);
  const others = caseNumbers.length - named.length;
  const list = others > 0 ? `${named.join(', ')} and ${others} more` : formatList(named);
  return `Answers are missing: ${cells.length} of ${caseNumbers.length === 1 ? 'case' : 'cases'} ${list}.`;
}
