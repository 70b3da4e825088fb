/** Whether something between this page and Bench's server holds frames back and lets them go in clumps. */
export interface BufferingDetector {
  /** A frame came that came to the server at this time, in its milliseconds since the request. */
  recordFrame: (runNumber: number, serverAt: number) => void;
  /** The connection is a new one: what was kept for the page comes at once. */
  recordReconnect: () => void;
  /** Three times in a minute, at any time since the page was opened. */
  isBuffered: () => boolean;
}

const heartbeatMs = 100;
/** The page itself was busy, so frames waited for it. */
const maxDelayMs = 100;
/** Frames that come closer to each other than this came at once. */
const maxBurstGapMs = 20;
/** What spread over so long at the server. */
const minSpreadMs = 400;
const minBurstFrames = 4;
const minuteMs = 60_000;

interface FrameBurst {
  lastAt: number;
  firstServerAt: number;
  frameCount: number;
}

/** `now` in monotonic milliseconds. Beats only while frames come. */
export function createBufferingDetector(now: () => number): BufferingDetector {
  const bursts = new Map<number, FrameBurst>();
  let burstTimes: number[] = [];
  let isBuffered = false;
  let heartbeatTimer: ReturnType<typeof setInterval> | undefined;
  let lastHeartbeatAt = now();
  let lastFrameAt = 0;
  let lastBusyAt = now();

  function onHeartbeat(): void {
    const nowMs = now();
    if (nowMs - lastHeartbeatAt > heartbeatMs + maxDelayMs) lastBusyAt = nowMs;
    lastHeartbeatAt = nowMs;
    if (nowMs - lastFrameAt < 2000) return;
    clearInterval(heartbeatTimer);
    heartbeatTimer = undefined;
    bursts.clear();
  }

  return {
    isBuffered: () => isBuffered,
    recordReconnect: () => {
      lastBusyAt = now();
    },
    recordFrame: (runNumber, serverAt) => {
      const nowMs = now();
      lastFrameAt = nowMs;
      if (heartbeatTimer === undefined) {
        heartbeatTimer = setInterval(onHeartbeat, heartbeatMs);
        lastHeartbeatAt = nowMs;
        lastBusyAt = nowMs;
      }
      const burst = bursts.get(runNumber);
      if (!burst || nowMs - burst.lastAt > maxBurstGapMs) {
        bursts.set(runNumber, { lastAt: nowMs, firstServerAt: serverAt, frameCount: 1 });
        return;
      }
      burst.lastAt = nowMs;
      burst.frameCount += 1;
      const spread = serverAt - burst.firstServerAt;
      if (burst.frameCount < minBurstFrames || spread < minSpreadMs) return;
      burst.firstServerAt = serverAt;
      burst.frameCount = 0;
      const wasResponsive =
        nowMs - lastHeartbeatAt <= heartbeatMs + maxDelayMs && nowMs - lastBusyAt > spread + maxDelayMs;
      if (!wasResponsive) return;
      burstTimes = [...burstTimes.filter((time) => time > nowMs - minuteMs), nowMs];
      isBuffered ||= burstTimes.length >= 3;
    },
  };
}
