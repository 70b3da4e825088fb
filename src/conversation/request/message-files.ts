/**
 * Handles files in messages. A text file is a text part that contains its name and a fenced block, so that every model
 * and every export can read it. Its `file` field tells it from written text and is never sent. Documents and sounds are
 * parts of their own, which some models accept.
 */
import { isEqual } from 'es-toolkit';

import type { ContentPart, FileInfo, Message } from '../../gateway/wire.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import type { ImagePart, MediaPart } from './message-images.ts';

type TextPart = Extract<ContentPart, { type: 'text' }>;

export type TextFilePart = TextPart & { file: FileInfo };

/** Document or sound. */
export type MediaFilePart = Exclude<MediaPart, ImagePart>;

export type FilePart = TextFilePart | MediaFilePart;

export function isTextFile(part: ContentPart): part is TextFilePart {
  return part.type === 'text' && part.file !== undefined;
}

function isFile(part: ContentPart): part is FilePart {
  return part.type === 'text' ? isTextFile(part) : part.type !== 'image_url';
}

/** Returns the files of a message content, in order. */
export function listFiles(content: Message['content']): FilePart[] {
  return Array.isArray(content) ? content.filter(isFile) : [];
}

/** Returns the files without the first one that equals this file. */
export function withoutFile(files: readonly FilePart[], file: FilePart): readonly FilePart[] {
  const index = files.findIndex((other) => isEqual(other, file));
  return index < 0 ? files : files.toSpliced(index, 1);
}

/** Returns the name of a file for display. */
export function getFileName(part: FilePart): string {
  return sanitizeForSentence(getOriginalName(part));
}

/** Returns the name that the file had on disk, unchanged. */
export function getOriginalName(part: FilePart): string {
  if (part.type === 'input_audio') return part.name ?? `Audio.${part.input_audio.format}`;
  return part.type === 'file' ? part.file.filename : part.file.name;
}

/** Joins the text parts. Text files are separated from other text by blank lines. */
export function joinTextParts(parts: readonly ContentPart[]): string {
  const writtenText = getWrittenText(parts);
  const fileTexts = parts.filter(isTextFile).map(({ text }) => text);
  if (fileTexts.length === 0) return writtenText;
  return [...(writtenText.trim() === '' ? [] : [writtenText]), ...fileTexts].join('\n\n');
}

/** Returns the text of a message content without its files. */
export function getWrittenText(content: string | readonly ContentPart[] | null): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' && !isTextFile(part) ? part.text : '')).join('');
}

/** Returns what a message shows of its content: the text and the names of the files. */
export function getVisibleText(content: Message['content']): string {
  return [getWrittenText(content), ...listFiles(content).map(getFileName)].filter(Boolean).join('\n');
}

/** Returns the text of a message content without its files, or their names if there is no other text. */
export function getTextOrFileNames(content: Message['content']): string {
  const text = getWrittenText(content);
  return text.trim() === '' ? listFiles(content).map(getFileName).join(', ') || text : text;
}

/**
 * Returns the message as it is sent: text files become part of its text, because some gateways accept parts only for
 * images, and stored fields are left out.
 */
export function toSentMessage(message: Message): Message {
  if (message.role === 'tool' || !Array.isArray(message.content)) return message;
  if (!message.content.some(isFile)) return message;
  const text = joinTextParts(message.content);
  const otherParts = message.content.filter((part) => part.type !== 'text').map(withoutName);
  if (otherParts.length === 0) return { ...message, content: text };
  return { ...message, content: text === '' ? otherParts : [{ type: 'text', text }, ...otherParts] };
}

function withoutName(part: MediaPart): MediaPart {
  return part.type === 'input_audio' ? { type: part.type, input_audio: part.input_audio } : part;
}
