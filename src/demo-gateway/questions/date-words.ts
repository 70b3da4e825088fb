/** How dates and counts are written in answers. */
import { dateText, weekdayNames, weekdayOf, type CalendarDate } from './calendar.ts';

/** Steps in order, and the answer with its result in bold. */
export interface WorkedAnswer {
  steps: string[];
  answer: string;
}

const number = new Intl.NumberFormat('en-US');

/** 1,029 */
export function numberText(value: number): string {
  return number.format(value);
}

/** 1 day, 1,029 days */
export function counted(count: number, unit: string): string {
  return `${numberText(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Saturday, 14 March 2026 */
export function longDate(date: CalendarDate): string {
  return `${weekdayNames[weekdayOf(date)] ?? ''}, ${dateText(date)}`;
}
