import type { ChannelClient } from '../../gateway/channel/channel-client.ts';
import { maxChannelRuns } from '../../lib/channel/frames.ts';
import { createLocalSlots, type RequestSlots } from '../tabs/tab-locks.ts';

/** Of the places of a channel: trials leave the others to what a person sends meanwhile. */
const maxCellSlots = 24;

/** The places of this page's channel while it is there, else those of the direct way. */
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
