const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long ago for an hour, then the time today, then the day. Both in epoch milliseconds. */
export function whenOf(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  const age = now - at;
  if (age >= 0 && age < minuteMs) return 'just now';
  if (age >= 0 && age < hourMs) return `${Math.floor(age / minuteMs)} min ago`;
  if (date.toDateString() === today.toDateString()) return clock.format(date);
  return (date.getFullYear() === today.getFullYear() ? dayOfYear : day).format(date);
}
