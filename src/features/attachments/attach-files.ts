import { formatError } from '../../lib/format-error.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import type { ImageStore } from '../../state/drafts/image-store.ts';
import type { CopiedMessage } from './copied-message.ts';
import type { ReadAttachments } from './read-attachments.ts';

const loadCopiedMessage = createPreloadableImport(async () => import('./copied-message.ts'), true);

/** Parses a message that was copied in Bench; the code for it is loaded on first use. Never rejects. */
export async function readCopiedMessage(text: string, html: string): Promise<CopiedMessage> {
  try {
    const { parseCopiedMessage } = await loadCopiedMessage();
    return parseCopiedMessage(text, html);
  } catch {
    return { text, files: [], images: [] };
  }
}

const loadReader = createPreloadableImport(async () => import('./read-attachments.ts'), true);

/** Reads attached files; the code for it is loaded on first use. Never rejects. */
export async function attachFiles(files: readonly File[], store: ImageStore): Promise<ReadAttachments> {
  try {
    const { readAttachments } = await loadReader();
    return await readAttachments(files, store);
  } catch (error) {
    return { images: [], files: [], problem: formatError(error) };
  }
}
