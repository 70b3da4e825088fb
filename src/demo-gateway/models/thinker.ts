/** Works arithmetic out step by step; the steps are its thinking. */
import { getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import type { DemoModel, Piece } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { lastUserText } from './prompt-text.ts';
import { textPieces, valuePieces } from './text-output.ts';

/** §2.1 thinking_budget */
const defaultBudget = 4096;

export const thinker: DemoModel = {
  id: 'demo/thinker',
  about: 'Works out arithmetic step by step, and shows its steps as reasoning.',
  abilities: { vision: false, tools: false, thinking: true },
  *reply({ messages, fields, wantsJson }) {
    const question = lastUserText(messages);
    const { steps, answer } = worked(question);
    if (getOwnProperty(fields, 'enable_thinking') === true)
      yield* thinkingPieces(steps, getNumberProperty(fields, 'thinking_budget') ?? defaultBudget);
    yield* wantsJson ? valuePieces({ question, answer: answer.replaceAll('**', '') }) : textPieces(answer);
  },
};

interface Worked {
  steps: string[];
  answer: string;
}

const refusal =
  'There is no calculation in the message that I can read. I add, subtract, multiply and divide numbers, as in `(3 + 4) × 2 - 10 / 4`. I do not understand other questions, since I am a small program and not a language model.';

function worked(question: string): Worked {
  const found = calculationsIn(question).map(workedOut);
  if (found.length === 0)
    return { steps: ['I look for numbers with signs between them.', 'There are none.'], answer: refusal };
  return {
    steps: found.flatMap(({ steps }) => steps),
    answer: found.map(({ answer }) => answer).join('\n\n'),
  };
}

/** A number, or one of + - × ÷ ( and ). */
type Token = number | string;

const spellings: readonly [RegExp, string][] = [
  [/\bplus\b/giu, '+'],
  [/\bminus\b|[−–]/giu, '-'],
  [/\btimes\b|(?<=\d) ?x ?(?=\d)|[*·]/giu, '×'],
  [/\bdivided by\b|\//giu, '÷'],
  [/(?<=\d),(?=\d{3})/gu, ''],
];

/** Every run of the text that is numbers with signs between them. */
function calculationsIn(text: string): Token[][] {
  const plain = spellings.reduce((said, [spelling, sign]) => said.replace(spelling, sign), text);
  // Signs that it does not know are part of a run, which is then none that it can read.
  const runs = plain
    .split(/[^\d\s.+×÷()%^!-]+|\.(?!\d)/u)
    .map((run) => run.match(/\d+(?:\.\d+)?|\S/gu) ?? []);
  return runs.filter(isCalculation).map((run) =>
    run.flatMap((token, index): Token[] => {
      if (/^\d/.test(token)) return [Number(token) * (isNegated(run, index - 1) ? -1 : 1)];
      return isNegated(run, index) ? [] : [token];
    }),
  );
}

/** Whether the token is the minus of a number and not of a subtraction. */
function isNegated(run: readonly string[], index: number): boolean {
  return (
    run[index] === '-' && /^(?:[-+×÷(]|)$/u.test(run[index - 1] ?? '') && /^\d/.test(run[index + 1] ?? '')
  );
}

/** A sum shrinks to one number, operation by operation; 03 is of a date and no number. */
function isCalculation(run: readonly string[]): boolean {
  let shape = run.map((token) => (/^(?:0|[1-9]\d*)(?:\.|$)/.test(token) ? 'n' : token)).join('');
  if (!/[-+×÷]/u.test(shape.slice(1))) return false;
  for (let last = ''; last !== shape;) {
    last = shape;
    shape = shape.replace(/(?<![n)])-n/gu, 'n').replace(/n[-+×÷]n|\(n\)/gu, 'n');
  }
  return shape === 'n';
}

/** Steps end where there is no result, with the reason as the answer. */
function workedOut(calculation: readonly Token[]): Worked {
  const left = [...calculation];
  const steps = [`I read this as ${written(left)}. Parentheses come first, then × and ÷, then + and -.`];
  while (left.length > 1) {
    const close = left.includes(')') ? left.indexOf(')') : left.length;
    const open = left.lastIndexOf('(', close) + 1;
    const inside = left.slice(open, close);
    if (inside.length === 1) {
      left.splice(open - 1, 3, ...inside);
      continue;
    }
    const product = inside.findIndex((token) => token === '×' || token === '÷');
    const at = open + (product < 0 ? 0 : product - 1);
    const operation = left.slice(at, at + 3);
    const value = resultOf(operation);
    if (!Number.isFinite(value)) {
      const isDivision = operation[1] === '÷' && operation[2] === 0;
      return {
        steps,
        answer: isDivision ? 'Division by zero has no result.' : 'These numbers are too large for me.',
      };
    }
    left.splice(at, 3, value);
    const rest = left.length === 1 || left.length > 40 ? '' : `, which leaves ${written(left)}`;
    steps.push(`${steps.length}. ${written(operation)} = ${numberText(value)}${rest}`);
  }
  return { steps, answer: `${written(calculation)} = **${left.map(numberText).join('')}**` };
}

function resultOf([one, sign, other]: readonly Token[]): number {
  const [left, right] = [Number(one), Number(other)];
  if (sign === '+') return left + right;
  if (sign === '-') return left - right;
  return sign === '×' ? left * right : left / right;
}

function written(tokens: readonly Token[]): string {
  const signs = tokens.map((token, index) =>
    typeof token === 'number' && token < 0 && index > 0 ? `(${numberText(token)})` : numberText(token),
  );
  return signs
    .join(' ')
    .replace(/(?<=\() | (?=\))/gu, '')
    .replace(/\(([\d,.]+)\)/gu, '$1');
}

const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

/** To twelve digits: what is behind them is the rounding of the machine. */
function numberText(token: Token): string {
  return typeof token === 'number' ? decimals.format(Number(token.toPrecision(12))) : token;
}

/** Whole steps as long as they fit into the budget, in tokens; then a line that says that it is used up. */
function* thinkingPieces(steps: readonly string[], budget: number): Generator<Piece> {
  const lines = steps.map((step) => splitTokens(`${step}\n`));
  const cost = lines.reduce((sum, line) => sum + line.length, 0);
  const closing = cost > budget ? splitTokens('\nThe thinking budget is used up here.') : [];
  let left = budget - closing.length;
  for (const [index, line] of lines.entries()) {
    // Only the first line is cut within: half a step would help nobody.
    if (line.length > left && index > 0) break;
    for (const thinking of line.slice(0, Math.max(0, left))) yield { thinking };
    left -= line.length;
  }
  for (const thinking of closing.slice(0, budget)) yield { thinking };
}
