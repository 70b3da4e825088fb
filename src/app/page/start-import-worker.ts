import { appScriptUrl } from '../../markdown/app-script-url.ts';

/** The worker that reads large files of sessions. Its code loads when it is first asked for. */
export async function startImportWorker(): Promise<Worker> {
  const { default: address } = await import('../../state/import-worker.ts?worker&url');
  return new Worker(appScriptUrl(address), { type: 'module' });
}
