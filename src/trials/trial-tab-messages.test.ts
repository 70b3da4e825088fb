import { expect, it } from 'vitest';

import { createTestTrial } from '../testing/trials.ts';
import { parseTrialMessage } from './trial-schemas.ts';

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
const messageFields = {
  title: 'Mine',
  trial: createTestTrial(2),
  cases: [{ id: '1', values: { ticket: 'one' } }],
  cells: [cell],
  live: [{ ...key, runId: 'run', status: 'waiting' }],
  marks: [{ name: '1 a 1', mark }, { name: '2 a 1' }],
  release: true,
};

it('parses each field of a message about a trial', () => {
  expect(parseTrialMessage({ trialId: 'trial', ...messageFields })).toEqual({
    trialId: 'trial',
    ...messageFields,
  });
  expect(parseTrialMessage({ trialId: 'trial' })).toEqual({ trialId: 'trial' });
  expect([
    parseTrialMessage(messageFields),
    parseTrialMessage(undefined),
    parseTrialMessage('trial'),
  ]).toEqual(Array(3).fill(undefined));
  for (const [name, value] of Object.entries(messageFields))
    expect(parseTrialMessage({ trialId: 'trial', [name]: value }), name).toEqual({
      trialId: 'trial',
      [name]: value,
    });
});

it('omits an invalid field and keeps the others', () => {
  const invalidFields = {
    title: 5,
    trial: { ...messageFields.trial, batches: 'none' },
    cases: [{ id: '1' }],
    cells: [{ ...cell, outcome: 'unknown' }],
    live: [{ ...key, runId: 'run', status: 'gone' }],
    marks: [{ name: '1 a 1', mark: { ...mark, mark: 'maybe' } }],
    release: 'yes',
  };
  for (const [name, value] of Object.entries(invalidFields)) {
    const message = { trialId: 'trial', ...messageFields, [name]: value };
    const remaining = Object.fromEntries(Object.entries(message).filter(([key]) => key !== name));
    expect(parseTrialMessage(message), name).toEqual(remaining);
  }
});
