import { useQueue, useRunServices } from '../../../state/contexts.tsx';
import type { MinuteLimit } from '../describe-job.ts';

/** Returns the limit of requests per minute of a gateway and how many of them are left. */
export function useMinuteLimit(gatewayName: string | undefined): MinuteLimit {
  const queue = useRunServices().getQueue(gatewayName);
  const sentCount = useQueue((state) => state.sentAt.length, gatewayName);
  const limit = queue.getLimit();
  return { limit, free: Math.max(0, limit - sentCount) };
}
