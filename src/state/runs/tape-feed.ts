/** Reads the stored tape of one run on demand and follows it while it grows. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { createTapeCursor, type TapeCursor } from '../../conversation/files/tape-cursor.ts';
import type { Run } from '../../conversation/session/types.ts';
import { createTraceList, type TraceList } from '../../conversation/trace/trace-events.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { Library } from '../sessions/library.ts';
import type { Recorder } from './recorder.ts';

export interface TapeFeed {
  /** `count`: number of entries; `isLoaded`: true once all stored entries have been read. */
  state: StoreApi<{ count: number; isLoaded: boolean }>;
  /** All entries so far; grows in place. */
  entries: readonly TapeEntry[];
  /** Returns the entries as events; grows in place, built on first use. */
  getTraceList: () => TraceList;
  getCursor: () => TapeCursor;
  /** Keeps reading while the run is live. */
  follow: () => void;
  stop: () => void;
}

const readIntervalMs = 300;

interface TapeFeedDeps {
  library: Pick<Library, 'readTapeFrom'>;
  recorder: Pick<Recorder, 'flush'>;
  isLive: () => boolean;
}

export function createTapeFeed(run: Run, { library, recorder, isLive }: TapeFeedDeps): TapeFeed {
  const state = createStore(() => ({ count: 0, isLoaded: false }));
  const entries: TapeEntry[] = [];
  let list: TraceList | undefined;
  let cursor: TapeCursor | undefined;
  let nextSeq = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFollowing = false;

  async function read(): Promise<void> {
    // Checked before reading, so that everything up to the end is included.
    const shouldContinue = isLive();
    await recorder.flush();
    // Reads in growing slices, so that the start of a long tape is available early.
    for (let limit = 1, isEnd = false; !isEnd; limit *= 2) {
      const slice = await library.readTapeFrom(run.id, nextSeq, limit);
      if (!isFollowing) return;
      ({ nextSeq, isEnd } = slice);
      for (const entry of slice.entries) entries.push(entry);
      list?.push(slice.entries);
      cursor?.push(slice.entries);
      const { count, isLoaded } = state.getState();
      if (slice.entries.length > 0 || isLoaded !== (isLoaded || isEnd))
        state.setState({ count: count + slice.entries.length, isLoaded: isLoaded || isEnd });
    }
    if (shouldContinue) timer = setTimeout(() => void read(), readIntervalMs);
  }

  return {
    state,
    entries,
    getTraceList: () => {
      if (!list) {
        list = createTraceList();
        list.push(entries);
      }
      return list;
    },
    getCursor: () => {
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
