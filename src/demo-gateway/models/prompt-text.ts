import type { Message } from '../../gateway/wire.ts';

/** The text of a message; parts of text are joined by line breaks, images are left out. */
export function textOf(message: Message): string {
  const { content } = message;
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Of each end of a message: what is asked stands there. Some of the phrases looked for take the square of this. */
const mostLetters = 2_000;

function endsOf(text: string): string {
  return text.length <= 2 * mostLetters ? text : `${text.slice(0, mostLetters)}\n${text.slice(-mostLetters)}`;
}

/** The texts of what the person said, oldest first; of a very long one its beginning and its end. */
export function userTexts(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').map((message) => endsOf(textOf(message).trim()));
}

/** What the person said last, or the empty text. */
export function lastUserText(messages: readonly Message[]): string {
  return userTexts(messages).at(-1) ?? '';
}

/** The images of a message, as their URLs. */
export function imagesOf({ content }: Message): string[] {
  return Array.isArray(content)
    ? content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
    : [];
}
