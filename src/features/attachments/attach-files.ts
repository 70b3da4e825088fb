import { getDeclaredAbilities } from '../../conversation/setup/model-marks.ts';
import { formatError } from '../../lib/format-error.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useAppServices, useSessionServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
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

/**
 * Returns a function that reads attached files for the models of the session; the code for it is loaded on first use. It
 * never rejects.
 */
export function useAttachFiles(): (files: readonly File[]) => Promise<ReadAttachments> {
  const { gateways, prefs } = useAppServices();
  const { images, session } = useSessionServices();
  return async (files) => {
    const marks = prefs.getState().modelMarks ?? {};
    const lanes = Object.values(getCurrentSession(session.getState())?.lanes ?? {});
    const acceptsDocuments = lanes.some(
      ({ setup }) =>
        getDeclaredAbilities(gateways.getModelKey(setup), marks, gateways.getListedModel(setup)).files ===
        true,
    );
    try {
      const { readAttachments } = await loadReader();
      return await readAttachments(files, { store: images, acceptsDocuments });
    } catch (error) {
      return { images: [], files: [], problem: formatError(error) };
    }
  };
}
