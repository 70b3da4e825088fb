/** Answers questions about leap years and about the lengths of months, years and smaller units. */
import { valueText } from './arithmetic.ts';
import {
  daysInMonth,
  daysInYear,
  isLeapYear,
  leapYearsUpTo,
  monthNames,
  type CalendarDate,
} from './calendar.ts';
import { monthNumber, readDates } from './date-reading.ts';
import { counted, type WorkedAnswer } from './date-words.ts';
import { rational, rationalOf, times, written } from './rational.ts';

/** The worked answer, or undefined when the text asks nothing of this kind. today: the date in UTC. */
export function answerYearQuestion(text: string, today: CalendarDate): WorkedAnswer | undefined {
  return leapYearAnswer(text, today) ?? lengthAnswer(text) ?? unitAnswer(text);
}

function leapYearAnswer(text: string, today: CalendarDate): WorkedAnswer | undefined {
  if (!/\bleap\b/iu.test(text)) return undefined;
  const years = [...text.matchAll(/\b\d{1,4}\b/g)].map(([year]) => Number(year)).filter((year) => year > 0);
  const [first = today.year, second] = years;
  if (/\b(?:next|previous|last)\b/iu.test(text))
    return nearestLeapYear(first, /\bnext\b/iu.test(text) ? 1 : -1);
  if (second !== undefined && /\bbetween\b|\bfrom\b/iu.test(text)) {
    const [from, to] = [Math.min(first, second), Math.max(first, second)];
    const found = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(isLeapYear);
    const list = found.length === 0 || found.length > 30 ? '' : ` They are ${found.join(', ')}.`;
    const steps = [
      `Leap years up to ${to}: ${leapYearsUpTo(to)}. Up to ${from - 1}: ${leapYearsUpTo(from - 1)}.`,
      `${leapYearsUpTo(to)} - ${leapYearsUpTo(from - 1)} = ${found.length}`,
    ];
    return {
      steps,
      answer: `**${counted(found.length, 'leap year')}** from ${from} to ${to}, both counted.${list}`,
    };
  }
  if (years.length === 0 && !/\bthis year\b/iu.test(text)) {
    return {
      steps: [],
      answer:
        'A year is a leap year when 4 divides it, unless 100 divides it and 400 does not. Ask about a year, as in "Is 2028 a leap year?".',
    };
  }
  return {
    steps: leapSteps(first),
    answer: `${first} is ${isLeapYear(first) ? '**a leap year**' : '**not a leap year**'}: it has ${daysInYear(first)} days.`,
  };
}

function leapSteps(year: number): string[] {
  const steps = [`4 ${year % 4 === 0 ? 'divides' : 'does not divide'} ${year}.`];
  if (year % 4 === 0) steps.push(`100 ${year % 100 === 0 ? 'divides' : 'does not divide'} ${year}.`);
  if (year % 100 === 0) steps.push(`400 ${year % 400 === 0 ? 'divides' : 'does not divide'} ${year}.`);
  return steps;
}

function nearestLeapYear(from: number, step: 1 | -1): WorkedAnswer {
  const steps: string[] = [];
  let year = from + step;
  while (!isLeapYear(year)) {
    steps.push(...leapSteps(year));
    year += step;
  }
  return {
    steps: [...steps, ...leapSteps(year)],
    answer: `The ${step === 1 ? 'next leap year after' : 'last leap year before'} ${from} is **${year}**.`,
  };
}

const monthPattern = monthNames.join('|');

/** How many days a month or a year has. */
function lengthAnswer(text: string): WorkedAnswer | undefined {
  const match = new RegExp(
    `\\bhow many days\\b[^\\d]*?\\b(?:(${monthPattern}) )?(?:of )?(\\d{3,4})\\b(?! ?(?:days|weeks|months|to|and|until)|-\\d)`,
    'iu',
  ).exec(text);
  if (!match || !/\b(?:in|has|have|does)\b/iu.test(match[0] + text)) return undefined;
  if (/\b(?:between|until|till|since|from|after|before)\b/iu.test(text) || readsAsDate(text))
    return undefined;
  const [, name, yearText = ''] = match;
  const year = Number(yearText);
  const steps = leapSteps(year);
  if (name === undefined) return { steps, answer: `${year} has **${daysInYear(year)} days**.` };
  const month = monthNumber(name);
  return {
    steps: month === 2 ? steps : [],
    answer: `${monthNames[month - 1] ?? ''} ${year} has **${daysInMonth(year, month)} days**.`,
  };
}

function readsAsDate(text: string): boolean {
  const reading = readDates(text, { year: 2000, month: 1, day: 1 });
  return 'problem' in reading || reading.dates.length > 0;
}

const secondsOf: Readonly<Record<string, bigint>> = {
  second: 1n,
  minute: 60n,
  hour: 3600n,
  day: 86_400n,
  week: 604_800n,
};

/** How many of one unit of time another one holds. */
function unitAnswer(text: string): WorkedAnswer | undefined {
  const unit = '(second|minute|hour|day|week|month|year)s?';
  const match = new RegExp(
    `\\bhow many ${unit} (?:are|is|has|have|does|do)?(?: there)? ?(?:in|make up|make)? ?(\\d[\\d,.]*|an?|one) ${unit}\\b(?! (?:from|before|after|ago|until|since))`,
    'iu',
  ).exec(text);
  if (!match) return undefined;
  const [, wanted = '', amount = '', given = ''] = match;
  const [smaller, larger] = [secondsOf[wanted.toLowerCase()], secondsOf[given.toLowerCase()]];
  if (smaller === undefined || larger === undefined) {
    return {
      steps: ['A month has 28 to 31 days, a year 365 or 366.'],
      answer: 'Months and years have no fixed length. Name a month and a year, or two dates.',
    };
  }
  const count = /^\d/.test(amount) ? rationalOf(amount.replace(/,|[.]$/g, '')) : rational(1n);
  const factor = rational(larger, smaller);
  const result = times(count, factor);
  return {
    steps: [
      `1 ${given.toLowerCase()} is ${valueText(factor)} ${wanted.toLowerCase()}s.`,
      `${written(count)} × ${written(factor)} = ${written(result)}`,
    ],
    answer: `${written(count)} ${given.toLowerCase()}${amount === '1' || /^(?:an?|one)$/iu.test(amount) ? ' is' : 's are'} **${valueText(result)} ${wanted.toLowerCase()}s**.`,
  };
}
