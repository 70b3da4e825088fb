/**
 * Answers the questions of the example trials with the accuracy, latency and failure rate set in the request, so that
 * trial results can be compared with known true values.
 */
import { getNumberProperty } from '../../lib/json.ts';
import { createSeededRandom, toShuffled } from '../../lib/random.ts';
import {
  questionLabels,
  questions,
  type Question,
  type QuestionKind,
} from '../../trials/starters/questions.ts';
import { ApiError } from '../api-error.ts';
import type { DemoModel, DemoRequest, ResponseStart } from '../model.ts';
import { getLastUserText, getMessageText } from './prompt-text.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';

/** Acklam's coefficients, for the centre and the tails of the distribution. */
const middleNumerator = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const middleDenominator = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
  1,
];
const tailNumerator = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const tailDenominator = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];

export const quiz: DemoModel = {
  id: 'demo/quiz',
  description: 'Answers the 160 questions in the example trials with the accuracy you set.',
  abilities: { vision: false, tools: false, thinking: false },
  getResponseStart(request) {
    return drawOutcome(request, findQuestion(request)).responseStart;
  },
  *reply(request) {
    const question = findQuestion(request);
    if (!question) {
      yield* request.isJsonMode
        ? toJsonOutput({ answer: unknownQuestionText })
        : toTextOutput(unknownQuestionText);
      return;
    }
    const { isRight } = drawOutcome(request, question);
    const answer = isRight ? question.answer : createWrongAnswer(question);
    yield* isJsonRequested(request)
      ? toJsonOutput({ [question.kind]: toAnswerValue(question, answer), why: getReason(question) })
      : toTextOutput(answer);
  },
};

const unknownQuestionText = 'I only know the 160 questions in the example trials.';

/** Returns the longest known question in the last user message. */
function findQuestion({ messages }: DemoRequest): Question | undefined {
  const text = getLastUserText(messages);
  return questions
    .filter((question) => text.includes(question.text))
    .toSorted((a, b) => b.text.length - a.text.length)[0];
}

function isJsonRequested({ isJsonMode, messages }: DemoRequest): boolean {
  return isJsonMode || messages.some((message) => /\bJSON\b/.test(getMessageText(message)));
}

/** Ease of each question within its kind: quantiles of the normal distribution in a fixed shuffled order. */
const easeByQuestion: ReadonlyMap<string, number> = new Map(
  (['team', 'answer', 'severity'] satisfies QuestionKind[]).flatMap((kind) => {
    const kindQuestions = toShuffled(
      questions.filter((question) => question.kind === kind),
      createSeededRandom(`demo/quiz/${kind}`),
    );
    return kindQuestions.map(({ text }, index): [string, number] => [
      text,
      computeNormalQuantile((index + 0.5) / kindQuestions.length),
    ]);
  }),
);

/** Log-normal spread of the time to first token around `demo_latency_ms`. */
const latencySpread = 0.35;

/** Draws failure, latency and correctness in this order, so that repeated calls yield the same outcome. */
function drawOutcome(
  request: DemoRequest,
  question: Question | undefined,
): { responseStart: ResponseStart; isRight: boolean } {
  const { fields, candidate } = request;
  const isZeroTemperature = getNumberProperty(fields, 'temperature') === 0;
  const seed = getNumberProperty(fields, 'seed');
  const text = question?.text ?? '';
  const isSeeded = isZeroTemperature || seed !== undefined;
  const random = isSeeded
    ? createSeededRandom(isZeroTemperature ? text : `${seed}/${candidate}/${text}`)
    : request.random;
  const shouldFail = random() < (getNumberProperty(fields, 'demo_fail') ?? 0);
  const firstTokenMs =
    (getNumberProperty(fields, 'demo_latency_ms') ?? 300) *
    Math.exp(latencySpread * computeNormalQuantile(random()));
  const luck = computeNormalQuantile(random());
  const ease = easeByQuestion.get(text) ?? 0;
  const accuracy = getNumberProperty(fields, 'demo_accuracy') ?? 0.8;
  return {
    responseStart: shouldFail ? { error: createOverloadedError() } : { firstTokenMs },
    isRight: Math.SQRT1_2 * (ease + luck) < computeNormalQuantile(accuracy),
  };
}

function createOverloadedError(): ApiError {
  return new ApiError('overloaded_error', 'The model is overloaded. Try again later.');
}

/** Returns a wrong answer, which is always the same for a question. */
function createWrongAnswer({ kind, text, answer }: Question): string {
  const random = createSeededRandom(text);
  if (kind === 'answer')
    return String(Number(answer) + (random() < 0.5 ? -1 : 1) * (1 + Math.floor(9 * random())));
  const wrongLabels = questionLabels[kind].filter((label) => label !== answer);
  return wrongLabels[Math.floor(random() * wrongLabels.length)] ?? '';
}

function toAnswerValue({ kind }: Question, answer: string): string | number {
  return kind === 'answer' ? Number(answer) : answer;
}

/** Returns the first words of the question as a reason that does not reveal the answer. */
function getReason({ text }: Question): string {
  return text.replace(/[.?]$/, '').split(' ').slice(0, 6).join(' ');
}

/** Returns the quantile of the normal distribution (Acklam's algorithm, error about 1e-9); infinite at 0 and 1. */
export function computeNormalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY;
  if (p >= 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -computeNormalQuantile(1 - p);
  const evaluatePolynomial = (coefficients: readonly number[], x: number): number =>
    coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return evaluatePolynomial(tailNumerator, q) / evaluatePolynomial(tailDenominator, q);
  }
  const q = p - 0.5;
  return (q * evaluatePolynomial(middleNumerator, q * q)) / evaluatePolynomial(middleDenominator, q * q);
}
