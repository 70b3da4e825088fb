/** Which lane is better: votes of a person, by the versions that were compared. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { voteCommands } from '../app/commands/vote-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { summarizeSession } from '../conversation/comparison/summary.ts';
import { listTurnVotes, describeWins } from '../conversation/comparison/turn-vote.ts';
import { buildSessionMarkdown, buildSummaryMarkdown } from '../conversation/files/markdown-export.ts';
import { buildRows } from '../conversation/session/prompt-rows.ts';
import { copySession } from '../conversation/session/read-session.ts';
import type { PromptId } from '../conversation/session/types.ts';
import { LaneWins } from '../features/playground/comparison/lane-wins.tsx';
import { VoteRow } from '../features/playground/comparison/vote-row.tsx';
import { renderSessionHtml } from '../features/playground/files/render-session-html.ts';
import { LaneHeader } from '../features/playground/lane/lane-header.tsx';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, lastTurnIds, reloaded, shownTurn } from '../testing/conversation-driver.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

async function compared(lanes: number, ...asked: Parameters<typeof aTalk>) {
  const talk = await aTalk(...asked);
  for (let added = 1; added < lanes; added += 1) talk.bench.actions.addLane();
  return { ...talk, laneIds: talk.bench.current().session.laneIds };
}

const promptOf = (bench: Bench, number = 1): PromptId =>
  buildRows(bench.current())[number - 1]?.promptId ?? '';
const votesOf = (bench: Bench) => bench.current().prompts[promptOf(bench)]?.better;
const chosenIn = (bench: Bench) => {
  const { vote, options } = listTurnVotes(bench.current())[0] ?? { options: [] };
  return options.find(({ turnId }) => turnId === vote?.winner)?.letter ?? vote?.winner;
};
const winsIn = (bench: Bench, laneIds: readonly string[]) =>
  laneIds.map((laneId) => describeWins(bench.current(), laneId));

/** Presses a key of the app outside a text field. */
function press(bench: Bench, key: string): string | undefined {
  let said: string | undefined;
  const say = (sentence: string) => {
    said = sentence;
  };
  const context = { playground: bench, pageState: createPageState(), announce: say };
  const command = voteCommands.find(({ bindings }) => bindings?.includes(key));
  if (!command) throw new Error(`No command has the key ${key}`);
  const reason = command.disabledReason?.(context);
  if (reason !== undefined) return reason;
  void command.run(context);
  return said;
}

describe('the better lane', () => {
  it('is chosen, chosen otherwise and taken back, is counted in each header, and comes back after a reload', async () => {
    const { bench, laneIds } = await compared(3);
    await ask(bench, 'One');
    await ask(bench, 'Two');
    const [a = '', b = '', c = ''] = laneIds;
    expect(winsIn(bench, laneIds)).toEqual(['better in 0 of 2', 'better in 0 of 2', 'better in 0 of 2']);
    expect(bench.actions.setVote(promptOf(bench, 1), a)).toBe('Lane A is better, turn 1.');
    expect(bench.actions.setVote(promptOf(bench, 1), c)).toBe('Lane C is better, turn 1.');
    expect(bench.actions.setVote(promptOf(bench, 2), 'equal')).toBe('Equal, turn 2.');
    const again = await reloaded(bench);
    expect(winsIn(again, laneIds)).toEqual(['better in 0 of 2', 'better in 0 of 2', 'better in 1 of 2']);
    expect(votesOf(again)).toHaveLength(1);
    expect(again.actions.setVote(promptOf(again, 1), c)).toBe('Choice taken back, turn 1.');
    expect(votesOf(again)).toBeUndefined();
    expect(b).not.toBe('');
  });

  it('is that of the versions that were compared: another answer has no vote, and the old one keeps it', async () => {
    const { bench, laneIds } = await compared(2);
    await ask(bench, 'Which one?');
    bench.actions.setVote(promptOf(bench), laneIds[1] ?? '');
    await bench.actions.regenerate(lastTurnIds(bench).slice(0, 1));
    expect(chosenIn(bench)).toBeUndefined();
    bench.actions.setVote(promptOf(bench), laneIds[0] ?? '');
    expect([chosenIn(bench), votesOf(bench)?.length]).toEqual(['A', 2]);
    bench.actions.stepAnswer(shownTurn(bench).id, -1);
    expect(chosenIn(bench)).toBe('B');
  });

  it('cannot be chosen while a lane runs, never where it failed, and the reason is said', async () => {
    const gate = aGate();
    let count = 0;
    const { bench, laneIds } = await compared(3, async (answer) => {
      count += 1;
      if (count === 1)
        return answer.json(503, { error: { message: 'No capacity', type: 'upstream', code: '503' } });
      if (count === 3) await gate.opened;
      return answer.whole(`Answer ${count}`);
    });
    const asked = ask(bench, 'Slowly');
    await until(() => bench.endedRuns.length === 2);
    expect(press(bench, '2')).toBe('Choose when C is done');
    expect(bench.actions.setVote(promptOf(bench), 'equal')).toBe('Choose when C is done.');
    expect(votesOf(bench)).toBeUndefined();
    gate.open();
    await asked;
    expect(press(bench, '1')).toBe('A failed');
    expect(press(bench, '3')).toBe('Lane C is better, turn 1.');
    expect(winsIn(bench, laneIds)[2]).toBe('better in 1 of 1');
  });

  it('is chosen by key in the turn in view, and by nothing where one lane answers', async () => {
    const { bench } = await compared(2);
    await ask(bench, 'One');
    await ask(bench, 'Two');
    expect(press(bench, '1')).toBe('Lane A is better, turn 2.');
    bench.view.setState({ promptInView: promptOf(bench, 1) });
    expect(press(bench, '0')).toBe('Equal, turn 1.');
    expect(press(bench, '5')).toBe('No answer of lane E here');
    const alone = await compared(1);
    await ask(alone.bench, 'One');
    expect(press(alone.bench, '1')).toBe('Only one lane answers this turn');
  });

  it('is chosen blind while names are hidden, and the header says neither model nor wins until they are shown', async () => {
    const { bench, laneIds } = await compared(2);
    await ask(bench, 'Who is it?');
    const header = () =>
      wordsIn(markupOf(bench, createElement(LaneHeader, { laneId: laneIds[0] ?? '', index: 0 })));
    const wins = () => wordsIn(markupOf(bench, createElement(LaneWins, { laneId: laneIds[0] ?? '' })));
    expect(wins()).toContain('better in 0 of 1');
    bench.view.setState({ namesHidden: true });
    expect(press(bench, '1')).toBe('Lane A is better, turn 1.');
    expect(votesOf(bench)).toMatchObject([{ blind: true }]);
    expect(header()).toContain('Model A');
    expect(header()).not.toMatch(/demo|better in/);
    bench.view.setState({ namesHidden: false });
    expect(wins()).toContain('better in 1 of 1');
  });

  it('is summed up in counts at the head of both files, lanes in their order, and none is called the winner', async () => {
    const { bench, laneIds } = await compared(2);
    for (const text of ['One', 'Two', 'Three']) await ask(bench, text);
    for (const [index, choice] of [laneIds[1] ?? '', laneIds[1] ?? '', 'equal'].entries())
      bench.actions.setVote(promptOf(bench, index + 1), choice);
    bench.messages.setRemark(shownTurn(bench, 1).id, { mark: 'good', text: undefined });

    const markdown = buildSessionMarkdown(bench.current());
    const html = renderSessionHtml(bench.current(), {});
    for (const [page, heading] of [
      [markdown, '## Summary'],
      [html, '<h2>Summary</h2>'],
    ] as const) {
      expect(page.indexOf(heading)).toBeGreaterThan(0);
      expect(page.indexOf(heading)).toBeLessThan(page.indexOf('Answer 1'));
      expect(page).not.toMatch(/winner/i);
    }
    const lines = buildSummaryMarkdown(summarizeSession(bench.current())).split('\n');
    const cells = (start: string) =>
      lines
        .find((line) => line.startsWith(`| ${start}`))
        ?.split('|')
        .map((cell) => cell.trim());
    expect(cells('A:')?.slice(2, 4)).toEqual(['0 of 3', '1 / 0']);
    expect(cells('B:')?.slice(2, 4)).toEqual(['2 of 3', '0 / 0']);
    expect(cells('Equal')?.[2]).toBe('1 of 3');
    expect(cells('3')?.slice(2, 4)).toEqual(['Three', 'Equal']);
    for (const line of lines.filter((each) => each.startsWith('|'))) expect(markdown).toContain(line);
  });

  it('is a group of radios under each turn of several lanes, from its start on', async () => {
    const { bench } = await compared(2);
    await ask(bench, 'One');
    const [row] = buildRows(bench.current());
    if (!row) throw new Error('There is no turn');
    const markup = markupOf(bench, createElement(VoteRow, { row }));
    expect(markup).toContain('aria-label="Better, turn 1"');
    for (const name of ['Lane A is better', 'Lane B is better', 'Equal'])
      expect(markup).toContain(`aria-label="${name}"`);
    expect(wordsIn(markup)).toContain('Which answer is better here?');
  });

  it('goes with a copy of the session, where all versions have ids of their own', async () => {
    const { bench, laneIds } = await compared(2);
    await ask(bench, 'Which one?');
    bench.actions.setVote(promptOf(bench), laneIds[1] ?? '');
    const copy = copySession(bench.current(), bench.environment, 'Copy').data;
    const [contest] = listTurnVotes(copy);
    const winner = contest?.options.find(({ turnId }) => turnId === contest.vote?.winner);
    expect(winner?.letter).toBe('B');
    expect(bench.current().turns[winner?.turnId ?? '']).toBeUndefined();
  });
});
