import { describe, expect, it } from 'vitest';

import { isRecord, parseJson, type JsonObject } from '../../lib/json.ts';
import { createSeededRandom } from '../../lib/random.ts';
import { createModelRequest, createDemoPost, getReplyText } from '../../testing/demo-requests.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { questionLabels, questions, type QuestionKind } from '../../trials/starters/questions.ts';
import { computeLogEvidence } from '../../trials/statistics/sequential-test.ts';
import { createDemoGateway } from '../gateway.ts';
import { computeNormalQuantile, quiz } from './quiz.ts';

/** Returns the reply to a single user message. */
const getReply = (text: string, options: Parameters<typeof createModelRequest>[1] = {}): string =>
  getReplyText(quiz, createModelRequest(text, options));
const listQuestions = (kind: QuestionKind) => questions.filter((question) => question.kind === kind);

/** Returns the share of correct answers to questions of one kind over several random rounds. */
function computeAccuracy(kind: QuestionKind, fields: JsonObject, rounds = 60): number {
  let rightCount = 0;
  for (let round = 1; round <= rounds; round += 1)
    for (const { text, answer } of listQuestions(kind))
      if (getReply(text, { fields, seed: round * 1000 + text.length }) === answer) rightCount += 1;
  return rightCount / rounds / listQuestions(kind).length;
}

describe('demo/quiz', () => {
  it('contains 60 tickets, 60 sums and dates and 40 outages without duplicates', () => {
    expect((['team', 'answer', 'severity'] as const).map((kind) => listQuestions(kind).length)).toEqual([
      60, 60, 40,
    ]);
    expect(new Set(questions.map(({ text }) => text)).size).toBe(160);
    for (const { text, answer } of listQuestions('answer')) {
      const [, leftText = '', sign = '', rightText = ''] = /(\d+) ([+−×]) (\d+)/.exec(text) ?? [];
      if (sign === '') continue;
      const [left, right] = [Number(leftText), Number(rightText)];
      expect(answer).toBe(String(sign === '+' ? left + right : sign === '−' ? left - right : left * right));
    }
    expect(listQuestions('answer').find(({ text }) => text.includes('from'))?.text).toMatch(
      /^How many days are there from \d+ \w+ 20\d\d to \d+ \w+ 20\d\d\?$/,
    );
  });

  it('finds a question inside a longer message and states when there is none', () => {
    const [question] = questions;
    expect(
      getReply(`Ticket: ${question?.text}\nWhich team takes it?`, { fields: { demo_accuracy: 1 } }),
    ).toBe('billing');
    expect(getReply('What is the meaning of life?')).toBe(
      'I only know the 160 questions in the example trials.',
    );
  });

  it.each([
    ['team', 0.65],
    ['team', 0.92],
    ['answer', 0.8],
    ['severity', 0.7],
  ] as const)('answers %s questions with the requested accuracy of %d', (kind, demo_accuracy) => {
    expect(Math.abs(computeAccuracy(kind, { demo_accuracy }) - demo_accuracy)).toBeLessThan(0.03);
  });

  it('gives only correct answers at accuracy 1 and only wrong ones at 0, with labels of the right kind', () => {
    expect(computeAccuracy('team', { demo_accuracy: 1 }, 2)).toBe(1);
    expect(computeAccuracy('severity', { demo_accuracy: 0 }, 2)).toBe(0);
    for (const { text } of listQuestions('severity'))
      expect(questionLabels.severity).toContain(getReply(text, { fields: { demo_accuracy: 0 } }));
    for (const { text } of listQuestions('answer'))
      expect(getReply(text, { fields: { demo_accuracy: 0 } })).toMatch(/^-?\d+$/);
  });

  it('makes the same questions difficult in every setup', () => {
    const gradeAnswers = (accuracy: number, seed: number) =>
      listQuestions('team').map(
        ({ text, answer }) => getReply(text, { fields: { demo_accuracy: accuracy }, seed }) === answer,
      );
    let [bothCount, firstCount, secondCount] = [0, 0, 0];
    for (let round = 1; round <= 40; round += 1) {
      const [first, second] = [gradeAnswers(0.8, round), gradeAnswers(0.8, 1000 + round)];
      first.forEach((isRight, index) => {
        bothCount += Number(isRight && second[index] === true);
        firstCount += Number(isRight);
        secondCount += Number(second[index]);
      });
    }
    const totalCount = 40 * 60;
    // If both columns were independent, 0.64 of the questions would be correct in both.
    expect(bothCount / totalCount - (firstCount / totalCount) * (secondCount / totalCount)).toBeGreaterThan(
      0.03,
    );
  });

  it('decides most trials with accuracies 0.65 and 0.92 over 60 tickets, but few with 0.8 and 0.8', () => {
    const trialCount = getCaseCount(40, 40);
    const computeDecidedShare = (
      firstAccuracy: number,
      secondAccuracy: number,
      kind: QuestionKind,
    ): number => {
      let count = 0;
      for (let trial = 0; trial < trialCount; trial += 1) {
        let [better, worse, maxEvidence] = [0, 0, 0];
        listQuestions(kind).forEach(({ text, answer }, index) => {
          const isRight = (demo_accuracy: number, seed: number) =>
            getReply(text, { fields: { demo_accuracy }, seed }) === answer;
          const [isFirstRight, isSecondRight] = [
            isRight(firstAccuracy, 1e6 + trial * 1000 + index),
            isRight(secondAccuracy, 2e9 + trial * 1000 + index),
          ];
          if (isSecondRight && !isFirstRight) better += 1;
          if (isFirstRight && !isSecondRight) worse += 1;
          maxEvidence = Math.max(maxEvidence, computeLogEvidence(better, worse));
        });
        if (maxEvidence >= Math.log(20)) count += 1;
      }
      return count / trialCount;
    };
    // The true shares are 94% and 1%; the tolerance is four standard errors.
    expect(computeDecidedShare(0.65, 0.92, 'team')).toBeGreaterThan(
      0.94 - 4 * Math.sqrt((0.94 * 0.06) / trialCount),
    );
    expect(computeDecidedShare(0.8, 0.8, 'answer')).toBeLessThan(
      0.01 + 4 * Math.sqrt((0.01 * 0.99) / trialCount),
    );
  });

  it('repeats its answers only at temperature 0 or with a seed', () => {
    const getAnswers = (fields: JsonObject) =>
      [1, 2, 3, 4, 5, 6].map((seed) =>
        listQuestions('team')
          .slice(0, 20)
          .map(({ text }, index) =>
            getReply(text, { fields: { demo_accuracy: 0.5, ...fields }, seed: 100 * seed + index }),
          )
          .join(),
      );
    expect(new Set(getAnswers({ temperature: 0 })).size).toBe(1);
    expect(new Set(getAnswers({ seed: 7 })).size).toBe(1);
    expect(new Set(getAnswers({})).size).toBe(6);
  });

  it('answers in JSON if the mode or the prompt requests it', () => {
    const [question] = listQuestions('answer');
    const getJsonReply = (text: string, isJsonMode: boolean) => {
      const parsed = parseJson(getReply(text, { isJsonMode, fields: { demo_accuracy: 1 } }));
      return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
    };
    expect(getJsonReply(question?.text ?? '', true)).toEqual({
      answer: Number(question?.answer),
      why: 'What is 13 + 11',
    });
    expect(getJsonReply(`Answer with JSON. ${questions[0]?.text}`, false)).toHaveProperty('team', 'billing');
  });

  it('computes quantiles of the normal distribution', () => {
    expect([0.5, 0.975, 0.025, 0.001, 0, 1].map(computeNormalQuantile)).toEqual([
      0,
      expect.closeTo(1.959963984540054, 7),
      expect.closeTo(-1.959963984540054, 7),
      expect.closeTo(-3.090232306167813, 7),
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
  });
});

describe('demo/quiz through the gateway', () => {
  /** Runs several requests with different questions and returns their answers and latencies. */
  async function runRequests(fields: JsonObject, count = 1) {
    const latenciesMs: number[] = [];
    const random = createSeededRandom('ids');
    let clockMs = 0;
    const gateway = createDemoGateway({
      createId: () => String(random()),
      now: () => clockMs,
      wait: async (ms) => {
        clockMs += ms;
      },
    });
    const statuses: number[] = [];
    const texts: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const startMs = clockMs;
      const response = await gateway(
        createDemoPost('/v1/chat/completions', {
          model: 'demo/quiz',
          messages: [{ role: 'user', content: questions[index % 60]?.text }],
          ...fields,
        }),
      );
      statuses.push(response.status);
      texts.push(await response.text());
      latenciesMs.push(clockMs - startMs);
    }
    return { statuses, texts, latenciesMs };
  }

  it('responds with the requested latency and failure rate', async () => {
    const { statuses, latenciesMs } = await runRequests({ demo_latency_ms: 1000, demo_fail: 0.2 }, 120);
    const failures = statuses.filter((status) => status === 503).length;
    expect(failures).toBeGreaterThan(12);
    expect(failures).toBeLessThan(40);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    const sorted = latenciesMs.filter((ms) => ms > 0).toSorted((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeGreaterThan(700);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1400);
  });

  it('fails like an overloaded provider, with status 503', async () => {
    const { statuses, texts } = await runRequests({ demo_fail: 1 });
    expect(statuses).toEqual([503]);
    expect(JSON.parse(texts[0] ?? '')).toEqual({
      error: { message: 'The model is overloaded. Try again later.', type: 'overloaded_error', code: '503' },
    });
  });

  it('rejects quiz fields outside their range', async () => {
    const { statuses, texts } = await runRequests({ demo_accuracy: 1.2 });
    expect(statuses).toEqual([400]);
    expect(texts[0]).toContain('demo_accuracy is 1.2; it must be a number from 0 to 1.');
  });
});
