import { useEffect, useState } from 'react';

import type { CaseFormat, CaseReading, ShownReading } from '../../../trials/files/case-file.ts';
import { limits } from '../../../trials/trial.ts';
import { appScriptUrl } from '../../../ui/app-script-url.ts';
import { useSettled } from '../../../ui/hooks/use-settled.ts';
import type { FromReader, ToReader } from './case-worker.ts';
import { default as workerAddress } from './case-worker.ts?worker&url';

const settledMs = 200;

/** `take` has all of the cases; it never ends where the source has changed meanwhile. */
export type CasesRead =
  | { ok: true; reading: ShownReading; take: () => Promise<CaseReading['cases']> }
  | { ok: false; reason: string };

/** What these cases are, read in a worker of their own; undefined while it reads, or while there is nothing to read. */
export function useCaseReading(source: File | string, format: CaseFormat | undefined): CasesRead | undefined {
  const settled = useSettled(source, settledMs);
  const [answer, setAnswer] = useState<{
    of: File | string;
    format: CaseFormat | undefined;
    said: CasesRead;
  }>();
  useEffect(() => {
    if (settled === '') return undefined;
    const say = (said: CasesRead) => setAnswer({ of: settled, format, said });
    if (typeof settled !== 'string' && settled.size > limits.fileBytes) {
      say({ ok: false, reason: 'The file is larger than 50 MB.' });
      return undefined;
    }
    const worker = new Worker(appScriptUrl(workerAddress), { type: 'module' });
    const take = () => takenFrom(worker);
    worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
      if (data === 'taken' || 'part' in data) return;
      say(data.answer.ok ? { ...data.answer, take } : data.answer);
    });
    worker.addEventListener('error', () => say({ ok: false, reason: 'The reader has stopped.' }));
    worker.postMessage({ source: settled, ...(format ? { format } : {}) } satisfies ToReader);
    return () => worker.terminate();
  }, [settled, format]);
  return answer && answer.of === source && answer.format === format ? answer.said : undefined;
}

function takenFrom(reader: Worker): Promise<CaseReading['cases']> {
  const cases: CaseReading['cases'] = [];
  return new Promise((resolve, reject) => {
    reader.addEventListener('error', () => reject(new Error('The reader has stopped.')));
    reader.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
      if (data === 'taken') resolve(cases);
      else if ('part' in data) for (const each of data.part) cases.push(each);
    });
    reader.postMessage('take' satisfies ToReader);
  });
}
