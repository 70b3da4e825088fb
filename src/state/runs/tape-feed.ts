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
  state: StoreApi<{ count: number; isLoaded: boolean }>;
  /** All entries so far; grows in place. */
  entries: readonly TapeEntry[];
  /** The same as events; grows in place, made when first asked for. */
  getTraceList: () => TraceList;
  getCursor: () => TapeCursor;
  /** Reads on for as long as the run is live. */
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
    // Asked before reading: whatever came until the end is then in what is read.
    const shouldContinue = isLive();
    await recorder.flush();
    // A long tape is there from its start while the rest is read, in ever larger pieces.
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
