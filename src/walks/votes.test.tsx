/** Tests votes for the better lane, stored with the versions that were compared. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { voteCommands } from '../app/commands/vote-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { summarizeSession } from '../conversation/comparison/summary.ts';
import { listTurnVotes, describeWins } from '../conversation/comparison/turn-vote.ts';
import { buildSessionMarkdown, buildSummaryMarkdown } from '../conversation/files/markdown-export.ts';
import { buildPromptRows, type PromptRow } from '../conversation/session/prompt-rows.ts';
import { copySession } from '../conversation/session/read-session.ts';
import type { PromptId } from '../conversation/session/types.ts';
import { LaneWins } from '../features/compare/lane-wins.tsx';
import { VoteRow } from '../features/compare/vote-row.tsx';
import { LaneHeader } from '../features/lanes/lane-header.tsx';
import { renderSessionHtml } from '../features/session-files/render-session-html.ts';
import type { Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  reloadPage,
  getLaneTurn,
} from '../testing/conversation-driver.ts';
import { renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

async function createComparison(lanes: number, ...conversationArgs: Parameters<typeof createConversation>) {
  const conversation = await createConversation(...conversationArgs);
  for (let laneCount = 1; laneCount < lanes; laneCount += 1) conversation.bench.actions.addLane();
  return { ...conversation, laneIds: conversation.bench.getOpenSession().session.laneIds };
}

const getPromptId = (bench: Bench, number = 1): PromptId =>
  buildPromptRows(bench.getOpenSession())[number - 1]?.promptId ?? '';
const getVotes = (bench: Bench) => bench.getOpenSession().prompts[getPromptId(bench)]?.better;
const getWinnerLetter = (bench: Bench) => {
  const { vote, options } = listTurnVotes(bench.getOpenSession())[0] ?? { options: [] };
  return options.find(({ turnId }) => turnId === vote?.winner)?.letter ?? vote?.winner;
};
const listWins = (bench: Bench, laneIds: readonly string[]) =>
  laneIds.map((laneId) => describeWins(bench.getOpenSession(), laneId));

/**
 * Runs the voting command of a shortcut as if pressed outside a text field; returns its message or disabled
 * reason.
 */
function pressShortcut(bench: Bench, key: string): string | undefined {
  let message: string | undefined;
  const announce = (sentence: string) => {
    message = sentence;
  };
  const context = { ...bench, pageState: createPageState(), announce };
  const command = voteCommands.find(({ bindings }) => bindings?.includes(key));
  if (!command) throw new Error(`No command has the key ${key}`);
  const reason = command.getDisabledReason?.(context);
  if (reason !== undefined) return reason;
  void command.run(context);
  return message;
}

describe('vote for the better lane', () => {
  it('sets, changes and clears votes, counts them in lane headers and restores them after a reload', async () => {
    const { bench, laneIds } = await createComparison(3);
    await sendAndWait(bench, 'One');
    await sendAndWait(bench, 'Two');
    const [a = '', b = '', c = ''] = laneIds;
    expect(listWins(bench, laneIds), 'nothing before the first vote').toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(bench.actions.setVote(getPromptId(bench, 1), a)).toBe('Lane A is better, turn 1.');
    expect(bench.actions.setVote(getPromptId(bench, 1), c)).toBe('Lane C is better, turn 1.');
    expect(bench.actions.setVote(getPromptId(bench, 2), 'equal')).toBe('Equal, turn 2.');
    const reloadedBench = await reloadPage(bench);
    expect(listWins(reloadedBench, laneIds)).toEqual([
      'better in 0 of 2',
      'better in 0 of 2',
      'better in 1 of 2',
    ]);
    expect(getVotes(reloadedBench)).toHaveLength(1);
    expect(reloadedBench.actions.setVote(getPromptId(reloadedBench, 1), c)).toBe('Vote removed, turn 1.');
    expect(getVotes(reloadedBench)).toBeUndefined();
    expect(b).not.toBe('');
  });

  it('stores a vote with the compared versions, so that a new answer starts without a vote', async () => {
    const { bench, laneIds } = await createComparison(2);
    await sendAndWait(bench, 'Which one?');
    bench.actions.setVote(getPromptId(bench), laneIds[1] ?? '');
    await bench.actions.regenerate(getLastTurnIds(bench).slice(0, 1));
    expect(getWinnerLetter(bench)).toBeUndefined();
    bench.actions.setVote(getPromptId(bench), laneIds[0] ?? '');
    expect([getWinnerLetter(bench), getVotes(bench)?.length]).toEqual(['A', 2]);
    bench.actions.stepAnswer(getLaneTurn(bench).id, -1);
    expect(getWinnerLetter(bench)).toBe('B');
  });

  it('rejects, with the reason, a vote for a failed lane and any vote while a lane runs', async () => {
    const gate = createGate();
    let count = 0;
    const { bench, laneIds } = await createComparison(3, async (answer) => {
      count += 1;
      if (count === 1)
        return answer.sendJson(503, { error: { message: 'No capacity', type: 'upstream', code: '503' } });
      if (count === 3) await gate.opened;
      return answer.sendAnswer(`Answer ${count}`);
    });
    const sendPromise = sendAndWait(bench, 'Slowly');
    await waitUntil(() => bench.endedRuns.length === 2);
    expect(pressShortcut(bench, '2')).toBe('Wait for C');
    expect(bench.actions.setVote(getPromptId(bench), 'equal')).toBe('Wait for C.');
    expect(getVotes(bench)).toBeUndefined();
    gate.open();
    await sendPromise;
    expect(pressShortcut(bench, '1')).toBe('A failed');
    expect(pressShortcut(bench, '3')).toBe('Lane C is better, turn 1.');
    expect(listWins(bench, laneIds)[2]).toBe('better in 1 of 1');
  });

  it('votes on the turn in view with a key, but not if there is a single lane', async () => {
    const { bench } = await createComparison(2);
    await sendAndWait(bench, 'One');
    await sendAndWait(bench, 'Two');
    expect(pressShortcut(bench, '1')).toBe('Lane A is better, turn 2.');
    bench.view.setState({ promptInView: getPromptId(bench, 1) });
    expect(pressShortcut(bench, '0')).toBe('Equal, turn 1.');
    expect(pressShortcut(bench, '5')).toBe('Lane E has no answer here');
    const singleLane = await createComparison(1);
    await sendAndWait(singleLane.bench, 'One');
    expect(pressShortcut(singleLane.bench, '1')).toBe('This turn has answers in one lane only');
  });

  it('accepts blind votes while names are hidden, and hides models and wins until names are shown', async () => {
    const { bench, laneIds } = await createComparison(2);
    await sendAndWait(bench, 'Who is it?');
    const renderHeader = () => renderText(bench, <LaneHeader laneId={laneIds[0] ?? ''} index={0} />);
    const renderWins = () => renderText(bench, <LaneWins laneId={laneIds[0] ?? ''} />);
    bench.view.setState({ namesHidden: true });
    expect(pressShortcut(bench, '1')).toBe('Lane A is better, turn 1.');
    expect(getVotes(bench)).toMatchObject([{ blind: true }]);
    expect(renderHeader()).toContain('Model A');
    expect(renderHeader()).not.toMatch(/demo|better in/);
    bench.view.setState({ namesHidden: false });
    expect(renderWins()).toContain('better in 1 of 1');
  });

  it('summarises votes in both export files in lane order, without naming a winner', async () => {
    const { bench, laneIds } = await createComparison(2);
    for (const text of ['One', 'Two', 'Three']) await sendAndWait(bench, text);
    for (const [index, choice] of [laneIds[1] ?? '', laneIds[1] ?? '', 'equal'].entries())
      bench.actions.setVote(getPromptId(bench, index + 1), choice);
    bench.messages.setRemark(getLaneTurn(bench, 1).id, { mark: 'good', text: undefined });

    const markdown = buildSessionMarkdown(bench.getOpenSession());
    const html = renderSessionHtml(bench.getOpenSession(), {});
    for (const [output, heading] of [
      [markdown, '## Summary'],
      [html, '<h2>Summary</h2>'],
    ] as const) {
      expect(output.indexOf(heading)).toBeGreaterThan(0);
      expect(output.indexOf(heading)).toBeLessThan(output.indexOf('Answer 1'));
      expect(output).not.toMatch(/winner/i);
    }
    const lines = buildSummaryMarkdown(summarizeSession(bench.getOpenSession())).split('\n');
    const getCells = (start: string) =>
      lines
        .find((line) => line.startsWith(`| ${start}`))
        ?.split('|')
        .map((cell) => cell.trim());
    expect(getCells('A:')?.slice(2, 4)).toEqual(['0 of 3', '1 / 0']);
    expect(getCells('B:')?.slice(2, 4)).toEqual(['2 of 3', '0 / 0']);
    expect(getCells('Equal')?.[2]).toBe('1 of 3');
    expect(getCells('3')?.slice(2, 4)).toEqual(['Three', 'Equal']);
    for (const line of lines.filter((row) => row.startsWith('|'))) expect(markdown).toContain(line);
  });

  it('shows a radio group below each turn of several lanes', async () => {
    const { bench } = await createComparison(2);
    await sendAndWait(bench, 'One');
    const [row] = buildPromptRows(bench.getOpenSession());
    if (!row) throw new Error('The turn is missing');
    const { container } = renderWithPlayground(<VoteRow row={row} isLast />, { playground: bench });
    const group = screen.getByRole('radiogroup', { name: 'Better, turn 1' });
    const names = within(group)
      .getAllByRole('radio')
      .map((radio) => radio.getAttribute('aria-label'));
    expect(names).toEqual(['Lane A is better', 'Lane B is better', 'Equal']);
    expect(container.textContent).toContain('Which answer is better?');
  });

  it('shows key hints only in the turn in view', async () => {
    const { bench } = await createComparison(2);
    await sendAndWait(bench, 'One');
    await sendAndWait(bench, 'Two');
    const [first, last] = buildPromptRows(bench.getOpenSession());
    if (!first || !last) throw new Error('The turns are missing');
    const countHints = (row: PromptRow, isLast: boolean) => {
      const { container, unmount } = renderWithPlayground(<VoteRow row={row} isLast={isLast} />, {
        playground: bench,
      });
      const { length } = container.querySelectorAll('kbd');
      unmount();
      return length;
    };
    expect([countHints(first, false), countHints(last, true)]).toEqual([0, 3]);
    bench.view.setState({ promptInView: first.promptId });
    expect([countHints(first, false), countHints(last, true)]).toEqual([3, 0]);
  });

  it('copies votes with a session whose versions get new IDs', async () => {
    const { bench, laneIds } = await createComparison(2);
    await sendAndWait(bench, 'Which one?');
    bench.actions.setVote(getPromptId(bench), laneIds[1] ?? '');
    const copy = copySession(bench.getOpenSession(), bench.environment, 'Copy').data;
    const [turnVote] = listTurnVotes(copy);
    const winner = turnVote?.options.find(({ turnId }) => turnId === turnVote.vote?.winner);
    expect(winner?.letter).toBe('B');
    expect(bench.getOpenSession().turns[winner?.turnId ?? '']).toBeUndefined();
  });
});
