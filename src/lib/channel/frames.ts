/**
 * The rules that both ends of the channel share. Text frames are JSON and control
 * a run; binary frames carry bytes of one: its number, when they came in the server's monotonic milliseconds since the
 * request went upstream (0 on the way up), and the bytes.
 */
export const channelPath = '/gateway/channel';
export const channelProtocol = 'bench.1';

/** With 1 a request goes to the demo gateway, whatever gateway is configured. */
export const demoHeader = 'x-gateway-demo';

/** The base URL of the embedded demo gateway. Nothing listens there. */
export const demoBaseUrl = 'http://demo.invalid';
/** The id of the embedded demo gateway: the first 16 hexadecimal digits of the SHA-256 of its base URL. */
export const demoGatewayId = '5ede008e3d0d531b';

/** Bytes of a run that may be on their way before the page has said that it took them. */
export const creditBytes = 64 * 1024;
/** How often the page says so. */
export const reportBytes = 16 * 1024;
/** And after how many frames at the latest: the server keeps each until then, and a small one costs more than its bytes. */
export const reportFrames = 16;
/** What one frame carries at most. */
export const pieceBytes = 16 * 1024;
/** How long a channel that dropped without a goodbye keeps its runs. */
export const reconnectMs = 5000;
/** Runs of one channel at a time. */
export const mostRuns = 64;
/** The server ended the channel for good: nothing is to be had by coming back. */
export const endedCode = 4000;

const headBytes = 12;

export function bytesFrame(run: number, at: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(headBytes + bytes.length);
  const head = new DataView(frame.buffer);
  head.setUint32(0, run);
  head.setFloat64(4, at);
  frame.set(bytes, headBytes);
  return frame;
}

/** Undefined for what is too short to be one. */
export function readBytesFrame(
  frame: Uint8Array,
): { run: number; at: number; bytes: Uint8Array } | undefined {
  if (frame.length < headBytes) return undefined;
  const head = new DataView(frame.buffer, frame.byteOffset, headBytes);
  return { run: head.getUint32(0), at: head.getFloat64(4), bytes: frame.subarray(headBytes) };
}
