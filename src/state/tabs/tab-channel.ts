/** What tabs without Web Locks tell each other about requests: how many are open. */
import { numberProperty, stringProperty } from '../../lib/json.ts';
import type { Page } from '../page.ts';
import { createLocalSlots, createLockSlots, type RequestSlots } from '../runs/request-slots.ts';

/** A tab that has not been heard of for this long is gone, and its places with it. */
const silentAfterMs = 3_000;
const heartbeatMs = 1_000;

export interface TabChannel {
  slots: RequestSlots;
}

/** Uses the page's locks where it has them, else a heartbeat over the same channel. */
export function createTabChannel(
  tabId: string,
  { now, locks, openChannel }: Pick<Page, 'now' | 'locks' | 'openChannel'>,
): TabChannel {
  const channel = openChannel('bench-requests');
  const others = new Map<string, { open: number; heardAt: number }>();
  const local = createLocalSlots(() => {
    const alive = [...others.values()].filter((other) => other.heardAt > now() - silentAfterMs);
    return alive.reduce((sum, other) => sum + other.open, 0);
  });

  channel?.onMessage((data) => {
    const from = stringProperty(data, 'from');
    const open = numberProperty(data, 'open');
    if (from !== undefined && open !== undefined) others.set(from, { open, heardAt: now() });
  });

  if (!locks && channel) {
    setInterval(() => {
      channel.post({ from: tabId, open: local.held() });
      local.recheck();
    }, heartbeatMs);
  }

  return { slots: locks ? createLockSlots(locks) : local };
}
