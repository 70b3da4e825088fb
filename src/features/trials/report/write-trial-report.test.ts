import { describe, expect, it } from 'vitest';

import { createBench } from '../../../testing/bench.ts';
import { createFinishedTrial } from '../../../testing/open-trials.ts';
import { buildMarkdownReport } from './markdown-report.ts';
import { buildTrialReport } from './trial-report.ts';
import { buildHtmlReport } from './write-trial-report.ts';

/** Opens a finished trial of 24 cases, of which column B fails the first 20, under a hostile title. */
async function getState() {
  const trial = await createFinishedTrial(await createBench({ path: '/' }), 24, 20, (index) => ({
    channel: index < 12 ? 'mail' : 'chat <b>',
  }));
  trial.edit({ title: '<img src=x onerror=1> | tickets' });
  return trial.state.getState();
}

describe('report of a trial', () => {
  it('contains the sentence, the rates, the differences and the cases that only one column passed', async () => {
    const report = buildTrialReport(await getState());
    expect(report.headline).toMatch(/^two is worse than one: \d+ fewer of 100 cases passed /);
    expect(report.columns.map(({ letter, passedText }) => [letter, passedText])).toEqual([
      ['A', '24 of 24'],
      ['B', '4 of 24'],
    ]);
    expect(report.comparisons).toMatchObject([{ letter: 'B', outcome: 'worse', difference: '−83' }]);
    expect(report.caseCount).toBe(20);
    expect(report.cases[0]).toEqual({
      number: 1,
      letter: 'A',
      input: 'ticket 1',
      expected: 'billing',
      answers: ['billing', 'delivery'],
    });
  });

  it('says the same in both files, with nothing that runs or loads', async () => {
    const state = await getState();
    const report = buildTrialReport(state);
    const html = buildHtmlReport(state).pieces.join('');
    const markdown = buildMarkdownReport(state).pieces.join('');
    for (const text of [report.headline, 'Cases that only one column passed: 20']) {
      expect(html).toContain(text);
      expect(markdown).toContain(text);
    }
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<img|<script/);
    expect(markdown).not.toContain('<img');
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(2 + 2 + 2 + 1 + 2 + 20);
  });

  it('contains the breakdown by a chosen field', async () => {
    const state = await getState();
    const html = buildHtmlReport({ ...state, breakdownField: 'channel' }).pieces.join('');
    const markdown = buildMarkdownReport({ ...state, breakdownField: 'channel' }).pieces.join('');
    expect(html).toContain('<h2>By channel</h2>');
    expect(html).toMatch(/chat &lt;b&gt;.*12.*100 % \(.*33 % \(.*−67 \(/);
    expect(markdown).toMatch(/^## By channel$/m);
    expect(markdown).toMatch(/^\| mail \| 12 \| 100 % \(.*\) \| 0 % \(.*\) \| −100 \(.*\) \|$/m);
    expect(markdown).toContain('With 2 differences, the ranges of single values are wider');
    expect(buildMarkdownReport(state).pieces.join('')).not.toContain('By channel');
  });
});
