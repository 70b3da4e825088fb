/** Answers questions about dates, with the steps that lead to the answer. */
import {
  dateOfDayNumber,
  dateText,
  dayNumber,
  dayOfYear,
  daysInMonth,
  daysInYear,
  isLeapYear,
  leapYearsUpTo,
  monthNames,
  plusMonths,
  weekdayNames,
  weekdayOf,
  type CalendarDate,
} from './calendar.ts';
import { monthNumber, readDates, type FoundDate } from './date-reading.ts';

export interface WorkedAnswer {
  steps: string[];
  answer: string;
}

const number = new Intl.NumberFormat('en-US');
const counted = (count: number, unit: string) => `${number.format(count)} ${unit}${count === 1 ? '' : 's'}`;
const longDate = (date: CalendarDate) => `${weekdayNames[weekdayOf(date)] ?? ''}, ${dateText(date)}`;

/** The worked answer, or undefined when the text asks nothing about dates. today: the date in UTC. */
export function answerDateQuestion(text: string, today: CalendarDate): WorkedAnswer | undefined {
  const leap = leapYearAnswer(text, today) ?? lengthAnswer(text);
  if (leap) return leap;
  const reading = readDates(text, today);
  if ('problem' in reading) return { steps: [], answer: reading.problem };
  const { dates, rest } = reading;
  const amounts = amountsIn(rest);
  if (dates.length === 0 && !(amounts.length > 0 && pointsFromToday.test(rest)) && !asksForToday.test(text))
    return undefined;
  if (/\b(?:business|working|work) ?days?\b|\bweekdays (?:between|from)\b/iu.test(rest)) {
    return {
      steps: [],
      answer:
        'I count calendar days. Which days are working days depends on the country, and I do not know its holidays.',
    };
  }
  const preface = assumptions(dates, today, dates.length === 0);
  const worked = workedDates(rest, dates, amounts, today);
  return worked && { steps: [...preface, ...worked.steps], answer: worked.answer };
}

const asksForToday =
  /\bwhat(?:'s| is)? ?(?:the )?(?:date|day)(?: is)?(?: it| of the week)?(?: is it)?(?: today| now)?\s*\??$|\btoday'?s date\b/iu;
const pointsFromToday =
  /\bago\b|\bfrom now\b|\bhence\b|\bfrom today\b|\b(?:date|day|weekday)\b.*\b(?:in|after)\b/iu;

function assumptions(dates: readonly FoundDate[], today: CalendarDate, needsToday: boolean): string[] {
  const lines = dates
    .filter(({ yearAssumed }) => yearAssumed)
    .map(({ written }) => `"${written}" has no year, so I take ${today.year}.`);
  const usesToday = needsToday || dates.some(({ isRelative }) => isRelative) || dates.length === 1;
  return usesToday ? [`Today is ${dateText(today)} (UTC).`, ...lines] : lines;
}

function workedDates(
  rest: string,
  dates: readonly FoundDate[],
  amounts: readonly Amount[],
  today: CalendarDate,
): WorkedAnswer | undefined {
  const [first, second] = dates;
  if (amounts.length > 0 && !second) return shiftAnswer(first?.date ?? today, amounts, isBackwards(rest));
  if (first && second) return spanAnswer(first.date, second.date, rest);
  if (!first) return { steps: [], answer: `Today is ${longDate(today)} (UTC).` };
  if (/\bday of the year\b|\bday number\b/iu.test(rest)) return dayOfYearAnswer(first.date);
  if (/\b(?:week number|calendar week|(?:which|what) week)\b/iu.test(rest)) return weekAnswer(first.date);
  if (
    /\bhow (?:many|long|old|far)\b|\b(?:days|weeks|months|years) (?:until|till|to|since|left)\b/iu.test(rest)
  ) {
    const isPast = /\bsince\b|\bold\b|\bborn\b|\bago\b/iu.test(rest);
    return isPast ? spanAnswer(first.date, today, rest) : spanAnswer(today, upcoming(first, today), rest);
  }
  return weekdayAnswer(first.date);
}

/** "until 14 March" means the next one. */
function upcoming({ date, yearAssumed }: FoundDate, today: CalendarDate): CalendarDate {
  if (!yearAssumed || dayNumber(date) >= dayNumber(today)) return date;
  return plusMonths(date, 12) ?? date;
}

interface Amount {
  count: number;
  unit: 'day' | 'week' | 'month' | 'year';
}

const units: readonly Amount['unit'][] = ['day', 'week', 'month', 'year'];

function amountsIn(rest: string): Amount[] {
  return [
    ...rest.matchAll(
      /\b(\d[\d,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)[ -](day|week|fortnight|month|year)s?\b/giu,
    ),
  ].flatMap(([, amount = '', name = '']): Amount[] => {
    const words = [
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'ten',
      'eleven',
      'twelve',
    ];
    const word = words.indexOf(amount.toLowerCase()) + 1;
    const count = word > 0 ? word : /^an?$/iu.test(amount) ? 1 : Number(amount.replaceAll(',', ''));
    const unit = units.find((candidate) => candidate === name.toLowerCase());
    return [unit === undefined ? { count: count * 2, unit: 'week' } : { count, unit }];
  });
}

function isBackwards(rest: string): boolean {
  return /\b(?:before|ago|earlier|prior|previous|minus|subtract|less|back)\b|§ ?[-−–] ?\d/iu.test(rest);
}

function shiftAnswer(start: CalendarDate, amounts: readonly Amount[], backwards: boolean): WorkedAnswer {
  const steps: string[] = [];
  const sign = backwards ? -1 : 1;
  let date: CalendarDate = start;
  // Months and years first: "1 month and 3 days later" goes on from the day of the month.
  for (const { count, unit } of [...amounts].toSorted(
    (left, right) => units.indexOf(right.unit) - units.indexOf(left.unit),
  )) {
    const next =
      unit === 'day' || unit === 'week'
        ? dateOfDayNumber(dayNumber(date) + sign * count * (unit === 'week' ? 7 : 1))
        : plusMonths(date, sign * count * (unit === 'year' ? 12 : 1));
    if (!next)
      return { steps, answer: 'That date is outside the years 1 to 9999, which are the ones I know.' };
    steps.push(...shiftSteps(date, next, { count, unit }, backwards));
    date = next;
  }
  const span = amounts.map(({ count, unit }) => counted(count, unit)).join(' and ');
  return {
    steps: [...steps, ...weekdaySteps(date)],
    answer: `${span} ${backwards ? 'before' : 'after'} ${dateText(start)} is **${longDate(date)}**.`,
  };
}

function shiftSteps(
  from: CalendarDate,
  to: CalendarDate,
  { count, unit }: Amount,
  backwards: boolean,
): string[] {
  const direction = backwards ? 'back' : 'on';
  const steps =
    unit === 'week'
      ? [
          `${counted(count, 'week')} are ${counted(count, 'week').split(' ')[0] ?? ''} × 7 = ${counted(count * 7, 'day')}.`,
        ]
      : [];
  steps.push(`${counted(count, unit)} ${direction} from ${dateText(from)} is ${dateText(to)}.`);
  if ((unit === 'month' || unit === 'year') && to.day !== from.day) {
    steps.push(
      `${monthNames[to.month - 1] ?? ''} ${to.year} has no day ${from.day}, so its last day is taken.`,
    );
  }
  return steps;
}

/** Day numbers within the years, and the years between: exact and short for any distance. */
function spanAnswer(one: CalendarDate, other: CalendarDate, rest: string): WorkedAnswer {
  const [start, end] = dayNumber(one) <= dayNumber(other) ? [one, other] : [other, one];
  const days = dayNumber(end) - dayNumber(start);
  const years = end.year - start.year;
  const leapYears = leapYearsUpTo(end.year - 1) - leapYearsUpTo(start.year - 1);
  const steps = [
    `${dateText(start)} is day ${dayOfYear(start)} of ${start.year}.`,
    `${dateText(end)} is day ${dayOfYear(end)} of ${end.year}.`,
  ];
  if (years === 0) steps.push(`${dayOfYear(end)} - ${dayOfYear(start)} = ${number.format(days)}`);
  else {
    const whole = years * 365 + leapYears;
    steps.push(
      `From 1 January ${start.year} to 1 January ${end.year} are ${counted(years, 'year')}, ${leapYears === 1 ? '1 of them a leap year' : `${leapYears} of them leap years`}.`,
      `${number.format(years)} × 365 + ${number.format(leapYears)} = ${number.format(whole)}`,
      `${number.format(whole)} + ${dayOfYear(end)} - ${dayOfYear(start)} = ${number.format(days)}`,
    );
  }
  const months = wholeMonths(start, end);
  const left = dayNumber(end) - dayNumber(plusMonths(start, months) ?? start);
  const parts = [
    counted(Math.floor(months / 12), 'year'),
    counted(months % 12, 'month'),
    counted(left, 'day'),
  ].filter((part) => !part.startsWith('0 '));
  const calendar = parts.length === 0 ? '0 days' : parts.join(', ');
  const weeks = `${counted(Math.floor(days / 7), 'week')}${days % 7 === 0 ? '' : ` and ${counted(days % 7, 'day')}`}`;
  const between = `from ${dateText(start)} to ${dateText(end)}`;
  if (/\bhow old\b|\bage\b|\bborn\b/iu.test(rest))
    return {
      steps,
      answer: `**${counted(Math.floor(months / 12), 'year')}** ${between}; exactly ${calendar}.`,
    };
  if (/\b(?:many|in) (?:full |whole )?months\b/iu.test(rest))
    return {
      steps,
      answer: `**${counted(months, 'month')}**${left === 0 ? '' : ` and ${counted(left, 'day')}`} ${between}. That is ${counted(days, 'day')}.`,
    };
  if (/\b(?:many|in) (?:full |whole )?years\b/iu.test(rest))
    return {
      steps,
      answer: `**${counted(Math.floor(months / 12), 'year')}** ${between}; exactly ${calendar}.`,
    };
  if (/\b(?:many|in) (?:full |whole )?weeks\b/iu.test(rest)) {
    return {
      steps: [...steps, `${number.format(days)} = ${number.format(Math.floor(days / 7))} × 7 + ${days % 7}`],
      answer: `**${weeks}** ${between}. That is ${counted(days, 'day')}.`,
    };
  }
  const also = [days >= 7 ? weeks : '', months > 0 ? calendar : ''].filter((part) => part !== '');
  const same = also.length === 0 ? '' : ` That is ${also.join(', or ')}.`;
  return { steps, answer: `**${counted(days, 'day')}** ${between}, the last day not counted.${same}` };
}

function wholeMonths(start: CalendarDate, end: CalendarDate): number {
  const months = (end.year - start.year) * 12 + end.month - start.month;
  const reached = plusMonths(start, months);
  return reached && dayNumber(reached) > dayNumber(end) ? months - 1 : months;
}

const anchor: CalendarDate = { year: 2000, month: 1, day: 1 };

function weekdaySteps(date: CalendarDate): string[] {
  const days = dayNumber(date) - dayNumber(anchor);
  if (days === 0) return ['1 January 2000 was a Saturday.'];
  const apart = Math.abs(days);
  const rest = apart % 7;
  const side = days > 0 ? 'after' : 'before';
  return [
    `1 January 2000 was a Saturday. ${dateText(date)} is ${counted(apart, 'day')} ${side} it.`,
    `${number.format(apart)} = ${number.format(Math.floor(apart / 7))} × 7 + ${rest}`,
    rest === 0
      ? 'Whole weeks: the same weekday.'
      : `${counted(rest, 'day')} ${side} a Saturday is a ${weekdayNames[weekdayOf(date)] ?? ''}.`,
  ];
}

function weekdayAnswer(date: CalendarDate): WorkedAnswer {
  return {
    steps: weekdaySteps(date),
    answer: `${dateText(date)} is a **${weekdayNames[weekdayOf(date)] ?? ''}**.`,
  };
}

function dayOfYearAnswer(date: CalendarDate): WorkedAnswer {
  const before = monthNames
    .slice(0, date.month - 1)
    .map((name, index) => `${name} ${daysInMonth(date.year, index + 1)}`);
  const steps =
    before.length === 0
      ? []
      : [
          `Days in the months before: ${before.join(', ')}.`,
          `Together ${dayOfYear(date) - date.day}, and ${date.day} more.`,
        ];
  return {
    steps,
    answer: `${dateText(date)} is day **${dayOfYear(date)}** of ${daysInYear(date.year)} in ${date.year}.`,
  };
}

/** ISO 8601: weeks begin on Monday, and the first one holds the first Thursday. */
function weekAnswer(date: CalendarDate): WorkedAnswer {
  const thursday = dateOfDayNumber(dayNumber(date) - ((weekdayOf(date) + 6) % 7) + 3) ?? date;
  const week = Math.floor((dayOfYear(thursday) - 1) / 7) + 1;
  const steps = [
    `The Thursday of that week is ${dateText(thursday)}, day ${dayOfYear(thursday)} of ${thursday.year}.`,
    `(${dayOfYear(thursday)} - 1) ÷ 7 rounded down, and 1 more: ${week}`,
  ];
  return {
    steps,
    answer: `${dateText(date)} is in week **${week}** of ${thursday.year} (ISO 8601, weeks begin on Monday).`,
  };
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
