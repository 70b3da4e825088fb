/**
 * Answers the questions of the starters of trials, as often rightly, as soon and as reliably as the request asks for; so
 * what a trial finds can be held against what is true.
 */
import { getNumberProperty } from '../../lib/json.ts';
import { createStringSeededRandom, toShuffled } from '../../lib/random.ts';
import {
  questionLabels,
  questions,
  type Question,
  type QuestionKind,
} from '../../trials/starters/questions.ts';
import { ApiError } from '../api-error.ts';
import type { DemoModel, DemoRequest, Opening } from '../model.ts';
import { lastUserText, textOf } from './prompt-text.ts';
import { textPieces, valuePieces } from './text-output.ts';

/** Acklam's coefficients, for the middle of the distribution and for its tails. */
const middleTop = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const middleBottom = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
  1,
];
const tailTop = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const tailBottom = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];

export const quiz: DemoModel = {
  id: 'demo/quiz',
  about: 'Answers the 160 questions of the starters of trials, rightly as often as it is asked to.',
  abilities: { vision: false, tools: false, thinking: false },
  opening(request) {
    return drawsOf(request, questionIn(request)).opening;
  },
  *reply(request) {
    const question = questionIn(request);
    if (!question) {
      yield* request.wantsJson ? valuePieces({ answer: otherQuestion }) : textPieces(otherQuestion);
      return;
    }
    const { isRight } = drawsOf(request, question);
    const answer = isRight ? question.answer : wrongAnswer(question);
    yield* wantsJson(request)
      ? valuePieces({ [question.kind]: answerValue(question, answer), why: whyOf(question) })
      : textPieces(answer);
  },
};

const otherQuestion = 'I know the 160 questions of the starters only.';

/** The longest of the questions in the last message of the user. */
function questionIn({ messages }: DemoRequest): Question | undefined {
  const text = lastUserText(messages);
  return questions
    .filter((question) => text.includes(question.text))
    .toSorted((one, other) => other.text.length - one.text.length)[0];
}

function wantsJson({ wantsJson: isAsked, messages }: DemoRequest): boolean {
  return isAsked || messages.some((message) => /\bJSON\b/.test(textOf(message)));
}

/** How hard each question is within its kind: quantiles of the normal distribution, in a fixed shuffled order. */
const eases: ReadonlyMap<string, number> = new Map(
  (['team', 'answer', 'severity'] satisfies QuestionKind[]).flatMap((kind) => {
    const own = toShuffled(
      questions.filter((question) => question.kind === kind),
      createStringSeededRandom(`demo/quiz/${kind}`),
    );
    return own.map(({ text }, index): [string, number] => [text, normalQuantile((index + 0.5) / own.length)]);
  }),
);

/** Of the first token around `demo_latency_ms`. */
const latencySpread = 0.35;

/** What this request draws, in the order fail, latency, answer: the same however often it is asked. */
function drawsOf(
  request: DemoRequest,
  question: Question | undefined,
): { opening: Opening; isRight: boolean } {
  const { fields, candidate } = request;
  const isCold = getNumberProperty(fields, 'temperature') === 0;
  const seed = getNumberProperty(fields, 'seed');
  const text = question?.text ?? '';
  const isSeeded = isCold || seed !== undefined;
  const random = isSeeded
    ? createStringSeededRandom(isCold ? text : `${seed}/${candidate}/${text}`)
    : request.random;
  const fails = random() < (getNumberProperty(fields, 'demo_fail') ?? 0);
  const firstTokenMs =
    (getNumberProperty(fields, 'demo_latency_ms') ?? 300) *
    Math.exp(latencySpread * normalQuantile(random()));
  const luck = normalQuantile(random());
  const ease = eases.get(text) ?? 0;
  const accuracy = getNumberProperty(fields, 'demo_accuracy') ?? 0.8;
  return {
    opening: fails ? { error: overloaded() } : { firstTokenMs },
    isRight: Math.SQRT1_2 * (ease + luck) < normalQuantile(accuracy),
  };
}

function overloaded(): ApiError {
  return new ApiError('overloaded_error', 'The model is overloaded. Try again later.');
}

/** The same wrong answer to a question every time. */
function wrongAnswer({ kind, text, answer }: Question): string {
  const random = createStringSeededRandom(text);
  if (kind === 'answer')
    return String(Number(answer) + (random() < 0.5 ? -1 : 1) * (1 + Math.floor(9 * random())));
  const others = questionLabels[kind].filter((label) => label !== answer);
  return others[Math.floor(random() * others.length)] ?? '';
}

function answerValue({ kind }: Question, answer: string): string | number {
  return kind === 'answer' ? Number(answer) : answer;
}

/** Words of the question: a reason that gives nothing away. */
function whyOf({ text }: Question): string {
  return text.replace(/[.?]$/, '').split(' ').slice(0, 6).join(' ');
}

/** The quantile of the normal distribution (Acklam), to 1e-9; infinite at 0 and 1. */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY;
  if (p >= 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -normalQuantile(1 - p);
  const polynomial = (coefficients: readonly number[], x: number): number =>
    coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(tailTop, q) / polynomial(tailBottom, q);
  }
  const q = p - 0.5;
  return (q * polynomial(middleTop, q * q)) / polynomial(middleBottom, q * q);
}
