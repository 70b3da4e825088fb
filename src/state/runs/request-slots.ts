import type { ChannelClient } from '../../gateway/channel/channel-client.ts';
import { maxChannelRuns } from '../../lib/channel-frames.ts';
import { createLocalSlots, type RequestSlots } from '../tabs/tab-locks.ts';

/** Maximum number of channel slots for trials; the others remain free for user requests. */
const maxCellSlots = 24;

/** Returns the slots of this page's channel while it is open, otherwise those of direct requests. */
export function createChannelSlots(
  channel: Pick<ChannelClient, 'ensureConnected' | 'getState'>,
  directSlots: RequestSlots,
): RequestSlots {
  const allSlots = createLocalSlots(maxChannelRuns);
  const cellSlots = createLocalSlots(maxCellSlots);
  return {
    getCapacity: (source) =>
      channel.getState() === 'open'
        ? source === 'cell'
          ? maxCellSlots
          : maxChannelRuns
        : directSlots.getCapacity(source),
    acquire: async (signal, source) => {
      if (!(await channel.ensureConnected())) return directSlots.acquire(signal, source);
      if (source !== 'cell') return allSlots.acquire(signal);
      const releaseCellSlot = await cellSlots.acquire(signal);
      try {
        const releaseSlot = await allSlots.acquire(signal);
        return () => {
          releaseSlot();
          releaseCellSlot();
        };
      } catch (error) {
        releaseCellSlot();
        throw error;
      }
    },
  };
}
