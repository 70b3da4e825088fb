import { connectCalls, type EngineCalls } from './connect-calls.ts';
import { buffersOf } from './engine-wire.ts';
import type { EngineHelper } from './engine.ts';

/** The engine at the other end of a port, for another engine: all that one may ask of it, and no more to load. */
export function connectHelper(port: MessagePort): EngineHelper {
  return helperOver(connectCalls(async () => ({ port, stop: () => port.close() })));
}

/** What a helper is asked; the rows that are sent are moved. */
export function helperOver({ ask }: EngineCalls): EngineHelper {
  return {
    share: (rows, dimensions, part, task) => ask('share', [rows, dimensions, part], task, buffersOf(rows)),
    shareSweep: (rows, sizes, asked, part, task) =>
      ask('shareSweep', [rows, sizes, asked, part], task, buffersOf(rows)),
  };
}
