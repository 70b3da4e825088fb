/** Dates of the Gregorian calendar, also before it was in use, as day numbers: exact for the years 1 to 9999. */
export interface CalendarDate {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function daysInYear(year: number): number {
  return isLeapYear(year) ? 366 : 365;
}

/** 1 for the first of January, 366 for the last day of a leap year. */
export function dayOfYear({ year, month, day }: CalendarDate): number {
  let days = day;
  for (let before = 1; before < month; before += 1) days += daysInMonth(year, before);
  return days;
}

/** Leap years from year 1 up to and including this one. */
export function leapYearsUpTo(year: number): number {
  return Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
}

/** Days since 31 December of the year 0. */
export function dayNumber(date: CalendarDate): number {
  return (date.year - 1) * 365 + leapYearsUpTo(date.year - 1) + dayOfYear(date);
}

/** The date of a day number, or undefined outside the years 1 to 9999. */
export function dateOfDayNumber(days: number): CalendarDate | undefined {
  let year = Math.floor(days / 365.2425) + 1;
  while (dayNumber({ year, month: 1, day: 1 }) > days) year -= 1;
  while (dayNumber({ year: year + 1, month: 1, day: 1 }) <= days) year += 1;
  if (year < 1 || year > 9999) return undefined;
  let rest = days - dayNumber({ year, month: 1, day: 1 }) + 1;
  let month = 1;
  while (rest > daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day: rest };
}

/** 0 is Sunday. The day number 1, 1 January of the year 1, was a Monday. */
export function weekdayOf(date: CalendarDate): number {
  return dayNumber(date) % 7;
}

/** The same day some months later or earlier; a day that the month lacks becomes its last one. */
export function plusMonths({ year, month, day }: CalendarDate, months: number): CalendarDate | undefined {
  const count = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
  if (target.year < 1 || target.year > 9999) return undefined;
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}

export function dateOfMilliseconds(now: number): CalendarDate {
  const date = new Date(now);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 14 March 2026 */
export function dateText({ year, month, day }: CalendarDate): string {
  return `${day} ${monthNames[month - 1] ?? ''} ${year}`;
}
