import type { Run } from '../session/types.ts';

/** The finish reason as it is shown: the provider's word, or how it ended here. Undefined while it has not. */
export function finishWord(run: Run): string | undefined {
  const reason = run.choices.findLast((choice) => choice.finishReason !== undefined)?.finishReason;
  switch (run.phase.name) {
    case 'complete':
      return reason ?? 'none reported';
    case 'stopped':
    case 'interrupted':
      return run.phase.name;
    case 'truncated':
      return 'cut off';
    case 'failed':
      return 'error';
    default:
      return undefined;
  }
}
