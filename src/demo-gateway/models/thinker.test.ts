import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../lib/json.ts';
import { aRequest, replyOf, textOfReply } from '../filling/testing-requests.ts';
import { dateOfDayNumber, dayNumber, weekdayOf } from '../questions/calendar.ts';
import { thinker } from './thinker.ts';

const ask = (question: string) =>
  textOfReply(thinker, aRequest(question, { now: Date.UTC(2026, 10, 21, 12) }));
const thinkingOf = (question: string, fields: JsonObject) =>
  replyOf(thinker, aRequest(question, { fields })).flatMap((piece) =>
    'thinking' in piece ? [piece.thinking] : [],
  );

const arithmetic: [string, string][] = [
  ['What is 2 + 2?', '4'],
  ['2+3*4', '14'],
  ['(2 + 3) × 4', '20'],
  ['What is (3 + 4) * 2^3?', '56'],
  ['2^3^2', '512'],
  ['-2^2', '-4'],
  ['(-2)^2', '4'],
  ['10 / 4', '2.5'],
  ['10 ÷ 3', '10/3 = 3 1/3, about 3.3333333333'],
  ['1/3 + 1/6', '0.5'],
  ['0.1 + 0.2', '0.3'],
  ['What is 12.5% of 2,480?', '310'],
  ['200 + 10%', '220'],
  ['What is 200 minus 10 percent?', '180'],
  ['1,234,567 × 89', '109,876,463'],
  ['17 % 5', '2'],
  ['-7 mod 3', '2'],
  ['how much is 17 times 23', '391'],
  ['7 x 8', '56'],
  ['7 squared plus 3 cubed', '76'],
  ['What is the square root of 144?', '12'],
  ['the cube root of -27', '-3'],
  ['sqrt(2.25)', '1.5'],
  ['2^-3', '0.125'],
  ['9^0.5', '3'],
  ['2^100', '1,267,650,600,228,229,401,496,703,205,376'],
  ['5!', '120'],
  ['twenty-five divided by five', '5'],
  ['the sum of 3, 4 and 5', '12'],
  ['the difference between 10 and 4', '6'],
  ['subtract 3 from 10', '7'],
  ['30 is what percent of 120?', '25'],
  ['half of 90', '45'],
  ['2(3+4)', '14'],
  ['5 − −3', '8'],
  ['$19.99 * 3', '59.97'],
  ['2+2=?', '4'],
  ['.5 * 8', '4'],
  ['((1+2)*(3+4))/(5-2)', '7'],
  ['0^0', '1'],
  ['10**3', '1,000'],
];

const dates: [string, string][] = [
  [
    'How many days are there between 1 March 2024 and 25 December 2026?',
    '**1,029 days** from 1 March 2024 to 25 December 2026',
  ],
  ['days from 2024-02-28 to 2024-03-01', '**2 days**'],
  ['How many days between December 25, 2026 and March 1, 2024?', '**1,029 days**'],
  ['What weekday is 29 February 2028?', '**Tuesday**'],
  ['what day of the week was July 20, 1969', '**Sunday**'],
  ['What day was 14.07.1789?', '**Tuesday**'],
  ['What is the date 30 days after 2026-01-31?', '**Monday, 2 March 2026**'],
  ['What is 1 month after 31 January 2024?', '**Thursday, 29 February 2024**'],
  ['2026-03-14 + 2 weeks', '**Saturday, 28 March 2026**'],
  ['What date is 100 days before 1 January 2027?', '**Wednesday, 23 September 2026**'],
  ['subtract 1 year and 2 days from 1 March 2025', '**Wednesday, 28 February 2024**'],
  ['What day will it be in 10 days?', '**Tuesday, 1 December 2026**'],
  ['what was the date 3 weeks ago', '**Saturday, 31 October 2026**'],
  ['Is 2028 a leap year?', '2028 is **a leap year**'],
  ['Is 1900 a leap year?', '1900 is **not a leap year**'],
  ['was 2000 a leap year', '2000 is **a leap year**'],
  ['next leap year after 2096', '**2104**'],
  ['How many leap years between 2000 and 2020?', '**6 leap years**'],
  ['How many days does February 2028 have?', '**29 days**'],
  ['How many days are in 2027?', '**365 days**'],
  ['How many minutes are in 2 days?', '**2,880 minutes**'],
  ['how many days are in 3 weeks', '**21 days**'],
  ['How many weeks are in 30 days?', '**30/7 = 4 2/7, about 4.2857142857 weeks**'],
  ['How many days are in 2 months?', 'have no fixed length'],
  ['How many days until Christmas?', '**34 days**'],
  ['How many days until 1 March?', '**100 days**'],
  ['How many weeks between 2026-01-01 and 2026-03-01?', '**8 weeks and 3 days**'],
  ['how many months from 15 January 2026 to 14 April 2026', '**2 months** and 30 days'],
  ['How old is someone born on 5 May 1990?', '**36 years**'],
  ['Which day of the year is 1 May 2026?', 'day **121**'],
  ['What week number is 1 January 2027?', 'week **53** of 2026'],
  ['What day is today?', '21 November 2026 is a **Saturday**'],
  ["what's the date", 'Saturday, 21 November 2026'],
  ['There are how many days between 13/3/2026 and 3/14/2026?', '**1 day**'],
];

describe('demo/thinker', () => {
  it('works out arithmetic', () => {
    expect(arithmetic.map(([question]) => [question, /\*\*(.*)\*\*/.exec(ask(question))?.[1]])).toEqual(
      arithmetic,
    );
  });

  it('answers questions about dates', () => {
    for (const [question, result] of dates) expect(ask(question), question).toContain(result);
  });

  it('says plainly what it cannot do', () => {
    const rows = [
      ['1/0', 'Division by zero has no result.'],
      ['sqrt(2)', 'is not a fraction'],
      ['the square root of -4', 'not a real number'],
      ['9^999999', 'too many digits'],
      ['(5+5)^(10^9)', 'too many digits'],
      ['1000000!', 'too many digits'],
      [
        'What weekday is 30 February 2026?',
        'There is no 30 February 2026: February 2026 has 28 days, since 2026 is not a leap year.',
      ],
      ['days between 3/4/2026 and 2026-05-01', 'can mean 3 April or 4 March'],
      ['How many business days from 2026-01-01 to 2026-02-01?', 'I count calendar days'],
      ['Who wrote Hamlet?', 'neither arithmetic nor a question about dates'],
      ['If 3 apples cost a bit, what do 7 pears cost?', 'no calculation in the message that I can read'],
      ['', 'neither arithmetic nor a question about dates'],
    ] as const;
    for (const [question, words] of rows) expect(ask(question), question).toContain(words);
  });

  it('says which year it takes for a date without one, and what today is where it counts', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const steps = (question: string) =>
      replyOf(thinker, aRequest(question, { now, fields: { enable_thinking: true } }))
        .flatMap((piece) => ('thinking' in piece ? [piece.thinking] : []))
        .join('');
    expect(steps('How many days until 1 March?')).toContain('"1 March" has no year, so I take 1 March 2027.');
    expect(steps('What weekday is 1 March?')).toContain('"1 March" has no year, so I take 1 March 2026.');
    expect(steps('days until 1 May 2027')).toContain('Today is 21 November 2026 (UTC).');
    expect(steps('What weekday is 1 May 2027?')).not.toContain('Today is');
  });

  it('answers several calculations of one message', () => {
    expect(ask('What is 2+2 and 3*3?')).toBe('2 + 2 = **4**\n\n3 × 3 = **9**');
  });

  it('thinks only where enable_thinking is true', () => {
    expect(thinkingOf('(3 + 4) × 2^3', {})).toEqual([]);
    expect(thinkingOf('(3 + 4) × 2^3', { enable_thinking: false })).toEqual([]);
    const thinking = thinkingOf('(3 + 4) × 2^3', { enable_thinking: true }).join('');
    expect(thinking).toContain('1. 3 + 4 = 7\n2. 2^3 = 8\n3. 7 × 8 = 56\n');
  });

  it('shows its steps without changing its answers', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    for (const [question] of [...arithmetic, ...dates]) {
      const request = aRequest(question, { now, fields: { enable_thinking: true } });
      const thinks = replyOf(thinker, request).some((piece) => 'thinking' in piece && piece.thinking !== '');
      expect(thinks, question).toBe(true);
      expect(textOfReply(thinker, request)).toBe(ask(question));
    }
  });

  it.each([128, 129, 140, 200, 500])(
    'never thinks more than a budget of %i tokens, and says when it is used up',
    (budget) => {
      const long = Array.from({ length: 60 }, (_, index) => `${index + 11} × ${index + 23}`).join(' + ');
      const pieces = thinkingOf(long, { enable_thinking: true, thinking_budget: budget });
      expect(pieces.length).toBeLessThanOrEqual(budget);
      expect(pieces.join('')).toMatch(/\nThe thinking budget is used up here\.$/);
      const whole = thinkingOf(long, { enable_thinking: true, thinking_budget: 32_768 });
      expect(whole.length).toBeGreaterThan(500);
    },
  );

  it('keeps a budget below the permitted ones as well', () => {
    for (const budget of [0, 1, 5, 20]) {
      expect(
        thinkingOf('1+2+3+4+5+6+7', { enable_thinking: true, thinking_budget: budget }).length,
      ).toBeLessThanOrEqual(budget);
    }
  });

  it('answers with one JSON object when JSON is wanted', () => {
    const value: unknown = JSON.parse(textOfReply(thinker, aRequest('2 + 2', { wantsJson: true })));
    expect(value).toEqual({ question: '2 + 2', answer: '2 + 2 = 4' });
  });
});

describe('the calendar', () => {
  it('agrees with the clock of the platform on every day of four centuries', () => {
    const first = Date.UTC(1800, 0, 1);
    const start = dayNumber({ year: 1800, month: 1, day: 1 });
    const wrong: string[] = [];
    for (let day = 0; day < 146_097; day += 1) {
      const platform = new Date(first + day * 86_400_000);
      const [year, month, date] = [
        platform.getUTCFullYear(),
        platform.getUTCMonth() + 1,
        platform.getUTCDate(),
      ];
      const here = { year, month, day: date };
      const back = dateOfDayNumber(start + day);
      const isBack = back?.year === year && back.month === month && back.day === date;
      const isRight = dayNumber(here) === start + day && weekdayOf(here) === platform.getUTCDay();
      if (!isBack || !isRight) wrong.push(platform.toISOString());
    }
    expect(wrong).toEqual([]);
  });
});
