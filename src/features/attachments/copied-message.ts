import { parseCopiedFiles } from '../../conversation/request/file-blocks.ts';
import type { FilePart } from '../../conversation/request/message-files.ts';
import { findImageUrls } from '../../conversation/request/message-images.ts';
import { getContentText } from '../../conversation/request/request.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import type { Message } from '../../gateway/wire.ts';
import { escapeHtml } from '../../lib/text/safe-text.ts';
import { copyText } from '../../ui/display/copy-text.ts';

/** Message on the clipboard that was copied in Bench. */
export interface CopiedMessage {
  text: string;
  files: readonly FilePart[];
  images: readonly DraftImage[];
}

/**
 * Copies the message with its attachments. Files are blocks at the end of the text. Images are references that only
 * Bench reads, as an attribute of the HTML, because other programs cannot use them.
 */
export function copyMessage(message: Message): Promise<boolean> {
  const text = getContentText(message.content);
  const urls = findImageUrls([message]).filter((url) => !url.startsWith('data:'));
  if (urls.length === 0) return copyText(text);
  const html = `<p data-bench-images="${escapeHtml(urls.join(' '))}">${escapeHtml(text)}</p>`;
  return copyText(text === '' ? ' ' : text, html);
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
  return copied.files.length === 0 && images.length === 0
    ? { text: pastedText, files: [], images }
    : { ...copied, images };
}
