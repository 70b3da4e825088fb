import { describe, expect, it } from 'vitest';

import { duplicateLane } from '../../conversation/session/lanes.ts';
import { anEnvironment, aSession, laneOf, say } from '../../testing/builders.ts';
import { anAnsweredRun, aTrial, someColumns } from '../../testing/trials.ts';
import type { Case } from '../../trials/trial.ts';
import { columnsOfLanes, sessionOfCase } from './trial-lanes.ts';

describe('the lanes of a session', () => {
  it('become a column each, with the words of the prompt that was sent last in any of them', () => {
    const environment = anEnvironment();
    const first = say(aSession(environment), environment, 'Hello').data;
    // The second lane ends with the first prompt.
    const both = duplicateLane(first, environment, laneOf(first).id);
    const { data } = say(both, environment, 'And then?');
    const { setup } = laneOf(data);
    expect(columnsOfLanes(data)).toEqual({
      columns: [{ setup }, { setup }],
      messages: [{ role: 'user', content: 'And then?' }],
    });
    expect(columnsOfLanes(aSession(environment)).messages).toEqual([]);
  });
});

describe('a case as a session', () => {
  const [one, two, three] = someColumns('north/one', 'north/two', 'north/three');
  if (!one || !two || !three) throw new Error('There are three');
  const trial = aTrial(1, { columns: [one, two, three] });
  const asked: Case = {
    id: '1',
    values: { ticket: 'a lamp', team: 'billing' },
    history: [{ role: 'user', content: 'Before: {{ticket}}' }],
  };
  const answer = {
    run: anAnsweredRun('billing', {
      cell: { trialId: 'trial', caseId: '1', columnId: 'a', repeat: 1 },
    }),
    tape: [{ at: 1, data: 'x' }],
  };

  it('has a prompt for each wording, a lane for each column, and what was answered as runs of its own', () => {
    const worded = { ...two, messages: [{ role: 'user' as const, content: 'Sort {{ticket}}' }] };
    const { data, tapes } = sessionOfCase(
      trial,
      asked,
      [{ column: one, answer }, { column: worded }, { column: three }],
      anEnvironment(),
    );
    const { session, prompts, lanes, turns, runs } = data;
    const said = (text: string) => [
      { role: 'user', content: 'Before: a lamp' },
      { role: 'user', content: text },
    ];
    expect(Object.values(prompts).map(({ seq, messages }) => [seq, messages])).toEqual([
      [1000, said('a lamp')],
      [2000, said('Sort a lamp')],
    ]);
    const shown = session.laneIds.map((id) => {
      const turn = turns[lanes[id]?.tip ?? ''];
      const runId = turn?.reply?.kind === 'run' ? turn.reply.runId : undefined;
      return {
        model: lanes[id]?.setup.model,
        seq: turn?.seq,
        prompt: prompts[turn?.promptId ?? '']?.seq,
        isAnswered: runId !== undefined,
      };
    });
    expect(shown).toEqual([
      { model: 'north/one', seq: 1001, prompt: 1000, isAnswered: true },
      { model: 'north/two', seq: 2002, prompt: 2000, isAnswered: false },
      { model: 'north/three', seq: 1003, prompt: 1000, isAnswered: false },
    ]);
    const [[runId, run] = ['', undefined]] = Object.entries(runs);
    expect(run).toMatchObject({ id: runId, sessionId: session.id, choices: answer.run.choices });
    expect(run, 'it is no longer a cell').not.toHaveProperty('cell');
    expect(runId).not.toBe(answer.run.id);
    expect([...tapes]).toEqual([[runId, answer.tape]]);
    expect(session).toMatchObject({ title: 'Before: a lamp', variables: asked.values });
    expect(session.summary).toMatchObject({ models: [answer.run.setup.model], prompts: 2 });
  });

  it('has no variables where the case has no values', () => {
    const { data } = sessionOfCase(trial, { id: '1', values: {} }, [{ column: one }], anEnvironment());
    expect(data.session).not.toHaveProperty('variables');
    expect(Object.values(data.prompts)[0]?.messages).toEqual([{ role: 'user', content: '{{ticket}}' }]);
  });
});
