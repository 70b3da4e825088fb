import * as v from 'valibot';

import { parseCopiedFiles } from '../../conversation/request/file-blocks.ts';
import { isTextFile, listFiles, type FilePart } from '../../conversation/request/message-files.ts';
import { findImageUrls, getMediaSource, parseImageHash } from '../../conversation/request/message-images.ts';
import { getContentText } from '../../conversation/request/request.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { filePartSchema } from '../../conversation/session/session-schemas.ts';
import type { Message } from '../../gateway/wire.ts';
import { parseJson } from '../../lib/json.ts';
import { escapeHtml } from '../../lib/text/safe-text.ts';
import { copyText } from '../../ui/display/copy-text.ts';

/** Message on the clipboard that was copied in Bench. */
export interface CopiedMessage {
  text: string;
  files: readonly FilePart[];
  images: readonly DraftImage[];
}

/**
 * Copies the message with its attachments. Text files are blocks at the end of the text. Images, documents and sounds
 * are references that only Bench reads, as attributes of the HTML, because other programs cannot use them.
 */
export function copyMessage(message: Message): Promise<boolean> {
  const text = getContentText(message.content);
  const html = buildCopiedHtml(message);
  return html === undefined ? copyText(text) : copyText(text === '' ? ' ' : text, html);
}

/** Returns the HTML of a message with attachments that its text does not contain, `undefined` without any. */
export function buildCopiedHtml(message: Message): string | undefined {
  const urls = findImageUrls([message]).filter((url) => !url.startsWith('data:'));
  const storedFiles = listFiles(message.content).filter(isStoredFile);
  if (urls.length + storedFiles.length === 0) return undefined;
  const fileList = encodeURIComponent(JSON.stringify(storedFiles));
  const text = escapeHtml(getContentText(message.content));
  return `<p data-bench-images="${escapeHtml(urls.join(' '))}" data-bench-files="${fileList}">${text}</p>`;
}

/** Parses a pasted message with its attachments. Other text is returned unchanged, without attachments. */
export function parseCopiedMessage(pastedText: string, html: string): CopiedMessage {
  const copied = parseCopiedFiles(pastedText) ?? { text: pastedText.trim(), files: [] };
  const [, urlList = ''] = /data-bench-images="([^"]*)"/.exec(html) ?? [];
  const urls = urlList.split(/\s+/).filter((url) => /^(?:bench-image:[0-9a-f]{64}|https?:\/\/.+)$/.test(url));
  const images = urls.map((url, index): DraftImage => ({
    url: url.replaceAll('&amp;', '&'),
    name: `Image ${index + 1}`,
    detail: 'auto',
  }));
  const files = [...copied.files, ...parseStoredFiles(html)];
  return files.length === 0 && images.length === 0
    ? { text: pastedText, files, images }
    : { text: copied.text, files, images };
}

/** Returns true for a document or sound whose bytes are stored in this browser. */
function isStoredFile(file: FilePart): boolean {
  return !isTextFile(file) && parseImageHash(getMediaSource(file)) !== undefined;
}

function parseStoredFiles(html: string): FilePart[] {
  const [, fileList = ''] = /data-bench-files="([\w%.!~*'()-]*)"/.exec(html) ?? [];
  const decoded = decodeUriComponent(fileList);
  const parsed = decoded === undefined ? undefined : parseJson(decoded);
  const result = v.safeParse(v.array(filePartSchema), parsed?.ok ? parsed.value : []);
  return result.success ? result.output.filter(isStoredFile) : [];
}

function decodeUriComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
