/** Findings about a response, one per rule. */

/**
 * `pass`: matches the API description. `note`: not specified, reported for information only. `fault`: contradicts the
 * specification.
 */
export type RuleResult = 'pass' | 'note' | 'fault';

/** Titles of the rules on screen and in the table of the command. */
export const ruleTitles = {
  status: 'Response',
  'error-shape': 'Error shape',
  'content-type': 'Content type',
  delivery: 'Streamed or not, as requested',
  framing: 'One chunk per event',
  object: 'Object name',
  identity: 'Consistent id and model',
  fields: 'Fields and their types',
  role: 'Role marker',
  'finish-reason': 'Finish reason',
  usage: 'Token usage',
  end: 'End of the stream',
  'tool-calls': 'Tool calls',
  'other-fields': 'Fields beyond the specification',
  'request-id': 'Request ID',
  buffering: 'No buffering',
  n: 'n',
  stop: 'stop',
  max_tokens: 'max_tokens',
  response_format: 'response_format',
  enable_thinking: 'enable_thinking',
  thinking_budget: 'thinking_budget',
} as const;

export type RuleName = keyof typeof ruleTitles;

export interface RuleFinding {
  rule: RuleName;
  /** Section of the API description, such as `§6.1`. */
  section: string;
  verdict: RuleResult;
  /** Explanation in one or two plain sentences. */
  detail: string;
  /** Index of the tape entry that shows the problem. */
  entryIndex?: number;
}

export function countRuleResults(findings: readonly { verdict: RuleResult }[], verdict: RuleResult): number {
  return findings.filter((finding) => finding.verdict === verdict).length;
}

/** Titles of rules that most clients do not depend on. */
const harmlessRules: ReadonlySet<string> = new Set([
  ruleTitles.object,
  ruleTitles.identity,
  ruleTitles.role,
  ruleTitles.usage,
  ruleTitles['request-id'],
]);
/** Metadata fields of a response, as opposed to its content. */
const harmlessFieldPattern = /\b(?:created|id|object|model|usage|index)\b/;
const essentialFieldPattern =
  /\b(?:choices|message|delta|content|finish_reason|tool_calls|function|arguments|data|embedding)\b/;

/** Returns the severity of a fault; most clients do not notice harmless ones. `title` is the title in the table. */
export function getFaultSeverity({
  title,
  detail,
}: {
  title: string;
  detail: string;
}): 'breaks clients' | 'harmless' {
  const isHarmless =
    harmlessRules.has(title) ||
    (title === ruleTitles.fields && harmlessFieldPattern.test(detail) && !essentialFieldPattern.test(detail));
  return isHarmless ? 'harmless' : 'breaks clients';
}

/** Returns a count such as "2 faults: 1 breaks clients, 1 harmless". */
export function formatFaultCount(faults: readonly { title: string; detail: string }[]): string {
  const faultCount = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  if (faults.length === 0) return faultCount;
  const harmlessCount = faults.filter((fault) => getFaultSeverity(fault) === 'harmless').length;
  const breakingCount = faults.length - harmlessCount;
  const parts = [
    ...(breakingCount > 0 ? [`${breakingCount} ${breakingCount === 1 ? 'breaks' : 'break'} clients`] : []),
    ...(harmlessCount > 0 ? [`${harmlessCount} harmless`] : []),
  ];
  return `${faultCount}: ${parts.join(', ')}`;
}
