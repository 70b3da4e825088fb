import {
  bytesFrame,
  channelPath,
  channelProtocol,
  endedCode,
  mostRuns,
  pieceBytes,
  readBytesFrame,
  reconnectMs,
  reportBytes,
  reportFrames,
} from '../../lib/channel/frames.ts';
import { numberProperty, ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import { createBufferingCheck } from './buffering.ts';

/** One connection as the page gives it. */
export interface ChannelSocket {
  send: (frame: string | Uint8Array<ArrayBuffer>) => void;
  close: () => void;
}

export interface SocketListener {
  opened: () => void;
  /** Text, or bytes as an ArrayBuffer. */
  came: (frame: unknown) => void;
  /** By RFC 6455; 1006 where nobody said goodbye, also where it was never open. */
  closed: (code: number) => void;
}

export type OpenSocket = (path: string, protocol: string, listener: SocketListener) => ChannelSocket;

export interface ChannelRequest {
  path: string;
  accept: string;
  requestId: string | undefined;
  /** For the demo gateway, whatever gateway is configured. */
  demo?: true;
  body: string;
  signal: AbortSignal;
}

/** An answer that came over the channel. */
export class ChannelResponse extends Response {
  /** When what was read last came, in the server's milliseconds since the request went to the gateway. */
  readonly serverAt: () => number;
  constructor(
    body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
    init: ResponseInit,
    serverAt: () => number,
  ) {
    super(body, init);
    this.serverAt = serverAt;
  }
}

/** `refused`: it cannot be had for now, so requests go the direct way. */
export type ChannelState = 'closed' | 'open' | 'refused';

/** One connection to Bench's own server for all requests of this page. */
export interface Channel {
  /** Opens it where it is not open. False: nothing can be sent over it now. */
  isThere: () => Promise<boolean>;
  /** Like fetch: rejects with the signal's reason, or a TypeError where the connection was lost. Only while it is there. */
  ask: (request: ChannelRequest) => Promise<ChannelResponse>;
  state: () => ChannelState;
  /** Something in between holds its frames back. */
  isBuffered: () => boolean;
  /** The page is left: all runs end at once. */
  leave: () => void;
}

interface ChannelParts {
  openSocket: OpenSocket;
  /** Monotonic milliseconds. */
  now: () => number;
}

interface Run {
  number: number;
  head: string;
  /** Kept until an answer begins: what did not arrive is sent again. */
  body: Uint8Array;
  /** Frames and bytes that came, and the bytes that were taken. */
  frames: number;
  taken: number;
  reported: number;
  /** Frames taken since then. */
  unreported: number;
  pieces: { at: number; bytes: Uint8Array<ArrayBuffer> }[];
  end: 'whole' | 'broken' | undefined;
  serverAt: number;
  /** Of the server's word that it heard of the request. */
  accepting: ReturnType<typeof setTimeout> | undefined;
  answered: (response: ChannelResponse) => void;
  /** Before an answer: rejects. */
  failed: () => void;
  wake: () => void;
}

/** A server that does not answer in this time is asked the direct way. It is opened with the page, so that nobody waits for it. */
const patienceMs = 8000;
/** Until it is tried again. */
const refusedForMs = 60_000;
const firstRetryMs = 100;
const acceptedWithinMs = 4000;

export function createChannel({ openSocket, now }: ChannelParts): Channel {
  const buffering = createBufferingCheck(now);
  const runs = new Map<number, Run>();
  let socket: ChannelSocket | undefined;
  /** Undefined until the server has said it. */
  let name: string | undefined;
  let lastRun = 0;
  let opening: Promise<boolean> | undefined;
  let isOpen = false;
  let refusedAt = Number.NEGATIVE_INFINITY;

  /** Resolves once the server has said which channel it is; false where it does not. */
  function connect(forMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const isMine = () => socket === fresh;
      const timer = setTimeout(() => gone(0), forMs);
      const gone = (code: number) => {
        clearTimeout(timer);
        if (!isMine()) return;
        socket = undefined;
        fresh.close();
        resolve(false);
        if (isOpen) dropped(code);
      };
      const fresh = openSocket(channelPath, channelProtocol, {
        opened: () => {
          if (isMine())
            say(name === undefined ? { runs: [] } : { channel: name, runs: [...runs.values()].map(stateOf) });
        },
        came: (frame) => {
          if (!isMine()) return;
          if (isOpen) return hear(frame);
          clearTimeout(timer);
          isOpen = true;
          begin(frame);
          resolve(true);
        },
        closed: gone,
      });
      socket = fresh;
    });
  }

  function say(frame: object): void {
    socket?.send(JSON.stringify(frame));
  }

  function stateOf({ number, frames, taken }: Run) {
    return { run: number, frames, taken };
  }

  /** The first frame: the channel's name, and what of each run's request has arrived. */
  function begin(frame: unknown): void {
    const value = jsonOf(frame);
    const given = stringProperty(value, 'channel');
    const isOther = given !== name;
    buffering.reconnected();
    name = given;
    // Another one: the server has given the runs up.
    if (isOther) return loseAll();
    const listed = ownProperty(value, 'runs');
    const arrived = new Map<unknown, number>();
    for (const run of Array.isArray(listed) ? listed : [])
      arrived.set(ownProperty(run, 'run'), numberProperty(run, 'bytes') ?? 0);
    for (const run of runs.values()) {
      run.reported = run.taken;
      run.unreported = 0;
      upload(run, arrived.get(run.number));
    }
  }

  /** `arrived`: bytes of the body that the server has; undefined where it has not even heard of the request. */
  function upload(run: Run, arrived: number | undefined): void {
    if (arrived === undefined) {
      socket?.send(run.head);
      run.accepting = setTimeout(abandon, acceptedWithinMs);
    }
    for (let from = arrived ?? 0; from < run.body.length; from += pieceBytes)
      socket?.send(bytesFrame(run.number, 0, run.body.subarray(from, from + pieceBytes)));
  }

  function hear(frame: unknown): void {
    if (frame instanceof ArrayBuffer) {
      const read = readBytesFrame(new Uint8Array(frame));
      const run = read && runs.get(read.run);
      if (!read || !run) return;
      buffering.heard(run.number, read.at);
      run.frames += 1;
      run.pieces.push({ at: read.at, bytes: new Uint8Array(frame, frame.byteLength - read.bytes.length) });
      return run.wake();
    }
    const value = jsonOf(frame);
    const run = runs.get(numberProperty(value, 'run') ?? 0);
    if (!run) return;
    run.frames += 1;
    if (ownProperty(value, 'accepted') === true) return clearTimeout(run.accepting);
    const at = numberProperty(value, 'at') ?? 0;
    const status = numberProperty(value, 'status');
    if (status === undefined) {
      run.pieces.push({ at, bytes: new Uint8Array(0) });
      return finish(run, ownProperty(value, 'end') === 'whole' ? 'whole' : 'broken');
    }
    run.serverAt = at;
    run.body = new Uint8Array(0);
    run.answered(responseOf(run, status, ownProperty(value, 'headers')));
  }

  function responseOf(run: Run, status: number, listed: unknown): ChannelResponse {
    const headers = new Headers();
    for (const pair of Array.isArray(listed) ? listed : [])
      if (Array.isArray(pair)) headers.append(String(pair[0]), String(pair[1]));
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new ChannelResponse(hasBody ? bodyOf(run) : null, { status, headers }, () => run.serverAt);
  }

  function bodyOf(run: Run): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(
      {
        async pull(controller) {
          for (;;) {
            const piece = run.pieces.shift();
            if (piece) {
              run.serverAt = piece.at;
              // The end is a piece without bytes: it has a time, too.
              if (piece.bytes.length === 0) continue;
              run.taken += piece.bytes.length;
              run.unreported += 1;
              const isDue = run.taken - run.reported >= reportBytes || run.unreported >= reportFrames;
              if (isDue && runs.has(run.number)) {
                run.reported = run.taken;
                run.unreported = 0;
                say({ run: run.number, taken: run.taken });
              }
              return controller.enqueue(piece.bytes);
            }
            if (run.end === 'broken') throw lost();
            if (run.end) return controller.close();
            await new Promise<void>((resolve) => (run.wake = resolve));
          }
        },
        cancel: () => finish(run, 'broken'),
      },
      { highWaterMark: 0 },
    );
  }

  /** Nothing more is wanted of the run; the server hears it. */
  function finish(run: Run, end: 'whole' | 'broken'): void {
    if (!runs.delete(run.number)) return;
    say({ run: run.number, stop: true });
    settle(run, end);
  }

  /** A connection that carries nothing is not always said to be broken: a network that is gone is silent. */
  function abandon(): void {
    const silent = socket;
    socket = undefined;
    silent?.close();
    if (isOpen) dropped(0);
  }

  function settle(run: Run, end: 'whole' | 'broken'): void {
    clearTimeout(run.accepting);
    run.end = end;
    run.failed();
    run.wake();
  }

  function loseAll(): void {
    const all = [...runs.values()];
    runs.clear();
    for (const run of all) settle(run, 'broken');
  }

  function dropped(code: number): void {
    isOpen = false;
    for (const run of runs.values()) clearTimeout(run.accepting);
    if (code !== endedCode) return void comeBack();
    name = undefined;
    loseAll();
  }

  /** Tries until the server will have given the runs up; without any there is nothing to come back for. */
  async function comeBack(): Promise<void> {
    const until = now() + reconnectMs;
    for (let waitMs = firstRetryMs; runs.size > 0 && now() < until; waitMs *= 2) {
      if (await connect(until - now()).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, until - now())));
    }
    name = undefined;
    loseAll();
  }

  async function firstConnect(): Promise<boolean> {
    // A browser may refuse to try at all.
    const isThere = await connect(patienceMs).catch(() => false);
    opening = undefined;
    if (!isThere) refusedAt = now();
    return isThere;
  }

  return {
    isBuffered: buffering.isBuffered,
    state: () => (isOpen ? 'open' : now() < refusedAt + refusedForMs ? 'refused' : 'closed'),
    async isThere() {
      if (isOpen) return runs.size < mostRuns;
      // While it tries to come back nothing new waits for it.
      if (name !== undefined || now() < refusedAt + refusedForMs) return false;
      opening ??= firstConnect();
      return opening;
    },
    ask: ({ path, accept, requestId, demo, body, signal }) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const bytes = new TextEncoder().encode(body);
        const number = (lastRun += 1);
        const run: Run = {
          number,
          head: JSON.stringify({ run: number, path, accept, requestId, demo, bytes: bytes.length }),
          body: bytes,
          frames: 0,
          taken: 0,
          reported: 0,
          unreported: 0,
          pieces: [],
          end: undefined,
          serverAt: 0,
          accepting: undefined,
          answered: resolve,
          failed: () => {
            signal.removeEventListener('abort', stop);
            reject(signal.aborted ? signal.reason : lost());
          },
          wake: () => undefined,
        };
        const stop = () => finish(run, 'broken');
        signal.addEventListener('abort', stop);
        runs.set(number, run);
        upload(run, undefined);
      }),
    leave() {
      const left = socket;
      socket = undefined;
      isOpen = false;
      name = undefined;
      left?.close();
      loseAll();
    },
  };
}

/** As a browser says it of a fetch. */
function lost(): TypeError {
  return new TypeError('network error');
}

function jsonOf(frame: unknown): unknown {
  const reading = parseJson(String(frame));
  return reading.ok ? reading.value : undefined;
}
