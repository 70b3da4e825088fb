const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Formats a time as its age for up to an hour, then as the time of day for today, then as a date. Both arguments are
 * epoch ms.
 */
export function formatRelativeTime(timestampMs: number, nowMs: number): string {
  const date = new Date(timestampMs);
  const today = new Date(nowMs);
  const ageMs = nowMs - timestampMs;
  if (ageMs >= 0 && ageMs < minuteMs) return 'just now';
  if (ageMs >= 0 && ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  if (date.toDateString() === today.toDateString()) return timeFormat.format(date);
  return (date.getFullYear() === today.getFullYear() ? dayFormat : dateFormat).format(date);
}
