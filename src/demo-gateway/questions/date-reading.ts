/** Finds the dates in an English text. */
import {
  dateOfDayNumber,
  dayNumber,
  daysInMonth,
  isLeapYear,
  monthNames,
  type CalendarDate,
} from './calendar.ts';

/** A date as it was written. `yearAssumed`: the text has no year and the one of today was taken. */
export interface FoundDate {
  date: CalendarDate;
  written: string;
  yearAssumed: boolean;
  /** Reads "today", "tomorrow" or "yesterday". */
  isRelative: boolean;
}

/** The dates in order of appearance, or the sentence that says which one cannot be one. */
export type DateReading = { dates: FoundDate[]; rest: string } | { problem: string };

const month = `(${monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`;
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const year = '(?:,? (?:in )?(\\d{3,4}))?';

const patterns = {
  iso: '(\\d{4})-(\\d{1,2})-(\\d{1,2})',
  dayFirst: `${day}(?: of)? ${month}${year}`,
  monthFirst: `${month} (?:the )?${day}(?!\\d)${year}`,
  dots: '(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})',
  slashes: '(\\d{1,2})/(\\d{1,2})/(\\d{4})',
  feast: `(christmas(?: eve| day)?|new year(?:'s|s|’s)?(?: eve| day)?)${year}`,
  relative: '(today|tomorrow|yesterday|now)',
};
const anyDate = new RegExp(
  Object.entries(patterns)
    .map(([name, source]) => `(?<${name}>(?<![\\d.])\\b${source}\\b)`)
    .join('|'),
  'giu',
);

/** today: for "today" and for dates without a year. rest: the text with each date replaced by §. */
export function readDates(text: string, today: CalendarDate): DateReading {
  const dates: FoundDate[] = [];
  let problem: string | undefined;
  const rest = text.replace(/\s+/g, ' ').replace(anyDate, (written: string) => {
    const found = dateOf(written, today);
    if (typeof found === 'string') problem ??= found;
    else dates.push({ written, ...found });
    return '§';
  });
  return problem === undefined ? { dates, rest } : { problem };
}

function dateOf(written: string, today: CalendarDate): Omit<FoundDate, 'written'> | string {
  const match = (source: string) => new RegExp(`^${source}$`, 'iu').exec(written);
  const iso = match(patterns.iso);
  if (iso) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dots = match(patterns.dots);
  if (dots) return checked(Number(dots[3]), Number(dots[2]), Number(dots[1]));
  const slashes = match(patterns.slashes);
  if (slashes) return slashed(written, Number(slashes[1]), Number(slashes[2]), Number(slashes[3]));
  const dayFirst = match(patterns.dayFirst);
  if (dayFirst) return named(dayFirst[2], dayFirst[1], dayFirst[3], today);
  const monthFirst = match(patterns.monthFirst);
  if (monthFirst) return named(monthFirst[1], monthFirst[2], monthFirst[3], today);
  const feast = match(patterns.feast);
  if (feast) {
    const isEve = /eve/iu.test(written);
    if (/christmas/iu.test(written)) return named('dec', isEve ? '24' : '25', feast[2], today);
    return isEve ? named('dec', '31', feast[2], today) : newYear(feast[2], today);
  }
  const offset = /tomorrow/iu.test(written) ? 1 : /yesterday/iu.test(written) ? -1 : 0;
  const date = dateOfDayNumber(dayNumber(today) + offset) ?? today;
  return { date, yearAssumed: false, isRelative: true };
}

/** Without a year the next one is meant. */
function newYear(written: string | undefined, today: CalendarDate): Omit<FoundDate, 'written'> {
  const date = { year: written === undefined ? today.year + 1 : Number(written), month: 1, day: 1 };
  return { date, yearAssumed: false, isRelative: false };
}

function named(
  name = '',
  dayText = '',
  yearText: string | undefined,
  today: CalendarDate,
): Omit<FoundDate, 'written'> | string {
  const found = checked(
    yearText === undefined ? today.year : Number(yearText),
    monthNumber(name),
    Number(dayText),
  );
  return typeof found === 'string' ? found : { ...found, yearAssumed: yearText === undefined };
}

/** 1 to 12 for a name or its first three letters, else 0. */
export function monthNumber(name: string): number {
  return monthNames.findIndex((full) => full.toLowerCase().startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

/** Americans write the month first, others the day: where both can be meant, neither is guessed. */
function slashed(
  written: string,
  first: number,
  second: number,
  yearNumber: number,
): Omit<FoundDate, 'written'> | string {
  if (first > 12 || first === second) return checked(yearNumber, second, first);
  if (second > 12) return checked(yearNumber, first, second);
  const iso = [first, second].map((part) => String(part).padStart(2, '0'));
  return (
    `${written} can mean ${first} ${monthNames[second - 1] ?? ''} or ${second} ${monthNames[first - 1] ?? ''}. ` +
    `Write it as ${yearNumber}-${iso[1] ?? ''}-${iso[0] ?? ''} or ${yearNumber}-${iso[0] ?? ''}-${iso[1] ?? ''}.`
  );
}

function checked(
  yearNumber: number,
  monthValue: number,
  dayValue: number,
): Omit<FoundDate, 'written'> | string {
  if (yearNumber < 1) return 'I know the years 1 to 9999.';
  const name = monthNames[monthValue - 1];
  if (name === undefined) return `There is no month ${monthValue}: months go from 1 to 12.`;
  const days = daysInMonth(yearNumber, monthValue);
  if (dayValue < 1 || dayValue > days) {
    const why =
      monthValue === 2 ? `, since ${yearNumber} is ${isLeapYear(yearNumber) ? 'a' : 'not a'} leap year` : '';
    return `There is no ${dayValue} ${name} ${yearNumber}: ${name} ${yearNumber} has ${days} days${why}.`;
  }
  return {
    date: { year: yearNumber, month: monthValue, day: dayValue },
    yearAssumed: false,
    isRelative: false,
  };
}
