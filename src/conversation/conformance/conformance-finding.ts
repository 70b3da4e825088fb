/** What a look at an answer comes to, rule by rule. */

/**
 * pass: as gateway-spec.md has it. seen: the specification leaves it open, so it is only told.
 * fault: the specification says otherwise.
 */
export type Verdict = 'pass' | 'seen' | 'fault';

/** What the rules are called on screen and in the table of the command. */
export const ruleTitles = {
  status: 'Answer',
  'error-shape': 'Error shape',
  'content-type': 'Content type',
  delivery: 'Streamed or whole, as requested',
  framing: 'One chunk per event',
  object: 'Object name',
  identity: 'One id and one model',
  fields: 'Fields and their types',
  role: 'Role marker',
  'finish-reason': 'Finish reason',
  usage: 'Token usage',
  end: 'End of the stream',
  'tool-calls': 'Tool calls',
  'other-fields': 'Fields beyond the specification',
  'request-id': 'Request ID',
  buffering: 'Sent as produced',
  n: 'n',
  stop: 'stop',
  max_tokens: 'max_tokens',
  response_format: 'response_format',
  enable_thinking: 'enable_thinking',
  thinking_budget: 'thinking_budget',
} as const;

export type RuleName = keyof typeof ruleTitles;

export interface Finding {
  rule: RuleName;
  /** Of gateway-spec.md, such as `§6.1`. */
  section: string;
  verdict: Verdict;
  /** One or two plain sentences. */
  detail: string;
  /** Index of the tape's entry that shows it. */
  entry?: number;
}

export function countOf(findings: readonly { verdict: Verdict }[], verdict: Verdict): number {
  return findings.filter((finding) => finding.verdict === verdict).length;
}
