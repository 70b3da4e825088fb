/** Works arithmetic and date questions out step by step; the steps are its thinking. */
import { numberProperty, ownProperty } from '../../lib/json.ts';
import type { DemoModel, DemoRequest, Piece } from '../model.ts';
import { expressionText, valueText, workOut } from '../questions/arithmetic.ts';
import { dateOfMilliseconds } from '../questions/calendar.ts';
import { answerDateQuestion } from '../questions/date-questions.ts';
import type { WorkedAnswer } from '../questions/date-words.ts';
import { expressionsIn } from '../questions/expression.ts';
import { splitTokens } from '../tokens.ts';
import { lastUserText } from './message-text.ts';
import { valuePieces, textPieces } from './pieces.ts';

/** §2.1 thinking_budget */
const defaultBudget = 4096;

export const thinker: DemoModel = {
  id: 'demo/thinker',
  about: 'Works out arithmetic and date questions step by step, exactly.',
  abilities: { vision: false, tools: false, thinking: true },
  *reply(request) {
    const question = lastUserText(request.messages);
    const { steps, answer } = worked(question, request);
    if (ownProperty(request.fields, 'enable_thinking') === true) {
      yield* thinkingPieces(steps, numberProperty(request.fields, 'thinking_budget') ?? defaultBudget);
    }
    yield* request.wantsJson
      ? valuePieces({ question, answer: answer.replaceAll('**', '') })
      : textPieces(answer);
  },
};

const whatItCanDo = [
  'I can work out arithmetic, such as `(3 + 4) × 2^3`, `12.5% of 2,480` or `10 / 4 + 1/3`, and questions about dates, such as',
  '"How many days are there between 1 March 2024 and 25 December 2026?" or "What weekday is 29 February 2028?".',
  'I do not understand other questions, since I am a small program and not a language model.',
].join(' ');

/** Longer messages would take long to read, and are not questions anyway. */
const longestQuestion = 10_000;

function worked(question: string, { now }: DemoRequest): WorkedAnswer {
  if (question.length > longestQuestion) {
    const reason = `The message has ${question.length.toLocaleString('en-US')} characters, and I read up to ${longestQuestion.toLocaleString('en-US')}.`;
    return { steps: [reason], answer: reason };
  }
  const dateAnswer = answerDateQuestion(question, dateOfMilliseconds(now));
  if (dateAnswer) return dateAnswer;
  const expressions = expressionsIn(question);
  if (expressions.length > 0) {
    const parts = expressions.map((expression) => {
      const working = workOut(expression);
      const text = expressionText(expression);
      const opening = `I read this as ${text}.${working.steps.length > 1 ? ' Parentheses come first, then powers, then × and ÷, then + and -.' : ''}`;
      const steps = [opening, ...working.steps.map((step, index) => `${index + 1}. ${step}`)];
      const answer = 'value' in working ? `${text} = **${valueText(working.value)}**` : working.problem;
      return { steps, answer };
    });
    return {
      steps: parts.flatMap(({ steps }) => steps),
      answer: parts.map(({ answer }) => answer).join('\n\n'),
    };
  }
  const reason = /\d/.test(question)
    ? 'There is no calculation in the message that I can read.'
    : 'This is neither arithmetic nor a question about dates.';
  return {
    steps: ['I look for numbers with signs between them, and for dates.', reason],
    answer: `${reason} ${whatItCanDo}`,
  };
}

/** Whole steps as long as they fit into the budget, in tokens; then a line that says that it is used up. */
function* thinkingPieces(steps: readonly string[], budget: number): Generator<Piece> {
  const lines = steps.map((step) => splitTokens(`${step}\n`));
  const cost = lines.reduce((sum, line) => sum + line.length, 0);
  const closing = splitTokens('\nThe thinking budget is used up here.');
  let left = budget - (cost > budget ? closing.length : 0);
  for (const [index, line] of lines.entries()) {
    // Only the first line is cut within: half a step would help nobody.
    if (line.length > left && index > 0) break;
    for (const thinking of line.slice(0, Math.max(0, left))) yield { thinking };
    left -= line.length;
  }
  if (cost > budget) for (const thinking of closing.slice(0, budget)) yield { thinking };
}
