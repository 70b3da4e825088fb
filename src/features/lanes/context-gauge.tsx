import { clsx } from 'clsx';

import type { LaneId } from '../../conversation/session/types.ts';
import { formatCount } from '../../lib/format.ts';
import { formatContextUsage, isNearLimit, useContextUsage } from '../models/use-context-usage.ts';

interface ContextGaugeProps {
  laneId: LaneId;
  letter: string;
  /** True if there is space only for a warning; screen readers always get the value. */
  isBrief?: boolean;
  /** True for the bar below the text, which leaves space for the metrics beside it. */
  isStacked?: boolean;
}

/** Share of the model's context that the conversation uses; nothing if the context length is unknown. */
export function ContextGauge({ laneId, letter, isBrief = false, isStacked = false }: ContextGaugeProps) {
  const usage = useContextUsage([laneId]);
  if (!usage) return null;
  const { tokens, maxTokens, parts } = usage;
  const isNear = isNearLimit(usage);
  const partTexts = parts.map(([name, partTokens]) => `${name}: ~${formatCount(partTokens)}`);
  return (
    <span
      role="meter"
      aria-label={`Context, lane ${letter}`}
      aria-valuemin={0}
      aria-valuemax={maxTokens}
      aria-valuenow={Math.min(tokens, maxTokens)}
      aria-valuetext={[`~${formatCount(tokens)} of ${formatCount(maxTokens)} tokens`, ...partTexts].join(
        ', ',
      )}
      title={['Context of the next request, in tokens', ...partTexts].join('\n')}
      className={clsx(
        'relative flex flex-none items-center gap-1.5 text-12 whitespace-nowrap',
        isNear ? 'font-550 text-warn-ink' : 'text-ink-3',
        isBrief && !isNear && 'sr-only',
        isStacked && 'phone:flex-col-reverse phone:items-stretch phone:gap-1',
      )}
    >
      <span className="h-1 min-w-12 overflow-hidden rounded-full bg-line-2" aria-hidden>
        <span
          className="block h-full bg-current forced-colors:bg-[CanvasText]"
          style={{ width: `${Math.min(100, (tokens / maxTokens) * 100)}%` }}
        />
      </span>
      {formatContextUsage(usage)}
    </span>
  );
}
