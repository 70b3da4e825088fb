import { setTimeout as sleep } from 'node:timers/promises';

import type { WebSocket } from 'ws';

import {
  encodeBytesFrame,
  maxUnackedBytes,
  noResumeCloseCode,
  maxChannelRuns,
  maxFrameBytes,
  decodeBytesFrame,
  resumeWindowMs,
} from '../../lib/channel-frames.ts';
import { DRAIN_DELAY_MS } from '../node-adapter.ts';
import { getByteSource, type ByteSource } from '../proxy/byte-source.ts';
import { createErrorResponse } from '../proxy/error-response.ts';
import { readPageFrame, type PageFrame } from './page-frames.ts';

/** Maximum number of bytes buffered per run while its page is away; beyond it, the gateway is paused. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Timeout for the request body in ms, the same as for a POST (http-server.ts). */
const UPLOAD_TIMEOUT_MS = 60_000;
/**
 * Number of frames that a page may send in a burst, and the allowance restored per second; an acknowledgement covers 16
 * KB.
 */
const MAX_FRAME_DEBT = 20_000;
const FRAME_DEBT_PER_SECOND = 2000;
/** RFC 6455: a frame violates the rules. */
const POLICY_VIOLATION = 1008;
/** RFC 6455: the connection ended without a close frame. */
const ABNORMAL_CLOSURE = 1006;

export type RunRequestFrame = Extract<PageFrame, { path: string }>;
export type ClientRuns = Extract<PageFrame, { runs: unknown }>['runs'];

export interface ServerChannelDeps {
  /** Unguessable, since the channel can be resumed with its name. */
  name: string;
  /** Owner of the login session; only the same owner can resume the channel. */
  owner: string;
  /** Creates the same Request as a POST with the content of the frame. */
  createRequest: (frame: RunRequestFrame, body: ReadableStream<Uint8Array>, signal: AbortSignal) => Request;
  /** Handles the request; `onSent` is called when it goes to the gateway. */
  handle: (request: Request, onSent: () => void) => Promise<Response>;
  /** Current time in monotonic ms. */
  now: () => number;
  /** Time in ms without progress before a slow page is disconnected; 0: no limit. */
  stallTimeoutMs: number;
  /** Called once per run. */
  onRunEnd: (run: FinishedRun) => void;
  onEnd: () => void;
}

/** Data for the log line of a run. */
export interface FinishedRun {
  request: Request;
  status: number;
  durationMs: number;
  bytes: number;
  outcome: 'whole' | 'gateway-cut' | 'client-abort';
}

export interface ServerChannel {
  readonly name: string;
  readonly owner: string;
  /** Resumes the page's runs over this connection. Returns false, and ends the channel, if they do not belong to it. */
  attach: (socket: WebSocket, clientRuns: ClientRuns) => boolean;
  /** Ends the channel after its last run. */
  drain: () => void;
  /** Ends all runs immediately. */
  end: (code?: number) => void;
}

interface Frame {
  data: Uint8Array | string;
  /** Number of answer bytes up to the end of this frame. */
  endByte: number;
  isEnd: boolean;
}

interface ServerRun {
  number: number;
  /** Held until the end: the signal of a garbage-collected request never fires. */
  request: Request;
  abortController: AbortController;
  upload: FrameUpload;
  uploadTimer: NodeJS.Timeout;
  source: ByteSource | undefined;
  /** Frames not yet consumed by the page, in order. */
  frames: Frame[];
  /** Number of the first frame in `frames`, counted from 1. */
  firstFrameNumber: number;
  /** Number of the next frame to send. */
  nextFrameNumber: number;
  /** Number of answer bytes received so far, and consumed by the page. */
  receivedBytes: number;
  ackedBytes: number;
  isEnded: boolean;
  wake: () => void;
}

/** Manages the runs of one page over one connection at a time. */
export function createServerChannel(deps: ServerChannelDeps): ServerChannel {
  const { name, owner, now } = deps;
  const runs = new Map<number, ServerRun>();
  let socket: WebSocket | undefined;
  let lastRunNumber = 0;
  let isDraining = false;
  let hasEnded = false;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let frameDebt = { frames: 0, at: now() };

  function end(code = noResumeCloseCode): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(reconnectTimer);
    for (const run of runs.values()) stopRun(run);
    socket?.close(code);
    deps.onEnd();
  }

  function stopRun(run: ServerRun): void {
    runs.delete(run.number);
    clearTimeout(run.uploadTimer);
    if (!run.isEnded) {
      run.isEnded = true;
      const abortReason = new Error('The client disconnected.');
      run.abortController.abort(abortReason);
      run.source?.cancel(abortReason);
      run.upload.fail(abortReason);
      run.wake();
    }
    if (isDraining && runs.size === 0) end();
  }

  function startRun(frame: RunRequestFrame): boolean {
    if (frame.run <= lastRunNumber || runs.size >= maxChannelRuns) return false;
    lastRunNumber = frame.run;
    const upload = createUpload(frame.bytes);
    const controller = new AbortController();
    const run: ServerRun = {
      number: frame.run,
      request: deps.createRequest(frame, upload.body, controller.signal),
      abortController: controller,
      upload,
      uploadTimer: setTimeout(
        () => upload.fail(new Error('The request took too long to arrive.')),
        UPLOAD_TIMEOUT_MS,
      ),
      source: undefined,
      frames: [],
      firstFrameNumber: 1,
      nextFrameNumber: 1,
      receivedBytes: 0,
      ackedBytes: 0,
      isEnded: false,
      wake: () => undefined,
    };
    runs.set(run.number, run);
    push(run, JSON.stringify({ run: run.number, accepted: true }));
    void processRun(run);
    return true;
  }

  async function processRun(run: ServerRun): Promise<void> {
    const startedAtMs = now();
    let baseMs = startedAtMs;
    let status = 0;
    let outcome: FinishedRun['outcome'] = 'whole';
    let lastByteAtMs = startedAtMs;
    const getElapsedMs = () => Math.round((now() - baseMs) * 1000) / 1000;
    const forwardResponse = async (response: Response) => {
      ({ status } = response);
      // Sessions are renewed over HTTP only, since scripts must never read the cookie.
      const headers = [...response.headers].filter(([header]) => header !== 'set-cookie');
      push(run, JSON.stringify({ run: run.number, at: getElapsedMs(), status, headers }));
      const source = getByteSource(response);
      if (source === undefined) return;
      await forwardBytes(run, source, () => {
        lastByteAtMs = now();
        return getElapsedMs();
      });
    };
    try {
      await forwardResponse(await handleRequest(run, () => (baseMs = now())));
    } catch {
      outcome = 'gateway-cut';
      // Waits as long as a direct response does, so that the page behaves in the same way, for example after the end
      // marker.
      if (!run.isEnded) await sleep(Math.max(0, DRAIN_DELAY_MS - (now() - lastByteAtMs)));
    }
    if (run.isEnded) outcome = 'client-abort';
    run.isEnded = true;
    clearTimeout(run.uploadTimer);
    const endStatus = outcome === 'whole' ? 'whole' : 'broken';
    push(run, JSON.stringify({ run: run.number, at: getElapsedMs(), end: endStatus }), { isEnd: true });
    deps.onRunEnd({
      request: run.request,
      status,
      durationMs: now() - startedAtMs,
      bytes: run.receivedBytes,
      outcome,
    });
  }

  async function handleRequest(run: ServerRun, onSent: () => void): Promise<Response> {
    if (isDraining)
      return createErrorResponse({ type: 'too_many_streams', message: 'This server is shutting down.' });
    return deps.handle(run.request, onSent);
  }

  async function forwardBytes(run: ServerRun, source: ByteSource, getElapsedMs: () => number): Promise<void> {
    run.source = source;
    try {
      for (;;) {
        await waitForCapacity(run);
        if (run.isEnded) throw new Error('The client disconnected.');
        const bytes = await source.next();
        if (bytes === undefined) return;
        const receivedAtMs = getElapsedMs();
        for (let offset = 0; offset < bytes.length; offset += maxFrameBytes) {
          const piece = bytes.subarray(offset, offset + maxFrameBytes);
          push(run, encodeBytesFrame(run.number, receivedAtMs, piece), { size: piece.length });
        }
      }
    } catch (error) {
      source.cancel(error);
      throw error;
    }
  }

  /** A slow page pauses its run; without a connection the run continues up to the buffer limit. */
  async function waitForCapacity(run: ServerRun): Promise<void> {
    while (
      !run.isEnded &&
      run.receivedBytes - run.ackedBytes >= (socket === undefined ? MAX_BUFFERED_BYTES : maxUnackedBytes)
    ) {
      let stallTimer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve, reject) => {
        run.wake = resolve;
        // A stalled page would occupy the gateway's answer and a slot forever; a slow page still makes progress.
        if (deps.stallTimeoutMs > 0)
          stallTimer = setTimeout(reject, deps.stallTimeoutMs, new Error('The page stopped receiving data.'));
      }).finally(() => clearTimeout(stallTimer));
    }
  }

  function push(run: ServerRun, data: Uint8Array | string, { size = 0, isEnd = false } = {}): void {
    run.receivedBytes += size;
    run.frames.push({ data, endByte: run.receivedBytes, isEnd });
    flush(run);
  }

  function flush(run: ServerRun): void {
    if (socket === undefined || !runs.has(run.number)) return;
    for (;;) {
      const frame = run.frames[run.nextFrameNumber - run.firstFrameNumber];
      if (frame === undefined || frame.endByte - run.ackedBytes > maxUnackedBytes) return;
      run.nextFrameNumber += 1;
      socket.send(frame.data);
    }
  }

  /** Drops the frames before this number, which the page has received. */
  function dropFrames(run: ServerRun, firstFrameNumber: number): void {
    run.frames.splice(0, firstFrameNumber - run.firstFrameNumber);
    run.firstFrameNumber = firstFrameNumber;
  }

  function acknowledge(run: ServerRun, ackedBytes: number): boolean {
    if (ackedBytes < run.ackedBytes || ackedBytes > run.receivedBytes) return false;
    run.ackedBytes = ackedBytes;
    // The end frame has no bytes to acknowledge, so it is kept until the page is done with the run.
    const remainingIndex = run.frames.findIndex((frame) => frame.endByte > ackedBytes || frame.isEnd);
    dropFrames(
      run,
      remainingIndex === -1
        ? run.firstFrameNumber + run.frames.length
        : run.firstFrameNumber + remainingIndex,
    );
    run.wake();
    flush(run);
    return true;
  }

  /** Returns false if the frame violates the rules. A frame for an unknown run is only late. */
  function handleFrame(data: Buffer, isBinary: boolean): boolean {
    if (isBinary) {
      const frame = decodeBytesFrame(data);
      if (frame === undefined) return false;
      return runs.get(frame.run)?.upload.push(Buffer.from(frame.bytes)) ?? true;
    }
    const decayedDebt = ((now() - frameDebt.at) / 1000) * FRAME_DEBT_PER_SECOND;
    frameDebt = { frames: Math.max(0, frameDebt.frames - decayedDebt) + 1, at: now() };
    const frame = frameDebt.frames > MAX_FRAME_DEBT ? undefined : readPageFrame(data.toString());
    if (frame === undefined || 'runs' in frame) return false;
    if ('path' in frame) return startRun(frame);
    const run = runs.get(frame.run);
    if (run === undefined) return true;
    if ('taken' in frame) return acknowledge(run, frame.taken);
    stopRun(run);
    return true;
  }

  function isResumable({ run: number, frames, taken }: ClientRuns[number]): boolean {
    const run = runs.get(number);
    // A request that never arrived is sent again, so its run must be new.
    if (run === undefined) return frames === 0 && number > lastRunNumber;
    return (
      frames >= run.firstFrameNumber - 1 &&
      frames < run.nextFrameNumber &&
      taken >= run.ackedBytes &&
      taken <= run.receivedBytes
    );
  }

  return {
    name,
    owner,
    end,
    drain() {
      isDraining = true;
      if (runs.size === 0) end();
    },
    attach(newSocket, clientRuns) {
      if (!clientRuns.every(isResumable)) {
        end(POLICY_VIOLATION);
        return false;
      }
      clearTimeout(reconnectTimer);
      socket?.terminate();
      socket = newSocket;
      const resumedRunNumbers = new Set(clientRuns.map(({ run }) => run));
      for (const run of runs.values()) if (!resumedRunNumbers.has(run.number)) stopRun(run);
      const uploadStates = [...runs.values()].map((run) => ({
        run: run.number,
        bytes: run.upload.getReceivedBytes(),
      }));
      newSocket.on('message', (data: Buffer, isBinary: boolean) => {
        if (socket === newSocket && !hasEnded && !handleFrame(data, isBinary)) end(POLICY_VIOLATION);
      });
      // Protocol errors only; a broken connection emits 'close'.
      newSocket.on('error', () => end(POLICY_VIOLATION));
      newSocket.on('close', (code: number) => {
        if (socket !== newSocket) return;
        socket = undefined;
        if (code !== ABNORMAL_CLOSURE || isDraining) return end();
        reconnectTimer = setTimeout(end, resumeWindowMs);
        for (const run of runs.values()) run.wake();
      });
      newSocket.send(JSON.stringify({ channel: name, runs: uploadStates }));
      for (const { run: number, frames, taken } of clientRuns) {
        const run = runs.get(number);
        if (run === undefined) continue;
        run.ackedBytes = taken;
        dropFrames(run, frames + 1);
        run.nextFrameNumber = frames + 1;
        run.wake();
        flush(run);
      }
      return true;
    },
  };
}

/** A request body that arrives in frames. */
interface FrameUpload {
  /** Can be read once, no faster than it arrives. */
  body: ReadableStream<Uint8Array>;
  /** Returns the number of bytes received. */
  getReceivedBytes: () => number;
  /** Adds bytes. Returns false if more arrive than announced. */
  push: (bytes: Uint8Array) => boolean;
  /** Fails the body because the rest will not arrive. */
  fail: (reason: Error) => void;
}

/** Creates a body with the given number of bytes. Bytes that are no longer read are dropped. */
function createUpload(declaredBytes: number): FrameUpload {
  let pendingChunks: Uint8Array[] = [];
  let receivedBytes = 0;
  let isReaderAttached = true;
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const bytes = pendingChunks.shift();
          if (bytes !== undefined) return controller.enqueue(bytes);
          if (receivedBytes === declaredBytes) return controller.close();
          if (failure !== undefined) throw failure;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      cancel() {
        isReaderAttached = false;
        pendingChunks = [];
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    getReceivedBytes: () => receivedBytes,
    push(bytes) {
      receivedBytes += bytes.length;
      if (isReaderAttached) pendingChunks.push(bytes);
      wake();
      return receivedBytes <= declaredBytes;
    },
    fail(reason) {
      failure = reason;
      wake();
    },
  };
}
