import { expect, it } from 'vitest';

import { aTrial } from '../../testing/trials.ts';
import { readNews } from './trial-tab-messages.ts';

const key = { caseId: '1', columnId: 'a', repeat: 1 };
const cell = {
  ...key,
  runId: 'run',
  tries: 1,
  outcome: 'answered',
  head: 'billing',
  answerHash: '0',
  scores: {},
} as const;
const mark = { trialId: 'trial', key, mark: 'right', at: 1 } as const;
const parts = {
  title: 'Mine',
  trial: aTrial(2),
  cases: [{ id: '1', values: { ticket: 'one' } }],
  cells: [cell],
  live: [{ ...key, runId: 'run', life: 'waiting' }],
  marks: [{ name: '1 a 1', mark }, { name: '2 a 1' }],
  letGo: true,
};

it('what another tab tells is heard part by part, and of a trial alone', () => {
  expect(readNews({ trialId: 'trial', ...parts })).toEqual({ trialId: 'trial', ...parts });
  expect(readNews({ trialId: 'trial' })).toEqual({ trialId: 'trial' });
  expect([readNews(parts), readNews(undefined), readNews('trial')]).toEqual(Array(3).fill(undefined));
  for (const [name, part] of Object.entries(parts))
    expect(readNews({ trialId: 'trial', [name]: part }), name).toEqual({ trialId: 'trial', [name]: part });
});

it('a part that cannot be read is not heard, and those beside it are', () => {
  const wrong = {
    title: 5,
    trial: { ...parts.trial, batches: 'none' },
    cases: [{ id: '1' }],
    cells: [{ ...cell, outcome: 'unknown' }],
    live: [{ ...key, runId: 'run', life: 'gone' }],
    marks: [{ name: '1 a 1', mark: { ...mark, mark: 'maybe' } }],
    letGo: 'yes',
  };
  for (const [name, part] of Object.entries(wrong)) {
    const news = { trialId: 'trial', ...parts, [name]: part };
    const others = Object.fromEntries(Object.entries(news).filter(([each]) => each !== name));
    expect(readNews(news), name).toEqual(others);
  }
});
