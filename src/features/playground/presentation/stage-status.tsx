import { Check, CircleAlert, Scissors, Square } from 'lucide-react';

import { finishWord } from '../../../conversation/reply/finish-word.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import { candidateOf } from '../../../conversation/session/candidates.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { StatusWord } from '../../../ui/display/status-word.tsx';

/** One word for what the answer is doing, readable from the last row. */
export function StageStatus({ run }: { run: Run }) {
  if (isLive(run)) {
    if (run.phase.name === 'queued') return <StatusWord tone="warn">In the queue</StatusWord>;
    if (run.phase.name === 'waiting') return <StatusWord tone="live">Waiting</StatusWord>;
    const isThinking = candidateOf(run, 0)?.parts.at(-1)?.type === 'thinking';
    return <StatusWord tone="live">{isThinking ? 'Thinking' : 'Writing'}</StatusWord>;
  }
  const alert = <CircleAlert className="i" aria-hidden />;
  const scissors = <Scissors className="i" aria-hidden />;
  switch (run.phase.name) {
    case 'failed':
      return (
        <StatusWord tone="err" icon={alert}>
          Failed
        </StatusWord>
      );
    case 'stopped':
      return (
        <StatusWord tone="plain" icon={<Square className="i" aria-hidden />}>
          Stopped
        </StatusWord>
      );
    case 'interrupted':
      return (
        <StatusWord tone="warn" icon={alert}>
          Interrupted
        </StatusWord>
      );
    case 'truncated':
      return (
        <StatusWord tone="warn" icon={scissors}>
          Cut off
        </StatusWord>
      );
    default:
      if (finishWord(run) === 'length')
        return (
          <StatusWord tone="warn" icon={scissors}>
            Cut off
          </StatusWord>
        );
      return (
        <StatusWord tone="ok" icon={<Check className="i" aria-hidden />}>
          Done
        </StatusWord>
      );
  }
}
