// What npm test says at its end, from the JSON reports of Vitest and Playwright. No dependencies.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../packages.mjs';

const SLOWEST = 10;

/** The tests of a Vitest report; a file that could not be read at all counts as one that failed. */
export function unitTests(file) {
  return read(file, (report) =>
    report.testResults.flatMap(({ name, status, assertionResults }) => {
      const where = path.relative(root, name);
      if (assertionResults.length === 0 && status === 'failed')
        return [{ name: where, status: 'failed', seconds: 0 }];
      return assertionResults.map((test) => ({
        name: `${where}: ${test.fullName}`,
        status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
        seconds: (test.duration ?? 0) / 1000,
      }));
    }),
  );
}

const BROWSER_STATUS = { expected: 'passed', unexpected: 'failed', flaky: 'failed', skipped: 'skipped' };

/** The tests of a Playwright report, once for each browser. */
export function browserTests(file) {
  const below = (suite, titles) => [
    ...(suite.suites ?? []).flatMap((inner) => below(inner, [...titles, inner.title])),
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({
        name: `e2e/${spec.file}: ${[...titles, spec.title].join(' ')} (${test.projectName})`,
        status: BROWSER_STATUS[test.status],
        seconds: test.results.reduce((sum, result) => sum + result.duration, 0) / 1000,
      })),
    ),
  ];
  return read(file, (report) => report.suites.flatMap((suite) => below(suite, [])));
}

function read(file, testsOf) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The tool ended before it could write one: its exit code says so.
    return [];
  }
  return testsOf(JSON.parse(text));
}

/**
 * The lines to print. A step without tests of its own counts as one; one that failed although none of its tests did,
 * too.
 */
export function summary(steps) {
  const tests = steps.flatMap((step) => step.tests ?? []);
  const count = (status) => tests.filter((test) => test.status === status).length;
  const isOne = ({ code, tests: own = [] }) =>
    own.length === 0 || (code !== 0 && own.every((test) => test.status !== 'failed'));
  const ones = steps.filter(isOne);
  const failed = count('failed') + ones.filter(({ code }) => code !== 0).length;
  const passed = count('passed') + ones.filter(({ code }) => code === 0).length;
  const skipped = count('skipped');
  const slowest = tests.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  return [
    ...section(
      'Slowest tests',
      slowest.map((test) => `${inSeconds(test.seconds)}  ${test.name}`),
    ),
    ...section(
      'Time',
      steps.map(({ name, seconds }) => `${inSeconds(seconds)}  ${name}`),
    ),
    ...section('Failed', [
      ...tests.filter((test) => test.status === 'failed').map(({ name }) => name),
      ...ones.filter(({ code }) => code !== 0).map(({ name }) => name),
    ]),
    '',
    `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  ];
}

const inSeconds = (seconds) => `${seconds.toFixed(1)} s`.padStart(8);

const section = (title, lines) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
