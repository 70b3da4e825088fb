import type { ChannelClient } from '../../gateway/channel/channel-client.ts';
import { maxChannelRuns } from '../../lib/channel/frames.ts';
import { createLocalSlots, type RequestSlots } from '../tabs/locks.ts';

/** Of the places of a channel: trials leave the others to what a person sends meanwhile. */
const mostCells = 24;

/** The places of this page's channel while it is there, else those of the direct way. */
export function createChannelSlots(
  channel: Pick<ChannelClient, 'ensureConnected' | 'state'>,
  direct: RequestSlots,
): RequestSlots {
  const all = createLocalSlots(maxChannelRuns);
  const cells = createLocalSlots(mostCells);
  return {
    most: (sender) =>
      channel.state() === 'open' ? (sender === 'cell' ? mostCells : maxChannelRuns) : direct.most(sender),
    take: async (signal, sender) => {
      if (!(await channel.ensureConnected())) return direct.take(signal, sender);
      if (sender !== 'cell') return all.take(signal);
      const leaveCells = await cells.take(signal);
      try {
        const leave = await all.take(signal);
        return () => {
          leave();
          leaveCells();
        };
      } catch (error) {
        leaveCells();
        throw error;
      }
    },
  };
}
