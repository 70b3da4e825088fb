/** Reads, validates and stores a large session file in a worker: receives a File, returns an ImportOutcome. */
import { formatError } from '../lib/format-error.ts';
import { createRandomId } from '../lib/ids.ts';
import { openRecordStore } from '../storage/db.ts';
import { importText, type ImportOutcome } from './sessions/library-import.ts';

async function importSessionFile(file: File): Promise<ImportOutcome> {
  const records = await openRecordStore();
  try {
    return await importText(records, await file.text(), () => createRandomId(Date.now()));
  } catch (error) {
    return {
      ok: false,
      reason: `It could not be read: ${formatError(error)}`,
    };
  } finally {
    records.close();
  }
}

addEventListener('message', ({ data }: MessageEvent<File>) => {
  void importSessionFile(data).then((outcome) => postMessage(outcome));
});
