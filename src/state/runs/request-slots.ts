import type { Channel } from '../../gateway/channel/channel-client.ts';
import { mostRuns } from '../../lib/channel/frames.ts';
import { createLocalSlots, type RequestSlots } from '../tabs/locks.ts';

/** Of the places of a channel: trials leave the others to what a person sends meanwhile. */
const mostCells = 24;

/** The places of this page's channel while it is there, else those of the direct way. */
export function createChannelSlots(
  channel: Pick<Channel, 'isThere' | 'state'>,
  direct: RequestSlots,
): RequestSlots {
  const all = createLocalSlots(mostRuns);
  const cells = createLocalSlots(mostCells);
  return {
    most: (sender) =>
      channel.state() === 'open' ? (sender === 'cell' ? mostCells : mostRuns) : direct.most(sender),
    take: async (signal, sender) => {
      if (!(await channel.isThere())) return direct.take(signal, sender);
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
