import { useQueue, useRunServices } from '../../../state/contexts.tsx';
import type { MinuteLimit } from '../describe-job.ts';

/** Returns the limit of requests per minute and how many of them are left. */
export function useMinuteLimit(): MinuteLimit {
  const queue = useRunServices().getQueue();
  const sentCount = useQueue((state) => state.sentAt.length);
  const limit = queue.getLimit();
  return { limit, free: Math.max(0, limit - sentCount) };
}
