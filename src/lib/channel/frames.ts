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
export const maxUnackedBytes = 64 * 1024;
/** How often the page says so. */
export const ackIntervalBytes = 16 * 1024;
/** And after how many frames at the latest: the server keeps each until then, and a small one costs more than its bytes. */
export const ackIntervalFrames = 16;
/** What one frame carries at most. */
export const maxFrameBytes = 16 * 1024;
/** How long a channel that dropped without a goodbye keeps its runs. */
export const resumeWindowMs = 5000;
/** Runs of one channel at a time. */
export const maxChannelRuns = 64;
/** The server ended the channel for good: nothing is to be had by coming back. */
export const noResumeCloseCode = 4000;

const headerBytes = 12;

export function encodeBytesFrame(run: number, atMs: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(headerBytes + bytes.length);
  const headerView = new DataView(frame.buffer);
  headerView.setUint32(0, run);
  headerView.setFloat64(4, atMs);
  frame.set(bytes, headerBytes);
  return frame;
}

/** Undefined for what is too short to be one. */
export function decodeBytesFrame(
  frame: Uint8Array,
): { run: number; atMs: number; bytes: Uint8Array } | undefined {
  if (frame.length < headerBytes) return undefined;
  const headerView = new DataView(frame.buffer, frame.byteOffset, headerBytes);
  return { run: headerView.getUint32(0), atMs: headerView.getFloat64(4), bytes: frame.subarray(headerBytes) };
}
