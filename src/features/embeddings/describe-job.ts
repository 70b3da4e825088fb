import { formatCount, pluralize } from '../../lib/format.ts';
import type { JobState } from '../../state/embedding/embedding-job-types.ts';
import type { EmbeddingPlan } from '../../state/embedding/embedding-plan.ts';

/** Requests per minute, 0 for no limit, and how many of them this minute still has. */
export interface MinuteLimit {
  limit: number;
  free: number;
}

const minuteMs = 60_000;

/** How long a job will likely take from now on; undefined before its first answer. */
function timeLeftMs(state: JobState, total: number, now: number, minute: MinuteLimit): number | undefined {
  const { run, counts, likelyRequests } = state;
  const since = run && total - counts.waiting - run.doneBefore;
  if (!run || !since) return undefined;
  const atThisPace = (counts.waiting * (now - run.sinceMs)) / since;
  const beyond = minute.limit === 0 ? 0 : Math.max(0, likelyRequests - minute.free);
  return Math.max(atThisPace, minute.limit === 0 ? 0 : Math.ceil(beyond / minute.limit) * minuteMs);
}

/** "About 4 s left. 15 of about 21 requests, 96 texts per request, 142 texts per second." */
export function paceWords(state: JobState, total: number, now: number, minute: MinuteLimit): string {
  const { run, requests, likelyRequests, batchSize, counts } = state;
  const all = requests + likelyRequests;
  const facts = [
    `${formatCount(requests)} of ${likelyRequests > 1 ? 'about ' : ''}${pluralize(all, 'request')}`,
    `${pluralize(Math.min(batchSize, total), 'text')} per request`,
  ];
  const left = timeLeftMs(state, total, now, minute);
  const since = run ? total - counts.waiting - run.doneBefore : 0;
  if (run && since > 0 && now > run.sinceMs) {
    const perSecond = (since * 1000) / (now - run.sinceMs);
    facts.push(`${pluralize(Math.max(1, Math.round(perSecond)), 'text')} per second`);
  }
  const start = left === undefined ? '' : `About ${secondsWords(left)} left. `;
  return `${start}${facts.join(', ')}.`;
}

function secondsWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 90 ? `${seconds} s` : pluralize(Math.round(seconds / 60), 'minute');
}

/** What embedding would cost, before anything is spent. */
export function costWords(plan: EmbeddingPlan, { limit, free }: MinuteLimit): string {
  const { known, toSend, requests, tokens } = plan;
  if (toSend === 0) return 'All stored: no request needed.';
  const stored = known > 0 ? `${formatCount(known)} stored. ` : '';
  const isSure = requests.least === requests.most;
  const likely = `${isSure ? '' : 'about '}${pluralize(requests.least, 'request')}`;
  const minutes =
    limit === 0 || requests.least <= free
      ? ''
      : `, about ${pluralize(Math.ceil(requests.least / limit), 'minute')} at ${formatCount(limit)} per minute`;
  return `${stored}${formatCount(toSend)} to send: ${likely}, ~${pluralize(tokens, 'token')}${minutes}.`;
}
