import type { ContentPart, Message } from '../../gateway/wire.ts';

/** Returns the text of a message: text parts joined by line breaks, without images. */
export function getMessageText(message: Message): string {
  const { content } = message;
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/**
 * Maximum number of characters kept at each end of a message, where the request usually is. Some patterns take
 * quadratic time in this length.
 */
const maxEndChars = 2_000;

function trimMiddle(text: string): string {
  return text.length <= 2 * maxEndChars ? text : `${text.slice(0, maxEndChars)}\n${text.slice(-maxEndChars)}`;
}

/** Returns the texts of the user messages, oldest first. Of very long messages, only the start and end are kept. */
export function getUserTexts(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map((message) => trimMiddle(getMessageText(message).trim()));
}

/** Returns the text of the last user message, or an empty string. */
export function getLastUserText(messages: readonly Message[]): string {
  return getUserTexts(messages).at(-1) ?? '';
}

/** Image, document or sound of a message. */
export type MediaPart = Exclude<ContentPart, { type: 'text' }>;

/** Returns the images, documents and sounds of a message. */
export function listMessageMedia({ content }: Message): MediaPart[] {
  return Array.isArray(content) ? content.flatMap((part) => (part.type === 'text' ? [] : part)) : [];
}
