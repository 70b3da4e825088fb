/** What tabs tell each other about requests: when they left, and, without Web Locks, how many are open. */
import { isRecord, numberProperty, ownProperty, stringProperty } from '../../lib/json.ts';
import type { Page } from '../page.ts';
import { createLocalSlots, createLockSlots, type RequestSlots } from '../runs/request-slots.ts';

/** A tab that has not been heard of for this long is gone, and its places with it. */
const silentAfterMs = 3_000;
const heartbeatMs = 1_000;
const minuteMs = 60_500;

export interface TabChannel {
  slots: RequestSlots;
  tellSent: (at: number) => void;
  /** Requests that other tabs sent, now and before this one opened. */
  onSent: (listen: (at: readonly number[]) => void) => void;
}

/** Uses the page's locks where it has them, else a heartbeat over the same channel. */
export function createTabChannel(
  tabId: string,
  { now, locks, openChannel }: Pick<Page, 'now' | 'locks' | 'openChannel'>,
): TabChannel {
  const channel = openChannel('bench-requests');
  const listeners: ((at: readonly number[]) => void)[] = [];
  const others = new Map<string, { open: number; heardAt: number }>();
  /** Of this tab, in the last minute: what a new tab asks for. */
  let ownSent: number[] = [];
  const local = createLocalSlots(() => {
    const alive = [...others.values()].filter((other) => other.heardAt > now() - silentAfterMs);
    return alive.reduce((sum, other) => sum + other.open, 0);
  });

  channel?.onMessage((data) => {
    const from = stringProperty(data, 'from');
    const open = numberProperty(data, 'open');
    if (from !== undefined && open !== undefined) others.set(from, { open, heardAt: now() });
    if (isRecord(data) && data['asks'] === true) channel.post({ from: tabId, to: from, sentAt: ownSent });
    // The answer to one tab's question: the others have counted these requests when they left.
    const to = stringProperty(data, 'to');
    if (to !== undefined && to !== tabId) return;
    const sentAt = ownProperty(data, 'sentAt');
    const times = Array.isArray(sentAt) ? sentAt.filter((at): at is number => typeof at === 'number') : [];
    if (times.length > 0) for (const listen of listeners) listen(times);
  });

  if (!locks && channel) {
    setInterval(() => {
      channel.post({ from: tabId, open: local.held() });
      local.recheck();
    }, heartbeatMs);
  }

  return {
    slots: locks ? createLockSlots(locks) : local,
    tellSent: (at) => {
      ownSent = [...ownSent.filter((earlier) => earlier > at - minuteMs), at];
      channel?.post({ from: tabId, sentAt: [at] });
    },
    onSent: (listen) => {
      listeners.push(listen);
      channel?.post({ from: tabId, asks: true });
    },
  };
}
