/** Reads the body of a health route, whose shape is not specified: a word, an object or a list of endpoints. */
import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';

export interface HealthReport {
  verdict: 'ok' | 'degraded' | 'failed';
  /** A sentence about the problem, if the body has more than a word. */
  detail?: string;
}

const badPattern = /^(?:down|error|fail|failed|failing|unhealthy|not.?ok|unavailable|critical)$/i;
const degradedPattern = /^(?:degraded|partial|partially.*|warn|warning|limited|maintenance)$/i;
const loadingPattern = /^(?:still )?(?:loading|starting|initiali[sz]ing|warming)\b/i;

const endpointNouns =
  'endpoints?|models?|deployments?|providers?|backends?|nodes?|upstreams?|services?|count';
const unhealthyField = new RegExp(
  `^unhealthy$|^(?:unhealthy|failing|failed|down|unavailable|offline)[_-]?(?:${endpointNouns})$`,
  'i',
);
const healthyField = new RegExp(`^healthy[_-]?(?:${endpointNouns})$`, 'i');

const maxDepth = 4;
const maxNodes = 5000;

/** Returns true for the words of a server that is not ready yet. */
export function isLoadingText(text: string): boolean {
  return loadingPattern.test(text.trim());
}

export function readHealthBody(text: string): HealthReport {
  const parsed = parseJson(text);
  const value: unknown = parsed.ok ? parsed.value : text.trim();
  const word = readStatusWord(value);
  const error = getOwnProperty(value, 'error');
  const message = getStringProperty(error, 'message') ?? (typeof error === 'string' ? error : '');
  const loadingText = [word, message].find(isLoadingText);
  if (loadingText !== undefined)
    return { verdict: 'degraded', detail: `The gateway reports: ${loadingText}.` };
  if (badPattern.test(word)) return { verdict: 'failed' };
  const { healthyCount, unhealthyCount } = countEndpoints(value);
  if (unhealthyCount > 0) {
    const detail = `Its health route lists ${unhealthyCount} unhealthy ${unhealthyCount === 1 ? 'endpoint' : 'endpoints'}.`;
    return { verdict: healthyCount === 0 ? 'failed' : 'degraded', detail };
  }
  return { verdict: degradedPattern.test(word) ? 'degraded' : 'ok' };
}

function readStatusWord(value: unknown): string {
  if (typeof value === 'string') return value;
  if (['ok', 'healthy', 'alive', 'status'].some((key) => getOwnProperty(value, key) === false))
    return 'not ok';
  const values = ['status', 'health', 'state'].map((name) => getStringProperty(value, name));
  return values.find((word) => word !== undefined) ?? '';
}

/**
 * Counts endpoints from lists, from reported counts and from members with their own status. `healthyCount` is
 * `undefined` if unknown.
 */
function countEndpoints(value: unknown): { healthyCount: number | undefined; unhealthyCount: number } {
  const counts = { healthy: [] as number[], unhealthy: [] as number[], badMembers: 0, goodMembers: 0 };
  let nodes = 0;
  const visit = (node: unknown, depth: number): void => {
    if (depth > maxDepth || (nodes += 1) > maxNodes || typeof node !== 'object' || node === null) return;
    for (const [name, member] of Object.entries(node)) {
      const isUnhealthy = unhealthyField.test(name);
      if (isUnhealthy || healthyField.test(name)) {
        counts[isUnhealthy ? 'unhealthy' : 'healthy'].push(countEntries(member));
        continue;
      }
      if (isRecord(member)) {
        const word = readStatusWord(member);
        if (badPattern.test(word)) counts.badMembers += 1;
        else if (word !== '') counts.goodMembers += 1;
      }
      visit(member, depth + 1);
    }
  };
  visit(value, 0);
  // A list and its count describe the same endpoints.
  const unhealthyCount = Math.max(0, ...counts.unhealthy) + counts.badMembers;
  const hasHealthyCount = counts.healthy.length > 0 || counts.goodMembers + counts.badMembers > 0;
  const healthyCount = Math.max(0, ...counts.healthy) + counts.goodMembers;
  return { healthyCount: hasHealthyCount ? healthyCount : undefined, unhealthyCount };
}

function countEntries(value: unknown): number {
  if (typeof value === 'number') return Math.max(0, value);
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}
