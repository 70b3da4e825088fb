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
} from '../../lib/channel/frames.ts';
import { DRAIN_DELAY_MS } from '../node-adapter.ts';
import { getByteSource } from '../proxy/byte-source.ts';
import type { ByteSource } from '../proxy/byte-source.ts';
import { createErrorResponse } from '../proxy/error-response.ts';
import { readPageFrame, type PageFrame } from './page-frames.ts';
import { createUpload, type FrameUpload } from './upload.ts';

/** Kept of a run at most while its page is away; then the gateway is held back. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** How long the body of a request may take, as for a POST (http-server.ts). */
const UPLOAD_TIMEOUT_MS = 60_000;
/** Frames that a page may have said, and what of them is forgiven in a second: each reports 16 KB that it took. */
const MAX_FRAME_DEBT = 20_000;
const FRAME_DEBT_PER_SECOND = 2000;
/** RFC 6455: what was said breaks the rules. */
const POLICY_VIOLATION = 1008;
/** RFC 6455: the connection ended without a goodbye. */
const ABNORMAL_CLOSURE = 1006;

export type RunRequestFrame = Extract<PageFrame, { path: string }>;
export type ClientRuns = Extract<PageFrame, { runs: unknown }>['runs'];

export interface ServerChannelDeps {
  /** Unguessable: whoever has it goes on with the channel. */
  name: string;
  /** Whose session it is; only the same owner can resume it. */
  owner: string;
  /** Creates the Request that a POST of the same frame would be. */
  createRequest: (frame: RunRequestFrame, body: ReadableStream<Uint8Array>, signal: AbortSignal) => Request;
  /** Answers it; `onSent` is called when it goes to the gateway. */
  handle: (request: Request, onSent: () => void) => Promise<Response>;
  /** Monotonic milliseconds. */
  now: () => number;
  /** How long a page may take nothing of an answer before it is given up; 0: for ever. */
  stallTimeoutMs: number;
  /** Told once of each run. */
  onRunEnd: (run: FinishedRun) => void;
  onEnd: () => void;
}

/** What is to be said of a run in one line. */
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
  /** Goes on over this connection with the runs that the page still has. False where they are not of this channel: it has ended. */
  attach: (socket: WebSocket, clientRuns: ClientRuns) => boolean;
  /** Ends when the last run has. */
  drain: () => void;
  /** Ends all runs at once. */
  end: (code?: number) => void;
}

interface Frame {
  data: Uint8Array | string;
  /** Bytes of the answer up to its end. */
  endByte: number;
  isEnd: boolean;
}

interface ServerRun {
  number: number;
  /** Held until the end: a request's signal goes silent once the request itself is collected. */
  request: Request;
  abortController: AbortController;
  upload: FrameUpload;
  uploadTimer: NodeJS.Timeout;
  source: ByteSource | undefined;
  /** Not yet taken by the page, in order. */
  frames: Frame[];
  /** Number of the first of them, from 1. */
  firstFrameNumber: number;
  /** Number of the next one to send. */
  nextFrameNumber: number;
  /** Bytes of the answer so far, and those that the page has taken. */
  receivedBytes: number;
  ackedBytes: number;
  isEnded: boolean;
  wake: () => void;
}

/** The runs of one page, over one connection at a time. */
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
      // A session is renewed over HTTP alone: a page must never read its cookie.
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
      // As long as over the direct way: what a page does meanwhile, such as after the mark of the end, is the same.
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

  /** A page that is slow holds its run back; one that is away lets it go on for a while. */
  async function waitForCapacity(run: ServerRun): Promise<void> {
    while (
      !run.isEnded &&
      run.receivedBytes - run.ackedBytes >= (socket === undefined ? MAX_BUFFERED_BYTES : maxUnackedBytes)
    ) {
      let stallTimer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve, reject) => {
        run.wake = resolve;
        // Whoever takes nothing would keep the gateway's answer and a place for it; what is slow still moves.
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

  /** The page has all frames before this number. */
  function dropFrames(run: ServerRun, firstFrameNumber: number): void {
    run.frames.splice(0, firstFrameNumber - run.firstFrameNumber);
    run.firstFrameNumber = firstFrameNumber;
  }

  function acknowledge(run: ServerRun, ackedBytes: number): boolean {
    if (ackedBytes < run.ackedBytes || ackedBytes > run.receivedBytes) return false;
    run.ackedBytes = ackedBytes;
    // The end has no bytes to be taken: it is kept until the page is through with the run.
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

  /** False where it breaks the rules. What is said of a run that is not there is said too late. */
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
    // What never arrived is asked again, with nothing heard of it.
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
      // Of the protocol: a connection that breaks says nothing here.
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
