import { appScriptUrl } from '../markdown/app-script-url.ts';
import importWorkerUrl from '../state/import-worker.ts?worker&url';

/** The worker that reads large files of sessions. */
export function startImportWorker(): Worker {
  return new Worker(appScriptUrl(importWorkerUrl), { type: 'module' });
}
