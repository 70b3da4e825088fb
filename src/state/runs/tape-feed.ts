/** The tape of one run as it is stored, read when somebody looks at it and followed while it grows. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { createTapeCursor, type TapeCursor } from '../../conversation/files/tape-cursor.ts';
import type { Run } from '../../conversation/session/types.ts';
import { createTraceList, type TraceList } from '../../conversation/trace/trace-events.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { Library } from '../sessions/library.ts';
import type { Recorder } from './recorder.ts';

export interface TapeFeed {
  /** Counts up with each entry; `loaded` once what is stored has been read. */
  state: StoreApi<{ count: number; loaded: boolean }>;
  /** All entries so far; grows in place. */
  entries: readonly TapeEntry[];
  /** The same as events; grows in place, made when first asked for. */
  list: () => TraceList;
  cursor: () => TapeCursor;
  /** Reads on for as long as the run is live. */
  follow: () => void;
  stop: () => void;
}

const readEveryMs = 300;

interface Parts {
  library: Pick<Library, 'tapeFrom'>;
  recorder: Pick<Recorder, 'flush'>;
  isLive: () => boolean;
}

export function createTapeFeed(run: Run, { library, recorder, isLive }: Parts): TapeFeed {
  const state = createStore(() => ({ count: 0, loaded: false }));
  const entries: TapeEntry[] = [];
  let list: TraceList | undefined;
  let cursor: TapeCursor | undefined;
  let nextSeq = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFollowing = false;

  async function read(): Promise<void> {
    // Asked before reading: whatever came until the end is then in what is read.
    const goesOn = isLive();
    await recorder.flush();
    // A long tape is there from its start while the rest is read, in ever larger pieces.
    for (let most = 1, isAll = false; !isAll; most *= 2) {
      const found = await library.tapeFrom(run.id, nextSeq, most);
      if (!isFollowing) return;
      ({ nextSeq, isAll } = found);
      for (const entry of found.entries) entries.push(entry);
      list?.push(found.entries);
      cursor?.push(found.entries);
      const { count, loaded } = state.getState();
      if (found.entries.length > 0 || loaded !== (loaded || isAll))
        state.setState({ count: count + found.entries.length, loaded: loaded || isAll });
    }
    if (goesOn) timer = setTimeout(() => void read(), readEveryMs);
  }

  return {
    state,
    entries,
    list: () => {
      if (!list) {
        list = createTraceList();
        list.push(entries);
      }
      return list;
    },
    cursor: () => {
      if (!cursor) {
        cursor = createTapeCursor(run);
        cursor.push(entries);
      }
      return cursor;
    },
    follow: () => {
      if (isFollowing) return;
      isFollowing = true;
      void read();
    },
    stop: () => {
      isFollowing = false;
      clearTimeout(timer);
    },
  };
}
