/** What a gateway says of its own limit of requests, and the sentence about it. */

/** As the headers have it: whether it is per minute or per day they seldom say. */
export interface ReportedLimit {
  limit?: string;
  remaining?: string;
  reset?: string;
  /** Every x-ratelimit-* header, without that beginning. */
  headers?: Readonly<Record<string, string>>;
  /** Epoch milliseconds of the last request that was refused for it. */
  refusedAt?: number;
}

const prefix = 'x-ratelimit-';
const maxHeaders = 20;
const short = /^[\w.: +-]{1,40}$/;

/** Undefined where the answer says nothing of a limit. */
export function reportedLimitOf(headers: Headers, status: number, now: number): ReportedLimit | undefined {
  const read = (what: string) => {
    const value = headers.get(`x-ratelimit-${what}-requests`) ?? headers.get(`x-ratelimit-${what}`);
    return value !== null && short.test(value) ? value : undefined;
  };
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(read);
  const all = [...headers]
    .filter(([name, value]) => name.startsWith(prefix) && short.test(value))
    .map(([name, value]) => [name.slice(prefix.length), value] as const)
    .slice(0, maxHeaders);
  if (all.length === 0 && status !== 429) return undefined;
  return {
    ...(all.length === 0 ? {} : { headers: Object.fromEntries(all) }),
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset }),
    ...(status === 429 ? { refusedAt: now } : {}),
  };
}

/** Merges a newer report. Answers of several routes report different counts, and when one was last rejected stays. */
export function withReport(known: ReportedLimit | undefined, report: ReportedLimit): ReportedLimit {
  const all = Object.entries({ ...known?.headers, ...report.headers });
  const headers = all.length === 0 ? {} : { headers: Object.fromEntries(all.slice(-maxHeaders)) };
  return { ...known, ...report, ...headers };
}

/** "Counted by Bench. The gateway reports a limit of 500 requests, 499 left." */
export function limitSentence(reported: ReportedLimit | undefined): string {
  const counted = 'Counted by Bench.';
  if (!reported) return `${counted} The gateway does not report its limit.`;
  const { limit, remaining, reset, refusedAt } = reported;
  const left = remaining === undefined ? '' : `${remaining} left`;
  const parts = [
    ...(limit === undefined ? [] : [`a limit of ${limit} requests`]),
    ...(left === '' ? [] : [left]),
    ...(reset === undefined ? [] : [`reset ${reset}`]),
  ];
  const says =
    parts.length === 0
      ? 'The gateway does not report its limit.'
      : `The gateway reports ${parts.join(', ')}.`;
  const refused =
    refusedAt === undefined
      ? ''
      : ` It refused a request for its limit at ${new Date(refusedAt).toLocaleTimeString('en-GB')}.`;
  return `${counted} ${says}${refused}`;
}
