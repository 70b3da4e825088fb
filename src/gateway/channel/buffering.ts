/** Whether something between this page and Bench's server holds frames back and lets them go in clumps. */
export interface BufferingCheck {
  /** A frame came that came to the server at this time, in its milliseconds since the request. */
  heard: (run: number, serverAt: number) => void;
  /** The connection is a new one: what was kept for the page comes at once. */
  reconnected: () => void;
  /** Three times in a minute, at any time since the page was opened. */
  isBuffered: () => boolean;
}

const beatMs = 100;
/** The page itself was busy, so frames waited for it. */
const lateMs = 100;
/** Frames that come closer to each other than this came at once. */
const togetherMs = 20;
/** What spread over so long at the server. */
const spreadMs = 400;
const leastFrames = 4;
const minuteMs = 60_000;

interface Clump {
  lastAt: number;
  from: number;
  frames: number;
}

/** `now` in monotonic milliseconds. Beats only while frames come. */
export function createBufferingCheck(now: () => number): BufferingCheck {
  const clumps = new Map<number, Clump>();
  let found: number[] = [];
  let isBuffered = false;
  let beat: ReturnType<typeof setInterval> | undefined;
  let beatAt = now();
  let heardAt = 0;
  let busyAt = now();

  function onBeat(): void {
    const at = now();
    if (at - beatAt > beatMs + lateMs) busyAt = at;
    beatAt = at;
    if (at - heardAt < 2000) return;
    clearInterval(beat);
    beat = undefined;
    clumps.clear();
  }

  return {
    isBuffered: () => isBuffered,
    reconnected: () => {
      busyAt = now();
    },
    heard: (run, serverAt) => {
      const at = now();
      heardAt = at;
      if (beat === undefined) {
        beat = setInterval(onBeat, beatMs);
        beatAt = at;
        busyAt = at;
      }
      const known = clumps.get(run);
      if (!known || at - known.lastAt > togetherMs) {
        clumps.set(run, { lastAt: at, from: serverAt, frames: 1 });
        return;
      }
      known.lastAt = at;
      known.frames += 1;
      const spread = serverAt - known.from;
      if (known.frames < leastFrames || spread < spreadMs) return;
      known.from = serverAt;
      known.frames = 0;
      const wasThere = at - beatAt <= beatMs + lateMs && at - busyAt > spread + lateMs;
      if (!wasThere) return;
      found = [...found.filter((each) => each > at - minuteMs), at];
      isBuffered ||= found.length >= 3;
    },
  };
}
