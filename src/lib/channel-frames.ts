/**
 * Protocol shared by both ends of the channel. Text frames contain JSON that controls runs. Binary frames contain bytes
 * of a run, preceded by its number and their arrival time in monotonic server ms since the upstream request (0 from the
 * page).
 */
export const channelPath = '/gateway/channel';
export const channelProtocol = 'bench.1';

/** Header that, if set to 1, sends a request to the demo gateway regardless of the configured gateway. */
export const demoHeader = 'x-gateway-demo';

/** Base URL of the embedded demo gateway, which has no network address. */
export const demoBaseUrl = 'http://demo.invalid';
/** ID of the embedded demo gateway: the first 16 hexadecimal digits of the SHA-256 of its base URL. */
export const demoGatewayId = '5ede008e3d0d531b';

/** Maximum number of bytes of a run that the page has not acknowledged. */
export const maxUnackedBytes = 64 * 1024;
/** Number of bytes after which the page sends an acknowledgement. */
export const ackIntervalBytes = 16 * 1024;
/**
 * Maximum number of frames before the page sends an acknowledgement. The server keeps unacknowledged frames, and small
 * frames have a large overhead.
 */
export const ackIntervalFrames = 16;
/** Maximum payload of a frame in bytes. */
export const maxFrameBytes = 16 * 1024;
/** Time in ms for which the runs of a lost channel are kept. */
export const resumeWindowMs = 5000;
/** Maximum number of concurrent runs in a channel. */
export const maxChannelRuns = 64;
/** Close code of a channel that cannot be resumed. */
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

/** Returns `undefined` if the frame is too short. */
export function decodeBytesFrame(
  frame: Uint8Array,
): { run: number; atMs: number; bytes: Uint8Array } | undefined {
  if (frame.length < headerBytes) return undefined;
  const headerView = new DataView(frame.buffer, frame.byteOffset, headerBytes);
  return { run: headerView.getUint32(0), atMs: headerView.getFloat64(4), bytes: frame.subarray(headerBytes) };
}
