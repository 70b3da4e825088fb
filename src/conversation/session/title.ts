import type { Message } from '../../gateway/wire.ts';
import { textOfContent } from '../request/request.ts';

export const untitled = 'New session';

/** A session's name from its first prompt: its first line with words, without markdown marks, at most 60 characters. */
export function titleOf(messages: readonly Message[]): string {
  const text = messages.map((message) => textOfContent(message.content)).join('\n');
  const line = text
    .split('\n')
    .map((each) => each.replace(/^[\s#>*\-`]+/, '').trim())
    .find((each) => each !== '');
  if (line === undefined) return untitled;
  const letters = Array.from(line);
  if (letters.length <= 60) return line;
  const cut = letters.slice(0, 60).join('');
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > 30 ? space : undefined).trimEnd()}…`;
}
