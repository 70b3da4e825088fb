import type { UmapFrame, VectorEngine } from './engine.ts';

/** What can be asked over a wire: everything but closing it. */
export type EngineMethod = Exclude<keyof VectorEngine, 'close'>;

/** From the page to the worker. A task's functions stay behind; its signal becomes `abort`. */
export type EngineCall = { id: number; method: EngineMethod; args: unknown[] } | { id: number; abort: true };

/** From the worker to the page. */
export type EngineReply =
  | { id: number; done: number }
  | { id: number; frame: UmapFrame }
  | { id: number; result: unknown }
  | { id: number; error: string };

/** The same as it is heard: a result has the type that the call with this id asked for. */
export type HeardReply = Exclude<EngineReply, { result: unknown }> | { id: number; result: never };

/** The end of a worker, or of a MessageChannel. */
export interface EnginePort<Sent, Heard> {
  postMessage(message: Sent, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { data: Heard }) => void): void;
}

/** Buffers of a result, which its maker needs no more: itself, or what its fields hold. */
export function buffersOf(value: unknown): Transferable[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(value);
  return parts.flatMap((part) =>
    ArrayBuffer.isView(part) && part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
  );
}
