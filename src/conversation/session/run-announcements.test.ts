import { describe, expect, it } from 'vitest';

import { createTestEnvironment, createTestSession, createTestSetup } from '../../testing/builders.ts';
import { addPrompt, addTurn } from './edit-session.ts';
import { describeEndedRuns, describeSentRuns, findSentenceEnd } from './run-announcements.ts';
import type { Run, RunPhase, SessionData } from './types.ts';

/** Creates a session with one lane and one run per phase. */
function createSessionWithRuns(...phases: RunPhase[]): { data: SessionData; runs: Run[] } {
  const environment = createTestEnvironment();
  let data = createTestSession(
    environment,
    phases.map(() => createTestSetup()),
  );
  const prompted = addPrompt(data, environment, { messages: [{ role: 'user', content: 'Hi' }] });
  data = prompted.data;
  const runs = phases.flatMap((phase, index) => {
    const laneId = data.session.laneIds[index] ?? '';
    const added = addTurn(data, environment, laneId, { promptId: prompted.promptId, run: true });
    const run = added.data.runs[added.runId ?? ''];
    if (!run) return [];
    const endedRun: Run = {
      ...run,
      phase,
      deltas: 1,
      choices: [{ parts: [{ type: 'text', text: 'Yes.' }], finishReason: 'stop' }],
    };
    data = { ...added.data, runs: { ...added.data.runs, [run.id]: endedRun } };
    return [endedRun];
  });
  return { data, runs };
}

const overloadedPhase: RunPhase = {
  name: 'failed',
  error: { source: 'provider', kind: 'overloaded', message: 'busy' },
};

describe('run announcements', () => {
  it('announces how many lanes a prompt was sent to', () => {
    const { data, runs } = createSessionWithRuns(
      { name: 'waiting' },
      { name: 'waiting' },
      { name: 'waiting' },
    );
    const ids = runs.map((run) => run.id);
    expect(describeSentRuns(data, ids)).toBe('Sent to 3 lanes.');
    expect(describeSentRuns(data, ids.slice(1, 2))).toBe('Sent to lane B.');
  });

  it('announces completed lanes together and describes failures', () => {
    const { data, runs } = createSessionWithRuns({ name: 'complete' }, { name: 'complete' }, overloadedPhase);
    expect(describeEndedRuns(data, runs)).toBe('Lanes A and B done. C failed: The provider is overloaded.');
    expect(describeEndedRuns(data, runs.slice(2))).toBe('Lane C failed: The provider is overloaded.');
    expect(describeEndedRuns(data, runs.slice(1, 2))).toBe('Lane B done.');
    const twiceEnded = [...runs.slice(1, 2), ...runs.slice(1, 2)];
    expect(describeEndedRuns(data, twiceEnded)).toBe('Lane B done.');
  });

  it('announces stopped runs with the tokens received', () => {
    const { data, runs } = createSessionWithRuns({ name: 'stopped' });
    expect(describeEndedRuns(data, runs)).toBe('Lane A: Stopped after 1 token.');
  });

  it('announces nothing for live runs', () => {
    const { data, runs } = createSessionWithRuns({ name: 'streaming' });
    expect(describeEndedRuns(data, runs)).toBe('');
  });
});

describe('sentence detection in growing text', () => {
  /** Returns the text announced at each step, and finally the remaining text. */
  function splitAnnouncements(...pieces: string[]): string[] {
    const steps: string[] = [];
    let [text, startOffset] = ['', 0];
    for (const piece of pieces) {
      text += piece;
      const endOffset = findSentenceEnd(text, startOffset);
      const sentence = text.slice(startOffset, endOffset).trim();
      if (sentence !== '') steps.push(sentence);
      startOffset = endOffset;
    }
    return [...steps, text.slice(startOffset).trim()];
  }

  it('ends a sentence only when the next word has started', () => {
    expect(splitAnnouncements('It is 3', '.5 now', '. Then', ' it ends. ')).toEqual([
      'It is 3.5 now.',
      'Then it ends.',
      '',
    ]);
  });

  it('ends sentences at paragraphs and list items', () => {
    expect(splitAnnouncements('First of all\n\nThe', ' list\n- one', '\n- two')).toEqual([
      'First of all',
      'The list',
      '- one',
      '- two',
    ]);
  });

  it('does not end a sentence after a list number', () => {
    expect(splitAnnouncements('1. ', 'Wait.\n', '2. Go')).toEqual(['1. Wait.', '2. Go']);
  });

  it('keeps a code block in one piece', () => {
    expect(splitAnnouncements('Look:\n\n```js\n', 'a(); // Stop. Here.\n', '\n```\n\n', 'Done')).toEqual([
      'Look:',
      '```js\na(); // Stop. Here.\n\n```',
      'Done',
    ]);
  });
});
