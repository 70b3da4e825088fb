/** Solves arithmetic step by step, with the steps as reasoning. */
import { getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import type { DemoModel, ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { getLastUserText } from './prompt-text.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';

/** Default thinking_budget in tokens (§2.1). */
const defaultBudget = 4096;

export const thinker: DemoModel = {
  id: 'demo/thinker',
  description: 'Solves arithmetic step by step and shows the steps as reasoning.',
  abilities: { vision: false, tools: false, thinking: true },
  *reply({ messages, fields, isJsonMode }) {
    const question = getLastUserText(messages);
    const { steps, answer } = solveQuestion(question);
    if (getOwnProperty(fields, 'enable_thinking') === true)
      yield* generateReasoning(steps, getNumberProperty(fields, 'thinking_budget') ?? defaultBudget);
    yield* isJsonMode
      ? toJsonOutput({ question, answer: answer.replaceAll('**', '') })
      : toTextOutput(answer);
  },
};

interface Solution {
  steps: string[];
  answer: string;
}

const noCalculationText =
  'I found no calculation in your message. I add, subtract, multiply and divide numbers, as in `(3 + 4) × 2 - 10 / 4`. I am a small program, not a language model, and do not understand other questions.';

function solveQuestion(question: string): Solution {
  const solutions = findCalculations(question).map(solve);
  if (solutions.length === 0)
    return {
      steps: ['I look for numbers with operators between them.', 'There are none.'],
      answer: noCalculationText,
    };
  return {
    steps: solutions.flatMap(({ steps }) => steps),
    answer: solutions.map(({ answer }) => answer).join('\n\n'),
  };
}

/** A number, or one of + - × ÷ ( and ). */
type Token = number | string;

const operatorPatterns: readonly [RegExp, string][] = [
  [/\bplus\b/giu, '+'],
  [/\bminus\b|[−–]/giu, '-'],
  [/\btimes\b|(?<=\d) ?x ?(?=\d)|[*·]/giu, '×'],
  [/\bdivided by\b|\//giu, '÷'],
  [/(?<=\d),(?=\d{3})/gu, ''],
];

/** Finds all sequences of numbers and operators in the text. */
function findCalculations(text: string): Token[][] {
  const plainText = operatorPatterns.reduce(
    (normalized, [pattern, operator]) => normalized.replace(pattern, operator),
    text,
  );
  // Unknown operators stay in the sequence and make it invalid.
  const sequences = plainText
    .split(/[^\d\s.+×÷()%^!-]+|\.(?!\d)/u)
    .map((sequence) => sequence.match(/\d+(?:\.\d+)?|\S/gu) ?? []);
  return sequences.filter(isCalculation).map((sequence) =>
    sequence.flatMap((token, index): Token[] => {
      if (/^\d/.test(token)) return [Number(token) * (isNegated(sequence, index - 1) ? -1 : 1)];
      return isNegated(sequence, index) ? [] : [token];
    }),
  );
}

/** Returns true if the token is a negative sign rather than a subtraction. */
function isNegated(sequence: readonly string[], index: number): boolean {
  return (
    sequence[index] === '-' &&
    /^(?:[-+×÷(]|)$/u.test(sequence[index - 1] ?? '') &&
    /^\d/.test(sequence[index + 1] ?? '')
  );
}

/**
 * Returns true if the sequence can be reduced to one number, operation by operation. Numbers such as 03 are parts of
 * dates.
 */
function isCalculation(sequence: readonly string[]): boolean {
  let shape = sequence.map((token) => (/^(?:0|[1-9]\d*)(?:\.|$)/.test(token) ? 'n' : token)).join('');
  if (!/[-+×÷]/u.test(shape.slice(1))) return false;
  for (let previousShape = ''; previousShape !== shape;) {
    previousShape = shape;
    shape = shape.replace(/(?<![n)])-n/gu, 'n').replace(/n[-+×÷]n|\(n\)/gu, 'n');
  }
  return shape === 'n';
}

/** Solves the calculation. If there is no result, the steps end early and the answer gives the reason. */
function solve(calculation: readonly Token[]): Solution {
  const remainingTokens = [...calculation];
  const steps = [
    `I read this as ${formatCalculation(remainingTokens)}. Parentheses come first, then × and ÷, then + and -.`,
  ];
  while (remainingTokens.length > 1) {
    const innerEnd = remainingTokens.includes(')') ? remainingTokens.indexOf(')') : remainingTokens.length;
    const innerStart = remainingTokens.lastIndexOf('(', innerEnd) + 1;
    const innerTokens = remainingTokens.slice(innerStart, innerEnd);
    if (innerTokens.length === 1) {
      remainingTokens.splice(innerStart - 1, 3, ...innerTokens);
      continue;
    }
    const productIndex = innerTokens.findIndex((token) => token === '×' || token === '÷');
    const operationIndex = innerStart + (productIndex < 0 ? 0 : productIndex - 1);
    const operation = remainingTokens.slice(operationIndex, operationIndex + 3);
    const value = computeResult(operation);
    if (!Number.isFinite(value)) {
      const isDivision = operation[1] === '÷' && operation[2] === 0;
      return {
        steps,
        answer: isDivision ? 'Division by zero has no result.' : 'These numbers are too large for me.',
      };
    }
    remainingTokens.splice(operationIndex, 3, value);
    const remainder =
      remainingTokens.length === 1 || remainingTokens.length > 40
        ? ''
        : `, which leaves ${formatCalculation(remainingTokens)}`;
    steps.push(`${steps.length}. ${formatCalculation(operation)} = ${formatNumber(value)}${remainder}`);
  }
  return {
    steps,
    answer: `${formatCalculation(calculation)} = **${remainingTokens.map(formatNumber).join('')}**`,
  };
}

function computeResult([first, operator, second]: readonly Token[]): number {
  const [left, right] = [Number(first), Number(second)];
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '×' ? left * right : left / right;
}

function formatCalculation(tokens: readonly Token[]): string {
  const formattedTokens = tokens.map((token, index) =>
    typeof token === 'number' && token < 0 && index > 0 ? `(${formatNumber(token)})` : formatNumber(token),
  );
  return formattedTokens
    .join(' ')
    .replace(/(?<=\() | (?=\))/gu, '')
    .replace(/\(([\d,.]+)\)/gu, '$1');
}

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

/** Rounds to twelve digits; the rest is floating-point error. */
function formatNumber(token: Token): string {
  return typeof token === 'number' ? numberFormat.format(Number(token.toPrecision(12))) : token;
}

/** Yields complete steps that fit into the token budget, then a line stating that the budget is used up. */
function* generateReasoning(steps: readonly string[], budget: number): Generator<ModelOutput> {
  const lines = steps.map((step) => splitTokens(`${step}\n`));
  const totalTokens = lines.reduce((sum, line) => sum + line.length, 0);
  const closingTokens = totalTokens > budget ? splitTokens('\nThe thinking budget is used up.') : [];
  let remainingBudget = budget - closingTokens.length;
  for (const [index, line] of lines.entries()) {
    // Only the first line may be cut; part of any later step would be useless.
    if (line.length > remainingBudget && index > 0) break;
    for (const thinking of line.slice(0, Math.max(0, remainingBudget))) yield { thinking };
    remainingBudget -= line.length;
  }
  for (const thinking of closingTokens.slice(0, budget)) yield { thinking };
}
