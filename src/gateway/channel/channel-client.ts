import {
  encodeBytesFrame,
  channelPath,
  channelProtocol,
  noResumeCloseCode,
  maxChannelRuns,
  maxFrameBytes,
  decodeBytesFrame,
  resumeWindowMs,
  ackIntervalBytes,
  ackIntervalFrames,
} from '../../lib/channel-frames.ts';
import { getNumberProperty, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { createBufferingDetector } from './buffering.ts';

/** One WebSocket as the page provides it. */
export interface ChannelSocket {
  send: (frame: string | Uint8Array<ArrayBuffer>) => void;
  close: () => void;
}

export interface SocketListener {
  onOpen: () => void;
  /** Text, or bytes as an ArrayBuffer. */
  onMessage: (frame: unknown) => void;
  /** RFC 6455 close code; 1006 without a close frame or if the socket never opened. */
  onClose: (code: number) => void;
}

export type OpenSocket = (path: string, protocol: string, listener: SocketListener) => ChannelSocket;

export interface ChannelRequest {
  path: string;
  accept: string;
  requestId: string | undefined;
  /** Addressed to the demo gateway even if another gateway is configured. */
  isDemo?: true;
  body: string;
  signal: AbortSignal;
}

/** A response that arrived over the channel. */
export class ChannelResponse extends Response {
  /** Server time at which the last bytes read arrived, in ms since the request went to the gateway. */
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

/** `refused` means unavailable for now, so requests use separate connections. */
export type ChannelState = 'closed' | 'open' | 'refused';

/** One connection to the Bench server for all requests of this page. */
export interface ChannelClient {
  /** Connects if necessary. Resolves with false if nothing can be sent over the channel now. */
  ensureConnected: () => Promise<boolean>;
  /** Works like fetch while connected: rejects with the signal's reason, or a TypeError if the connection is lost. */
  send: (request: ChannelRequest) => Promise<ChannelResponse>;
  getState: () => ChannelState;
  /** Returns true if a proxy between page and server buffers frames. */
  isBuffered: () => boolean;
  /** Ends all runs immediately when the user leaves the page. */
  closeAll: () => void;
}

interface ChannelClientDeps {
  openSocket: OpenSocket;
  /** Monotonic ms. */
  now: () => number;
}

interface ChannelRun {
  number: number;
  headFrame: string;
  /** Kept until a response begins, to resend the part that did not arrive. */
  body: Uint8Array;
  /** Received frames and bytes, and consumed bytes. */
  receivedFrames: number;
  consumedBytes: number;
  ackedBytes: number;
  /** Frames consumed since the last acknowledgement. */
  unackedFrames: number;
  pendingChunks: { serverAt: number; bytes: Uint8Array<ArrayBuffer> }[];
  end: 'whole' | 'broken' | undefined;
  serverAt: number;
  /** Timer for the server's confirmation of the request. */
  acceptTimer: ReturnType<typeof setTimeout> | undefined;
  resolve: (response: ChannelResponse) => void;
  /** Rejects the request if no response has begun. */
  reject: () => void;
  wake: () => void;
}

/**
 * Connection timeout in ms, after which requests use separate connections. The page opens the channel when it loads, so
 * requests rarely wait this long.
 */
const connectTimeoutMs = 8000;
/** Time in ms before a refused channel is tried again. */
const refusedCooldownMs = 60_000;
const firstRetryMs = 100;
const acceptTimeoutMs = 4000;

export function createChannelClient({ openSocket, now }: ChannelClientDeps): ChannelClient {
  const buffering = createBufferingDetector(now);
  const runs = new Map<number, ChannelRun>();
  let socket: ChannelSocket | undefined;
  /** Name sent by the server; `undefined` until it has arrived. */
  let channelName: string | undefined;
  let lastRunNumber = 0;
  let connecting: Promise<boolean> | undefined;
  let isOpen = false;
  let refusedAt = Number.NEGATIVE_INFINITY;

  /** Resolves with true once the server has sent the channel name, otherwise with false. */
  function connect(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const isCurrentSocket = () => socket === newSocket;
      const timer = setTimeout(() => handleClose(0), timeoutMs);
      const handleClose = (code: number) => {
        clearTimeout(timer);
        if (!isCurrentSocket()) return;
        socket = undefined;
        newSocket.close();
        resolve(false);
        if (isOpen) handleDisconnect(code);
      };
      const newSocket = openSocket(channelPath, channelProtocol, {
        onOpen: () => {
          if (isCurrentSocket())
            sendFrame(
              channelName === undefined
                ? { runs: [] }
                : { channel: channelName, runs: [...runs.values()].map(getRunState) },
            );
        },
        onMessage: (frame) => {
          if (!isCurrentSocket()) return;
          if (isOpen) return handleFrame(frame);
          clearTimeout(timer);
          isOpen = true;
          handleHello(frame);
          resolve(true);
        },
        onClose: handleClose,
      });
      socket = newSocket;
    });
  }

  function sendFrame(frame: object): void {
    socket?.send(JSON.stringify(frame));
  }

  function getRunState({ number, receivedFrames, consumedBytes }: ChannelRun) {
    return { run: number, frames: receivedFrames, taken: consumedBytes };
  }

  /** Handles the first frame: the channel's name, and how much of each request has arrived. */
  function handleHello(frame: unknown): void {
    const value = parseFrame(frame);
    const receivedName = getStringProperty(value, 'channel');
    const isNewChannel = receivedName !== channelName;
    buffering.recordReconnect();
    channelName = receivedName;
    // A new name means that the server has discarded the runs.
    if (isNewChannel) return failAllRuns();
    const listedRuns = getOwnProperty(value, 'runs');
    const receivedBytesByRun = new Map<unknown, number>();
    for (const run of Array.isArray(listedRuns) ? listedRuns : [])
      receivedBytesByRun.set(getOwnProperty(run, 'run'), getNumberProperty(run, 'bytes') ?? 0);
    for (const run of runs.values()) {
      run.ackedBytes = run.consumedBytes;
      run.unackedFrames = 0;
      uploadRequest(run, receivedBytesByRun.get(run.number));
    }
  }

  /**
   * `receivedBytes` is the part of the body that the server has; `undefined` if the server does not have the request.
   */
  function uploadRequest(run: ChannelRun, receivedBytes: number | undefined): void {
    if (receivedBytes === undefined) {
      socket?.send(run.headFrame);
      run.acceptTimer = setTimeout(dropSilentSocket, acceptTimeoutMs);
    }
    for (let offset = receivedBytes ?? 0; offset < run.body.length; offset += maxFrameBytes)
      socket?.send(encodeBytesFrame(run.number, 0, run.body.subarray(offset, offset + maxFrameBytes)));
  }

  function handleFrame(frame: unknown): void {
    if (frame instanceof ArrayBuffer) {
      const bytesResult = decodeBytesFrame(new Uint8Array(frame));
      const run = bytesResult && runs.get(bytesResult.run);
      if (!bytesResult || !run) return;
      buffering.recordFrame(run.number, bytesResult.atMs);
      run.receivedFrames += 1;
      run.pendingChunks.push({
        serverAt: bytesResult.atMs,
        bytes: new Uint8Array(frame, frame.byteLength - bytesResult.bytes.length),
      });
      return run.wake();
    }
    const value = parseFrame(frame);
    const run = runs.get(getNumberProperty(value, 'run') ?? 0);
    if (!run) return;
    run.receivedFrames += 1;
    if (getOwnProperty(value, 'accepted') === true) return clearTimeout(run.acceptTimer);
    const serverAt = getNumberProperty(value, 'at') ?? 0;
    const status = getNumberProperty(value, 'status');
    if (status === undefined) {
      run.pendingChunks.push({ serverAt, bytes: new Uint8Array(0) });
      return endRun(run, getOwnProperty(value, 'end') === 'whole' ? 'whole' : 'broken');
    }
    run.serverAt = serverAt;
    run.body = new Uint8Array(0);
    run.resolve(buildResponse(run, status, getOwnProperty(value, 'headers')));
  }

  function buildResponse(run: ChannelRun, status: number, rawHeaders: unknown): ChannelResponse {
    const headers = new Headers();
    for (const pair of Array.isArray(rawHeaders) ? rawHeaders : [])
      if (Array.isArray(pair)) headers.append(String(pair[0]), String(pair[1]));
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new ChannelResponse(
      hasBody ? createBodyStream(run) : null,
      { status, headers },
      () => run.serverAt,
    );
  }

  function createBodyStream(run: ChannelRun): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(
      {
        async pull(controller) {
          for (;;) {
            const pendingChunk = run.pendingChunks.shift();
            if (pendingChunk) {
              run.serverAt = pendingChunk.serverAt;
              // The end is marked by an empty chunk, which also carries a time.
              if (pendingChunk.bytes.length === 0) continue;
              run.consumedBytes += pendingChunk.bytes.length;
              run.unackedFrames += 1;
              const isAckDue =
                run.consumedBytes - run.ackedBytes >= ackIntervalBytes ||
                run.unackedFrames >= ackIntervalFrames;
              if (isAckDue && runs.has(run.number)) {
                run.ackedBytes = run.consumedBytes;
                run.unackedFrames = 0;
                sendFrame({ run: run.number, taken: run.consumedBytes });
              }
              return controller.enqueue(pendingChunk.bytes);
            }
            if (run.end === 'broken') throw createNetworkError();
            if (run.end) return controller.close();
            await new Promise<void>((resolve) => (run.wake = resolve));
          }
        },
        cancel: () => endRun(run, 'broken'),
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends a run and notifies the server. */
  function endRun(run: ChannelRun, end: 'whole' | 'broken'): void {
    if (!runs.delete(run.number)) return;
    sendFrame({ run: run.number, stop: true });
    settleRun(run, end);
  }

  /** Closes a connection that has become silent: a lost network is not always reported. */
  function dropSilentSocket(): void {
    const silentSocket = socket;
    socket = undefined;
    silentSocket?.close();
    if (isOpen) handleDisconnect(0);
  }

  function settleRun(run: ChannelRun, end: 'whole' | 'broken'): void {
    clearTimeout(run.acceptTimer);
    run.end = end;
    run.reject();
    run.wake();
  }

  function failAllRuns(): void {
    const lostRuns = [...runs.values()];
    runs.clear();
    for (const run of lostRuns) settleRun(run, 'broken');
  }

  function handleDisconnect(code: number): void {
    isOpen = false;
    for (const run of runs.values()) clearTimeout(run.acceptTimer);
    if (code !== noResumeCloseCode) return void reconnect();
    channelName = undefined;
    failAllRuns();
  }

  /** Retries for as long as the server keeps the runs; stops when no runs are left. */
  async function reconnect(): Promise<void> {
    const deadlineMs = now() + resumeWindowMs;
    for (let waitMs = firstRetryMs; runs.size > 0 && now() < deadlineMs; waitMs *= 2) {
      if (await connect(deadlineMs - now()).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, deadlineMs - now())));
    }
    channelName = undefined;
    failAllRuns();
  }

  async function connectOnce(): Promise<boolean> {
    // Browsers may refuse to open a socket.
    const isConnected = await connect(connectTimeoutMs).catch(() => false);
    connecting = undefined;
    if (!isConnected) refusedAt = now();
    return isConnected;
  }

  return {
    isBuffered: buffering.isBuffered,
    getState: () => (isOpen ? 'open' : now() < refusedAt + refusedCooldownMs ? 'refused' : 'closed'),
    async ensureConnected() {
      if (isOpen) return runs.size < maxChannelRuns;
      // New requests do not wait for a reconnect.
      if (channelName !== undefined || now() < refusedAt + refusedCooldownMs) return false;
      connecting ??= connectOnce();
      return connecting;
    },
    send: ({ path, accept, requestId, isDemo, body, signal }) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const bytes = new TextEncoder().encode(body);
        const number = (lastRunNumber += 1);
        const run: ChannelRun = {
          number,
          headFrame: JSON.stringify({
            run: number,
            path,
            accept,
            requestId,
            demo: isDemo,
            bytes: bytes.length,
          }),
          body: bytes,
          receivedFrames: 0,
          consumedBytes: 0,
          ackedBytes: 0,
          unackedFrames: 0,
          pendingChunks: [],
          end: undefined,
          serverAt: 0,
          acceptTimer: undefined,
          resolve,
          reject: () => {
            signal.removeEventListener('abort', abortRun);
            reject(signal.aborted ? signal.reason : createNetworkError());
          },
          wake: () => undefined,
        };
        const abortRun = () => endRun(run, 'broken');
        signal.addEventListener('abort', abortRun);
        runs.set(number, run);
        uploadRequest(run, undefined);
      }),
    closeAll() {
      const previousSocket = socket;
      socket = undefined;
      isOpen = false;
      channelName = undefined;
      previousSocket?.close();
      failAllRuns();
    },
  };
}

/** The error that a browser's fetch would throw. */
function createNetworkError(): TypeError {
  return new TypeError('network error');
}

function parseFrame(frame: unknown): unknown {
  const result = parseJson(String(frame));
  return result.ok ? result.value : undefined;
}
