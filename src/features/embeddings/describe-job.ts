import { formatCount, pluralize } from '../../lib/format.ts';
import type { JobState } from '../../state/embedding/embedding-job-types.ts';
import type { EmbeddingPlan } from '../../state/embedding/embedding-plan.ts';

/** Requests per minute (0: no limit) and how many remain in this minute. */
export interface MinuteLimit {
  limit: number;
  free: number;
}

const minuteMs = 60_000;

/** Estimates the remaining time of a job in ms; `undefined` before its first response. */
function estimateRemainingMs(
  state: JobState,
  total: number,
  nowMs: number,
  minute: MinuteLimit,
): number | undefined {
  const { run, counts, likelyRequests } = state;
  const embeddedInRun = run && total - counts.waiting - run.doneBefore;
  if (!run || !embeddedInRun) return undefined;
  const remainingAtPaceMs = (counts.waiting * (nowMs - run.startedAt)) / embeddedInRun;
  const requestsOverLimit = minute.limit === 0 ? 0 : Math.max(0, likelyRequests - minute.free);
  return Math.max(
    remainingAtPaceMs,
    minute.limit === 0 ? 0 : Math.ceil(requestsOverLimit / minute.limit) * minuteMs,
  );
}

/**
 * Describes the progress, such as "About 4 s left. 15 of about 21 requests, 96 texts per request, 142 texts per
 * second."
 */
export function describeJobPace(state: JobState, total: number, nowMs: number, minute: MinuteLimit): string {
  const { run, requests, likelyRequests, batchSize, counts } = state;
  const totalRequests = requests + likelyRequests;
  const phrases = [
    `${formatCount(requests)} of ${likelyRequests > 1 ? 'about ' : ''}${pluralize(totalRequests, 'request')}`,
    `${pluralize(Math.min(batchSize, total), 'text')} per request`,
  ];
  const remainingMs = estimateRemainingMs(state, total, nowMs, minute);
  const embeddedInRun = run ? total - counts.waiting - run.doneBefore : 0;
  if (run && embeddedInRun > 0 && nowMs > run.startedAt) {
    const perSecond = (embeddedInRun * 1000) / (nowMs - run.startedAt);
    phrases.push(`${pluralize(Math.max(1, Math.round(perSecond)), 'text')} per second`);
  }
  const remainingText = remainingMs === undefined ? '' : `About ${formatRemaining(remainingMs)} left. `;
  return `${remainingText}${phrases.join(', ')}.`;
}

function formatRemaining(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 90 ? `${seconds} s` : pluralize(Math.round(seconds / 60), 'minute');
}

/** Describes the cost of embedding before any request is sent. */
export function describePlanCost(plan: EmbeddingPlan, { limit, free }: MinuteLimit): string {
  const { storedCount, sendCount, requests, tokens } = plan;
  if (sendCount === 0) return 'All vectors are stored. No request needed.';
  const storedText = storedCount > 0 ? `${formatCount(storedCount)} stored. ` : '';
  const isExact = requests.min === requests.max;
  const requestsText = `${isExact ? '' : 'about '}${pluralize(requests.min, 'request')}`;
  const minutesText =
    limit === 0 || requests.min <= free
      ? ''
      : `, about ${pluralize(Math.ceil(requests.min / limit), 'minute')} at ${formatCount(limit)} per minute`;
  return `${storedText}${formatCount(sendCount)} to embed in ${requestsText}, ~${pluralize(tokens, 'token')}${minutesText}.`;
}
