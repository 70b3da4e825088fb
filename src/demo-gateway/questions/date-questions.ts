/** Tells which question about dates a text asks, and answers it. */
import { dateText, dayNumber, plusMonths, type CalendarDate } from './calendar.ts';
import {
  dayOfYearAnswer,
  shiftAnswer,
  spanAnswer,
  units,
  weekAnswer,
  weekdayAnswer,
  type Amount,
} from './date-answers.ts';
import { readDates, type FoundDate } from './date-reading.ts';
import { longDate, type WorkedAnswer } from './date-words.ts';
import { answerYearQuestion } from './year-questions.ts';

/** The worked answer, or undefined when the text asks nothing about dates. today: the date in UTC. */
export function answerDateQuestion(text: string, today: CalendarDate): WorkedAnswer | undefined {
  const yearAnswer = answerYearQuestion(text, today);
  if (yearAnswer) return yearAnswer;
  const reading = readDates(text, today);
  if ('problem' in reading) return { steps: [], answer: reading.problem };
  const { dates, rest } = reading;
  const amounts = amountsIn(rest);
  if (dates.length === 0 && !(amounts.length > 0 && pointsFromToday(rest)) && !asksForToday.test(text))
    return undefined;
  if (/\b(?:business|working|work) ?days?\b|\bweekdays (?:between|from)\b/iu.test(rest)) {
    return {
      steps: [],
      answer:
        'I count calendar days. Which days are working days depends on the country, and I do not know its holidays.',
    };
  }
  const kind = distanceAskedFor(rest, dates, amounts);
  const meant = kind === 'until' ? dates.map((found) => upcoming(found, today)) : dates;
  const usesToday = kind !== undefined || dates.some(({ isRelative }) => isRelative);
  const worked = workedDates(rest, meant, { amounts, today, kind });
  const preface = [
    ...(usesToday || dates.length === 0 ? [`Today is ${dateText(today)} (UTC).`] : []),
    ...meant
      .filter(({ yearAssumed }) => yearAssumed)
      .map(({ written, date }) => `"${written}" has no year, so I take ${dateText(date)}.`),
  ];
  return { steps: [...preface, ...worked.steps], answer: worked.answer };
}

const asksForToday =
  /\bwhat(?:'s| is)? ?(?:the )?(?:date|day)(?: is)?(?: it| of the week)?(?: is it)?(?: today| now)?\s*\??$|\btoday'?s date\b/iu;
const fromToday = /\bago\b|\bfrom now\b|\bhence\b|\bfrom today\b/iu;

function pointsFromToday(text: string): boolean {
  if (fromToday.test(text)) return true;
  const asked = text.search(/\b(?:date|day|weekday)\b/iu);
  return asked >= 0 && /\b(?:in|after)\b/iu.test(text.slice(asked));
}

/** Whether one date is asked about as seen from today. */
function distanceAskedFor(
  rest: string,
  dates: readonly FoundDate[],
  amounts: readonly Amount[],
): 'until' | 'since' | undefined {
  const isDistance =
    /\bhow (?:many|long|old|far)\b|\b(?:days|weeks|months|years) (?:until|till|to|since|left)\b/iu.test(rest);
  if (!isDistance || dates.length !== 1 || amounts.length > 0) return undefined;
  return /\bsince\b|\bold\b|\bborn\b|\bago\b/iu.test(rest) ? 'since' : 'until';
}

interface Reading {
  amounts: readonly Amount[];
  today: CalendarDate;
  kind: 'until' | 'since' | undefined;
}

function workedDates(
  rest: string,
  [first, second]: readonly FoundDate[],
  { amounts, today, kind }: Reading,
): WorkedAnswer {
  if (first && second) return spanAnswer(first.date, second.date, rest);
  if (amounts.length > 0) return shiftAnswer(first?.date ?? today, amounts, isBackwards(rest));
  if (!first) return { steps: [], answer: `Today is ${longDate(today)} (UTC).` };
  if (kind !== undefined) return spanAnswer(first.date, today, rest);
  if (/\bday of the year\b|\bday number\b/iu.test(rest)) return dayOfYearAnswer(first.date);
  if (/\b(?:week number|calendar week|(?:which|what) week)\b/iu.test(rest)) return weekAnswer(first.date);
  return weekdayAnswer(first.date);
}

/** "until 14 March" means the next one. */
function upcoming(found: FoundDate, today: CalendarDate): FoundDate {
  const { date, yearAssumed } = found;
  if (!yearAssumed || dayNumber(date) >= dayNumber(today)) return found;
  return { ...found, date: plusMonths(date, 12) ?? date };
}

function amountsIn(rest: string): Amount[] {
  return [
    ...rest.matchAll(
      /\b(\d[\d,]{0,20}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)[ -](day|week|fortnight|month|year)s?\b/giu,
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
