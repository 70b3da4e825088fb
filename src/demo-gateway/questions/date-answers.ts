/** Works out what is asked about dates, with the steps that lead to the answer. */
import {
  dateOfDayNumber,
  dateText,
  dayNumber,
  dayOfYear,
  daysInMonth,
  daysInYear,
  leapYearsUpTo,
  monthNames,
  plusMonths,
  weekdayNames,
  weekdayOf,
  type CalendarDate,
} from './calendar.ts';
import { counted, longDate, numberText, type WorkedAnswer } from './date-words.ts';

export interface Amount {
  count: number;
  unit: 'day' | 'week' | 'month' | 'year';
}

export const units: readonly Amount['unit'][] = ['day', 'week', 'month', 'year'];

export function shiftAnswer(
  start: CalendarDate,
  amounts: readonly Amount[],
  backwards: boolean,
): WorkedAnswer {
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
export function spanAnswer(one: CalendarDate, other: CalendarDate, rest: string): WorkedAnswer {
  const [start, end] = dayNumber(one) <= dayNumber(other) ? [one, other] : [other, one];
  const days = dayNumber(end) - dayNumber(start);
  const years = end.year - start.year;
  const leapYears = leapYearsUpTo(end.year - 1) - leapYearsUpTo(start.year - 1);
  const steps = [
    `${dateText(start)} is day ${dayOfYear(start)} of ${start.year}.`,
    `${dateText(end)} is day ${dayOfYear(end)} of ${end.year}.`,
  ];
  if (years === 0) steps.push(`${dayOfYear(end)} - ${dayOfYear(start)} = ${numberText(days)}`);
  else {
    const whole = years * 365 + leapYears;
    steps.push(
      `From 1 January ${start.year} to 1 January ${end.year} are ${counted(years, 'year')}, ${leapYears === 1 ? '1 of them a leap year' : `${leapYears} of them leap years`}.`,
      `${numberText(years)} × 365 + ${numberText(leapYears)} = ${numberText(whole)}`,
      `${numberText(whole)} + ${dayOfYear(end)} - ${dayOfYear(start)} = ${numberText(days)}`,
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
      steps: [...steps, `${numberText(days)} = ${numberText(Math.floor(days / 7))} × 7 + ${days % 7}`],
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
    `${numberText(apart)} = ${numberText(Math.floor(apart / 7))} × 7 + ${rest}`,
    rest === 0
      ? 'Whole weeks: the same weekday.'
      : `${counted(rest, 'day')} ${side} a Saturday is a ${weekdayNames[weekdayOf(date)] ?? ''}.`,
  ];
}

export function weekdayAnswer(date: CalendarDate): WorkedAnswer {
  return {
    steps: weekdaySteps(date),
    answer: `${dateText(date)} is a **${weekdayNames[weekdayOf(date)] ?? ''}**.`,
  };
}

export function dayOfYearAnswer(date: CalendarDate): WorkedAnswer {
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
export function weekAnswer(date: CalendarDate): WorkedAnswer {
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
