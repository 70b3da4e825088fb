import type { ChannelClient } from '../../gateway/channel/channel-client.ts';
import { maxChannelRuns } from '../../lib/channel/frames.ts';
import { createLocalSlots, type RequestSlots } from '../tabs/locks.ts';

/** Of the places of a channel: trials leave the others to what a person sends meanwhile. */
const maxCells = 24;

/** The places of this page's channel while it is there, else those of the direct way. */
export function createChannelSlots(
  channel: Pick<ChannelClient, 'ensureConnected' | 'state'>,
  direct: RequestSlots,
): RequestSlots {
  const all = createLocalSlots(maxChannelRuns);
  const cellSlots = createLocalSlots(maxCells);
  return {
    getCapacity: (source) =>
      channel.state() === 'open'
        ? source === 'cell'
          ? maxCells
          : maxChannelRuns
        : direct.getCapacity(source),
    acquire: async (signal, source) => {
      if (!(await channel.ensureConnected())) return direct.acquire(signal, source);
      if (source !== 'cell') return all.acquire(signal);
      const releaseCellSlot = await cellSlots.acquire(signal);
      try {
        const releaseSlot = await all.acquire(signal);
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
