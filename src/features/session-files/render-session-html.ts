import type { SummaryOptions } from '../../conversation/comparison/summary.ts';
import { buildSessionHtml } from '../../conversation/files/html-export.ts';
import { parseImageHash } from '../../conversation/request/message-images.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { markdownToHtml } from '../../markdown/parse/markdown-to-html.ts';

/**
 * Renders the session as one HTML page for reading; `images` are data URLs by hash. A separate module, because it loads
 * the Markdown parser.
 */
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
