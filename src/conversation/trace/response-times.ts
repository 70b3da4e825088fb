import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { Run } from '../session/types.ts';

/** Lists the times of a response in ms since its request was sent, with their names; missing ones are left out. */
export function listResponseTimes(
  run: Run,
  responseEntry: TapeEntry | undefined,
  endEntry: TapeEntry | undefined,
): [name: string, ms: number][] {
  const times: [string, number | undefined][] = [
    ['Headers', responseEntry && getEntryTime(responseEntry)],
    ['First token', run.firstTokenMs],
    ['First answer text', run.firstTextMs === run.firstTokenMs ? undefined : run.firstTextMs],
    ['Last event with text', run.lastEventMs],
    ['End', endEntry ? getEntryTime(endEntry) : run.endedMs],
  ];
  return times.flatMap(([name, ms]): [string, number][] => (ms === undefined ? [] : [[name, ms]]));
}
