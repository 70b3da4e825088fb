/** Detects a proxy between this page and the Bench server that buffers frames and delivers them in bursts. */
export interface BufferingDetector {
  /** Records a received frame; `serverAt` is its arrival at the server in ms since the request. */
  recordFrame: (runNumber: number, serverAt: number) => void;
  /** Records a new connection, which delivers all buffered frames together. */
  recordReconnect: () => void;
  /** Returns true once three bursts have occurred within a minute. */
  isBuffered: () => boolean;
}

const heartbeatMs = 100;
/** Maximum heartbeat delay in ms; a longer one means that the page was busy and received frames late. */
const maxDelayMs = 100;
/** Maximum gap in ms between frames that count as arriving together. */
const maxBurstGapMs = 20;
/** Minimum time in ms over which the frames of a burst were spread at the server. */
const minSpreadMs = 400;
const minBurstFrames = 4;
const minuteMs = 60_000;

interface FrameBurst {
  lastAt: number;
  firstServerAt: number;
  frameCount: number;
}

/** Creates a detector. `now` returns monotonic ms. The heartbeat timer runs only while frames arrive. */
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
