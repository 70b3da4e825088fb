import { setTimeout as sleep } from 'node:timers/promises';

import type { WebSocket } from 'ws';

import {
  encodeBytesFrame,
  creditBytes,
  noResumeCloseCode,
  maxChannelRuns,
  maxFrameBytes,
  decodeBytesFrame,
  resumeWindowMs,
} from '../../lib/channel/frames.ts';
import { READING_MS } from '../node-adapter.ts';
import { sourceOf } from '../proxy/byte-source.ts';
import type { ByteSource } from '../proxy/byte-source.ts';
import { errorResponse } from '../proxy/error-response.ts';
import { readPageFrame, type PageFrame } from './page-frames.ts';
import { createUpload, type Upload } from './upload.ts';

/** Kept of a run at most while its page is away; then the gateway is held back. */
const KEPT_BYTES = 256 * 1024;
/** How long the body of a request may take, as for a POST (http-server.ts). */
const UPLOAD_MS = 60_000;
/** Frames that a page may have said, and what of them is forgiven in a second: each reports 16 KB that it took. */
const MOST_SAID = 20_000;
const FORGIVEN_A_SECOND = 2000;
/** RFC 6455: what was said breaks the rules. */
const BROKEN_RULES = 1008;
/** RFC 6455: the connection ended without a goodbye. */
const DROPPED = 1006;

export type Ask = Extract<PageFrame, { path: string }>;
export type PageRuns = Extract<PageFrame, { runs: unknown }>['runs'];

export interface ChannelParts {
  /** Unguessable: whoever has it goes on with the channel. */
  name: string;
  /** Whose session it is; only the same visitor goes on with it. */
  owner: string;
  /** The request of a frame, for the same road as a POST's. */
  requestOf: (ask: Ask, body: ReadableStream<Uint8Array>, signal: AbortSignal) => Request;
  /** Answers it; `sent` is called when it goes to the gateway. */
  handle: (request: Request, sent: () => void) => Promise<Response>;
  /** Monotonic milliseconds. */
  now: () => number;
  /** How long a page may take nothing of an answer before it is given up; 0: for ever. */
  stalledMs: number;
  /** Told once of each run. */
  ran: (run: RanRun) => void;
  ended: () => void;
}

/** What is to be said of a run in one line. */
export interface RanRun {
  request: Request;
  status: number;
  ms: number;
  bytes: number;
  outcome: 'whole' | 'gateway-cut' | 'client-abort';
}

export interface ServerChannel {
  readonly name: string;
  readonly owner: string;
  /** Goes on over this connection with the runs that the page still has. False where they are not of this channel: it has ended. */
  attach: (socket: WebSocket, known: PageRuns) => boolean;
  /** Ends when the last run has. */
  drain: () => void;
  /** Ends all runs at once. */
  end: (code?: number) => void;
}

interface Frame {
  data: Uint8Array | string;
  /** Bytes of the answer up to its end. */
  upTo: number;
  isEnd: boolean;
}

interface Run {
  number: number;
  /** Held until the end: a request's signal goes silent once the request itself is collected. */
  request: Request;
  stop: AbortController;
  upload: Upload;
  uploadTimer: NodeJS.Timeout;
  source: ByteSource | undefined;
  /** Not yet taken by the page, in order. */
  frames: Frame[];
  /** Number of the first of them, from 1. */
  first: number;
  /** Number of the next one to send. */
  next: number;
  /** Bytes of the answer so far, and those that the page has taken. */
  given: number;
  taken: number;
  isOver: boolean;
  wake: () => void;
}

/** The runs of one page, over one connection at a time. */
export function createChannel(parts: ChannelParts): ServerChannel {
  const { name, owner, now } = parts;
  const runs = new Map<number, Run>();
  let socket: WebSocket | undefined;
  let lastRun = 0;
  let isDraining = false;
  let hasEnded = false;
  let lingering: NodeJS.Timeout | undefined;
  let said = { frames: 0, at: now() };

  function end(code = noResumeCloseCode): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(lingering);
    for (const run of runs.values()) stop(run);
    socket?.close(code);
    parts.ended();
  }

  function stop(run: Run): void {
    runs.delete(run.number);
    clearTimeout(run.uploadTimer);
    if (!run.isOver) {
      run.isOver = true;
      const left = new Error('The visitor left.');
      run.stop.abort(left);
      run.source?.cancel(left);
      run.upload.fail(left);
      run.wake();
    }
    if (isDraining && runs.size === 0) end();
  }

  function begin(ask: Ask): boolean {
    if (ask.run <= lastRun || runs.size >= maxChannelRuns) return false;
    lastRun = ask.run;
    const upload = createUpload(ask.bytes);
    const controller = new AbortController();
    const run: Run = {
      number: ask.run,
      request: parts.requestOf(ask, upload.body, controller.signal),
      stop: controller,
      upload,
      uploadTimer: setTimeout(
        () => upload.fail(new Error('The request took too long to arrive.')),
        UPLOAD_MS,
      ),
      source: undefined,
      frames: [],
      first: 1,
      next: 1,
      given: 0,
      taken: 0,
      isOver: false,
      wake: () => undefined,
    };
    runs.set(run.number, run);
    push(run, JSON.stringify({ run: run.number, accepted: true }));
    void drive(run);
    return true;
  }

  async function drive(run: Run): Promise<void> {
    const startedAt = now();
    let since = startedAt;
    let status = 0;
    let outcome: RanRun['outcome'] = 'whole';
    let lastByteAt = startedAt;
    const at = () => Math.round((now() - since) * 1000) / 1000;
    const answer = async (response: Response) => {
      ({ status } = response);
      // A session is renewed over HTTP alone: a page must never read its cookie.
      const headers = [...response.headers].filter(([header]) => header !== 'set-cookie');
      push(run, JSON.stringify({ run: run.number, at: at(), status, headers }));
      const source = sourceOf(response);
      if (source === undefined) return;
      await passOn(run, source, () => {
        lastByteAt = now();
        return at();
      });
    };
    try {
      await answer(await responseTo(run, () => (since = now())));
    } catch {
      outcome = 'gateway-cut';
      // As long as over the direct way: what a page does meanwhile, such as after the mark of the end, is the same.
      if (!run.isOver) await sleep(Math.max(0, READING_MS - (now() - lastByteAt)));
    }
    if (run.isOver) outcome = 'client-abort';
    run.isOver = true;
    clearTimeout(run.uploadTimer);
    const how = outcome === 'whole' ? 'whole' : 'broken';
    push(run, JSON.stringify({ run: run.number, at: at(), end: how }), { isEnd: true });
    parts.ran({ request: run.request, status, ms: now() - startedAt, bytes: run.given, outcome });
  }

  async function responseTo(run: Run, sent: () => void): Promise<Response> {
    if (isDraining)
      return errorResponse({ type: 'too_many_streams', message: 'This server is being stopped.' });
    return parts.handle(run.request, sent);
  }

  async function passOn(run: Run, source: ByteSource, at: () => number): Promise<void> {
    run.source = source;
    try {
      for (;;) {
        await whenThereIsRoom(run);
        if (run.isOver) throw new Error('The visitor left.');
        const bytes = await source.next();
        if (bytes === undefined) return;
        const cameAt = at();
        for (let from = 0; from < bytes.length; from += maxFrameBytes) {
          const piece = bytes.subarray(from, from + maxFrameBytes);
          push(run, encodeBytesFrame(run.number, cameAt, piece), { size: piece.length });
        }
      }
    } catch (error) {
      source.cancel(error);
      throw error;
    }
  }

  /** A page that is slow holds its run back; one that is away lets it go on for a while. */
  async function whenThereIsRoom(run: Run): Promise<void> {
    while (!run.isOver && run.given - run.taken >= (socket === undefined ? KEPT_BYTES : creditBytes)) {
      let stalled: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve, reject) => {
        run.wake = resolve;
        // Whoever takes nothing would keep the gateway's answer and a place for it; what is slow still moves.
        if (parts.stalledMs > 0)
          stalled = setTimeout(reject, parts.stalledMs, new Error('The page takes nothing.'));
      }).finally(() => clearTimeout(stalled));
    }
  }

  function push(run: Run, data: Uint8Array | string, { size = 0, isEnd = false } = {}): void {
    run.given += size;
    run.frames.push({ data, upTo: run.given, isEnd });
    flush(run);
  }

  function flush(run: Run): void {
    if (socket === undefined || !runs.has(run.number)) return;
    for (;;) {
      const frame = run.frames[run.next - run.first];
      if (frame === undefined || frame.upTo - run.taken > creditBytes) return;
      run.next += 1;
      socket.send(frame.data);
    }
  }

  /** The page has all frames before this number. */
  function forget(run: Run, first: number): void {
    run.frames.splice(0, first - run.first);
    run.first = first;
  }

  function take(run: Run, taken: number): boolean {
    if (taken < run.taken || taken > run.given) return false;
    run.taken = taken;
    // The end has no bytes to be taken: it is kept until the page is through with the run.
    const left = run.frames.findIndex((frame) => frame.upTo > taken || frame.isEnd);
    forget(run, left === -1 ? run.first + run.frames.length : run.first + left);
    run.wake();
    flush(run);
    return true;
  }

  /** False where it breaks the rules. What is said of a run that is not there is said too late. */
  function hear(data: Buffer, isBinary: boolean): boolean {
    if (isBinary) {
      const frame = decodeBytesFrame(data);
      if (frame === undefined) return false;
      return runs.get(frame.run)?.upload.push(Buffer.from(frame.bytes)) ?? true;
    }
    const forgiven = ((now() - said.at) / 1000) * FORGIVEN_A_SECOND;
    said = { frames: Math.max(0, said.frames - forgiven) + 1, at: now() };
    const frame = said.frames > MOST_SAID ? undefined : readPageFrame(data.toString());
    if (frame === undefined || 'runs' in frame) return false;
    if ('path' in frame) return begin(frame);
    const run = runs.get(frame.run);
    if (run === undefined) return true;
    if ('taken' in frame) return take(run, frame.taken);
    stop(run);
    return true;
  }

  function isOfThisChannel({ run: number, frames, taken }: PageRuns[number]): boolean {
    const run = runs.get(number);
    // What never arrived is asked again, with nothing heard of it.
    if (run === undefined) return frames === 0 && number > lastRun;
    return frames >= run.first - 1 && frames < run.next && taken >= run.taken && taken <= run.given;
  }

  return {
    name,
    owner,
    end,
    drain() {
      isDraining = true;
      if (runs.size === 0) end();
    },
    attach(fresh, known) {
      if (!known.every(isOfThisChannel)) {
        end(BROKEN_RULES);
        return false;
      }
      clearTimeout(lingering);
      socket?.terminate();
      socket = fresh;
      const isKnown = new Set(known.map(({ run }) => run));
      for (const run of runs.values()) if (!isKnown.has(run.number)) stop(run);
      const received = [...runs.values()].map((run) => ({ run: run.number, bytes: run.upload.received() }));
      fresh.on('message', (data: Buffer, isBinary: boolean) => {
        if (socket === fresh && !hasEnded && !hear(data, isBinary)) end(BROKEN_RULES);
      });
      // Of the protocol: a connection that breaks says nothing here.
      fresh.on('error', () => end(BROKEN_RULES));
      fresh.on('close', (code: number) => {
        if (socket !== fresh) return;
        socket = undefined;
        if (code !== DROPPED || isDraining) return end();
        lingering = setTimeout(end, resumeWindowMs);
        for (const run of runs.values()) run.wake();
      });
      fresh.send(JSON.stringify({ channel: name, runs: received }));
      for (const { run: number, frames, taken } of known) {
        const run = runs.get(number);
        if (run === undefined) continue;
        run.taken = taken;
        forget(run, frames + 1);
        run.next = frames + 1;
        run.wake();
        flush(run);
      }
      return true;
    },
  };
}
