import { estimateTokens } from '../../conversation/request/request.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import { useView } from '../../state/contexts.tsx';
import { formatContextUsage, isNearLimit, useContextUsage } from '../models/use-context-usage.ts';
import { useCostEstimate } from '../models/use-model-price.ts';

interface Props {
  text: string;
  imageCount: number;
  /** Number of documents and sounds. */
  fileCount: number;
  /** Lanes that receive the message. */
  targets: readonly LaneId[];
  className: string;
}

/** Estimated tokens of the message, and the cost of sending it, which is hidden with the names of the models. */
export function MessageSize({ text, imageCount, fileCount, targets, className }: Props) {
  const estimate = useCostEstimate(text, targets);
  const context = useContextUsage(targets, text);
  const namesHidden = useView((view) => view.namesHidden);
  return (
    <span className={className}>
      {context && !namesHidden && isNearLimit(context) ? (
        <span className="font-550 text-warn-ink" title="Estimated tokens of the whole request">
          {formatContextUsage(context)} context
        </span>
      ) : (
        describeMessageSize(text, imageCount, fileCount)
      )}
      {estimate && !namesHidden && (
        <span title={estimate.description}>
          , {estimate.text}
          <span className="sr-only"> ({estimate.description})</span>
        </span>
      )}
    </span>
  );
}

/** Describes the estimated tokens, without images and files, whose tokens depend on the model. */
function describeMessageSize(text: string, imageCount: number, fileCount: number): string {
  return [
    ...(text === '' ? [] : [`~${formatCount(estimateTokens(text))} tokens`]),
    ...(imageCount === 0 ? [] : [pluralize(imageCount, 'image')]),
    ...(fileCount === 0 ? [] : [pluralize(fileCount, 'file')]),
  ].join(' + ');
}
