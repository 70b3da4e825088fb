/** Converts the prompt of a trial between its messages and the text in the editor. */
import { getContentText } from '../../../conversation/request/request.ts';
import type { Message } from '../../../gateway/wire.ts';

/** Returns the text of the last message. Earlier messages are not edited. */
export function getPromptText(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last ? getContentText(last.content) : '';
}

/** Returns the messages with a new text in the last one. */
export function withPromptText(messages: readonly Message[], text: string): Message[] {
  return [...messages.slice(0, -1), { role: 'user', content: text }];
}

/** Returns the number of messages before the prompt. */
export function countEarlierMessages(messages: readonly Message[]): number {
  return Math.max(0, messages.length - 1);
}
