import type { SummaryOptions } from '../../../conversation/comparison/summary.ts';
import { buildSessionHtml } from '../../../conversation/files/html-export.ts';
import { parseImageHash } from '../../../conversation/request/message-images.ts';
import type { SessionData } from '../../../conversation/session/types.ts';
import { markdownToHtml } from '../../../markdown/parse/markdown-to-html.ts';

/** The session as one page for reading; `images` are data URLs by hash. Apart, since it brings the reader of markdown along. */
export function renderSessionHtml(
  data: SessionData,
  images: Readonly<Record<string, string>>,
  options: SummaryOptions = {},
): string {
  return buildSessionHtml(data, {
    ...options,
    renderMarkdown: markdownToHtml,
    getImageDataUrl: (url) => (url.startsWith('data:') ? url : images[parseImageHash(url) ?? '']),
  });
}
