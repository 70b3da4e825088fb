/** The prompt of a trial: its messages as one text where it is one message of a person. */
import { getContentText } from '../../../conversation/request/request.ts';
import type { Message } from '../../../gateway/wire.ts';

/** The text of the last message. What stands before it stays as it is. */
export function getPromptText(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last ? getContentText(last.content) : '';
}

/** The messages with other words in the last one. */
export function withPromptText(messages: readonly Message[], text: string): Message[] {
  return [...messages.slice(0, -1), { role: 'user', content: text }];
}

/** "2 earlier messages" */
export function countEarlierMessages(messages: readonly Message[]): number {
  return Math.max(0, messages.length - 1);
}
