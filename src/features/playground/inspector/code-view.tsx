import type { ChatRequest } from '../../../gateway/wire.ts';

/** A place for the code of this call. */
export function CodeView(_: { body: ChatRequest }) {
  return null;
}
