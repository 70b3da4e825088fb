// Builds the summary of npm test from the JSON reports of Vitest and Playwright. No dependencies.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../packages.mjs';

const MAX_SLOW_TESTS = 10;

/** Returns the tests of a Vitest report; a file that could not be loaded counts as one failed test. */
export function readUnitTests(file) {
  return readReport(file, (report) =>
    report.testResults.flatMap(({ name, status, assertionResults }) => {
      const filePath = path.relative(root, name);
      if (assertionResults.length === 0 && status === 'failed')
        return [{ name: filePath, status: 'failed', seconds: 0 }];
      return assertionResults.map((test) => ({
        name: `${filePath}: ${test.fullName}`,
        status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
        seconds: (test.duration ?? 0) / 1000,
      }));
    }),
  );
}

const BROWSER_STATUS = { expected: 'passed', unexpected: 'failed', flaky: 'failed', skipped: 'skipped' };

/** Returns the tests of a Playwright report, once per browser. */
export function readBrowserTests(file) {
  const listTests = (suite, titles) => [
    ...(suite.suites ?? []).flatMap((inner) => listTests(inner, [...titles, inner.title])),
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({
        name: `e2e/${spec.file}: ${[...titles, spec.title].join(' ')} (${test.projectName})`,
        status: BROWSER_STATUS[test.status],
        seconds: test.results.reduce((sum, result) => sum + result.duration, 0) / 1000,
      })),
    ),
  ];
  return readReport(file, (report) => report.suites.flatMap((suite) => listTests(suite, [])));
}

function readReport(file, extractTests) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The tool ended before writing a report; its exit code shows the failure.
    return [];
  }
  return extractTests(JSON.parse(text));
}

/**
 * Returns the lines to print. A step without tests counts as one, as does a step that failed although none of its tests
 * did.
 */
export function formatSummary(steps) {
  const tests = steps.flatMap((step) => step.tests ?? []);
  const countTests = (status) => tests.filter((test) => test.status === status).length;
  const countsAsTest = ({ code, tests: stepTests = [] }) =>
    stepTests.length === 0 || (code !== 0 && stepTests.every((test) => test.status !== 'failed'));
  const stepsAsTests = steps.filter(countsAsTest);
  const failedCount = countTests('failed') + stepsAsTests.filter(({ code }) => code !== 0).length;
  const passedCount = countTests('passed') + stepsAsTests.filter(({ code }) => code === 0).length;
  const skippedCount = countTests('skipped');
  const slowest = tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SLOW_TESTS);
  return [
    ...buildSection(
      'Slowest tests',
      slowest.map((test) => `${padSeconds(test.seconds)}  ${test.name}`),
    ),
    ...buildSection(
      'Time',
      steps.map(({ name, seconds }) => `${padSeconds(seconds)}  ${name}`),
    ),
    ...buildSection('Failed', [
      ...tests.filter((test) => test.status === 'failed').map(({ name }) => name),
      ...stepsAsTests.filter(({ code }) => code !== 0).map(({ name }) => name),
    ]),
    '',
    `${passedCount} passed, ${failedCount} failed${skippedCount === 0 ? '' : `, ${skippedCount} skipped`}`,
  ];
}

const padSeconds = (seconds) => `${seconds.toFixed(1)} s`.padStart(8);

const buildSection = (title, lines) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
