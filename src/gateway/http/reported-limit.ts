/** Reads the request limit that a gateway reports, and describes it. */

/** Limit from the headers, which rarely say whether it is per minute or per day. */
export interface ReportedLimit {
  limit?: string;
  remaining?: string;
  reset?: string;
  /** All x-ratelimit-* headers, without that prefix. */
  headers?: Readonly<Record<string, string>>;
  /** Epoch ms of the last request rejected because of it. */
  refusedAt?: number;
}

const prefix = 'x-ratelimit-';
const maxHeaders = 20;
const shortValue = /^[\w.: +-]{1,40}$/;

/** Returns the limit reported by a response; `undefined` if there is none. */
export function readReportedLimit(headers: Headers, status: number, now: number): ReportedLimit | undefined {
  const readHeader = (field: string) => {
    const value = headers.get(`x-ratelimit-${field}-requests`) ?? headers.get(`x-ratelimit-${field}`);
    return value !== null && shortValue.test(value) ? value : undefined;
  };
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(readHeader);
  const limitHeaders = [...headers]
    .filter(([name, value]) => name.startsWith(prefix) && shortValue.test(value))
    .map(([name, value]) => [name.slice(prefix.length), value] as const)
    .slice(0, maxHeaders);
  if (limitHeaders.length === 0 && status !== 429) return undefined;
  return {
    ...(limitHeaders.length === 0 ? {} : { headers: Object.fromEntries(limitHeaders) }),
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset }),
    ...(status === 429 ? { refusedAt: now } : {}),
  };
}

/** Merges a newer report. Different routes report different counts; the time of the last rejection is kept. */
export function mergeReportedLimit(
  previous: ReportedLimit | undefined,
  report: ReportedLimit,
): ReportedLimit {
  const limitHeaders = Object.entries({ ...previous?.headers, ...report.headers });
  const headers =
    limitHeaders.length === 0 ? {} : { headers: Object.fromEntries(limitHeaders.slice(-maxHeaders)) };
  return { ...previous, ...report, ...headers };
}

/** Returns, for example, "Counted by Bench. The gateway reports a limit of 500 requests, 499 left." */
export function describeReportedLimit(report: ReportedLimit | undefined): string {
  const countedText = 'Counted by Bench.';
  if (!report) return `${countedText} The gateway does not report its limit.`;
  const { limit, remaining, reset, refusedAt } = report;
  const remainingText = remaining === undefined ? '' : `${remaining} left`;
  const parts = [
    ...(limit === undefined ? [] : [`a limit of ${limit} requests`]),
    ...(remainingText === '' ? [] : [remainingText]),
    ...(reset === undefined ? [] : [`reset ${reset}`]),
  ];
  const reportText =
    parts.length === 0
      ? 'The gateway does not report its limit.'
      : `The gateway reports ${parts.join(', ')}.`;
  const rejectedText =
    refusedAt === undefined
      ? ''
      : ` It last rejected a request at ${new Date(refusedAt).toLocaleTimeString('en-GB')}.`;
  return `${countedText} ${reportText}${rejectedText}`;
}
