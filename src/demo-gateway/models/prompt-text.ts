import type { Message } from '../../gateway/wire.ts';

/** The text of a message; parts of text are joined by line breaks, images are left out. */
export function getMessageText(message: Message): string {
  const { content } = message;
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Of each end of a message: what is asked stands there. Some of the phrases looked for take the square of this. */
const maxEndChars = 2_000;

function trimMiddle(text: string): string {
  return text.length <= 2 * maxEndChars ? text : `${text.slice(0, maxEndChars)}\n${text.slice(-maxEndChars)}`;
}

/** The texts of what the person said, oldest first; of a very long one its beginning and its end. */
export function getUserTexts(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map((message) => trimMiddle(getMessageText(message).trim()));
}

/** What the person said last, or the empty text. */
export function getLastUserText(messages: readonly Message[]): string {
  return getUserTexts(messages).at(-1) ?? '';
}

/** The images of a message, as their URLs. */
export function getMessageImageUrls({ content }: Message): string[] {
  return Array.isArray(content)
    ? content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
    : [];
}
