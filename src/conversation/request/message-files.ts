/**
 * Handles text files in messages. A file is a text part that contains its name and a fenced block, so that every model
 * and every export can read it. Its `file` field tells it from written text and is never sent.
 */
import { isEqual } from 'es-toolkit';

import type { ContentPart, FileInfo, Message } from '../../gateway/wire.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';

type TextPart = Extract<ContentPart, { type: 'text' }>;

export type FilePart = TextPart & { file: FileInfo };

export function isFilePart(part: ContentPart): part is FilePart {
  return part.type === 'text' && part.file !== undefined;
}

/** Returns the files of a message content, in order. */
export function listFiles(content: Message['content']): FilePart[] {
  return Array.isArray(content) ? content.filter(isFilePart) : [];
}

/** Returns the files without the first one that equals this file. */
export function withoutFile(files: readonly FilePart[], file: FilePart): readonly FilePart[] {
  const index = files.findIndex((other) => isEqual(other, file));
  return index < 0 ? files : files.toSpliced(index, 1);
}

/** Returns the name of a file for display. */
export function getFileName({ file }: FilePart): string {
  return sanitizeForSentence(file.name);
}

/** Joins the text parts. Files are separated from other text by blank lines. */
export function joinTextParts(parts: readonly ContentPart[]): string {
  const writtenText = getWrittenText(parts);
  const fileTexts = parts.filter(isFilePart).map(({ text }) => text);
  if (fileTexts.length === 0) return writtenText;
  return [...(writtenText.trim() === '' ? [] : [writtenText]), ...fileTexts].join('\n\n');
}

/** Returns the text of a message content without its files. */
export function getWrittenText(content: string | readonly ContentPart[] | null): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' && !isFilePart(part) ? part.text : '')).join('');
}

/** Returns the text of a message content without its files, or their names if there is no other text. */
export function getTextOrFileNames(content: Message['content']): string {
  const text = getWrittenText(content);
  return text.trim() === '' ? listFiles(content).map(getFileName).join(', ') || text : text;
}

/**
 * Returns the message as it is sent: files become part of its text, because some gateways accept parts only for images.
 */
export function withFilesInText(message: Message): Message {
  if (message.role === 'tool' || !Array.isArray(message.content)) return message;
  if (!message.content.some(isFilePart)) return message;
  const text = joinTextParts(message.content);
  const otherParts = message.content.filter((part) => part.type !== 'text');
  return { ...message, content: otherParts.length === 0 ? text : [{ type: 'text', text }, ...otherParts] };
}
