import { useEffect, useRef, useState } from 'react';

import type { CaseFormat, CaseReading } from '../../../trials/files/case-file.ts';
import { limits } from '../../../trials/trial.ts';
import { appScriptUrl } from '../../../ui/app-script-url.ts';
import { useSettled } from '../../../ui/hooks/use-settled.ts';
import type { CaseAnswer, FromReader, ToReader } from './case-worker.ts';
import { default as workerAddress } from './case-worker.ts?worker&url';

const settledMs = 200;

/**
 * What these cases are, read in a worker of their own; undefined while it reads, or while there is nothing to read. `take`
 * has all of them; it never ends where the source has changed meanwhile.
 */
export function useCaseReading(
  source: File | string,
  format: CaseFormat | undefined,
): { answer: CaseAnswer | undefined; take: () => Promise<CaseReading['cases']> } {
  const settled = useSettled(source, settledMs);
  const [answer, setAnswer] = useState<{
    of: File | string;
    format: CaseFormat | undefined;
    said: CaseAnswer;
  }>();
  const reader = useRef<Worker>(undefined);
  useEffect(() => {
    if (settled === '') return undefined;
    const say = (said: CaseAnswer) => setAnswer({ of: settled, format, said });
    if (typeof settled !== 'string' && settled.size > limits.fileBytes) {
      say({ ok: false, reason: 'The file is larger than 50 MB.' });
      return undefined;
    }
    const worker = new Worker(appScriptUrl(workerAddress), { type: 'module' });
    reader.current = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
      if (data !== 'taken' && 'answer' in data) say(data.answer);
    });
    worker.addEventListener('error', () => say({ ok: false, reason: 'The reader has stopped.' }));
    worker.postMessage({ source: settled, ...(format ? { format } : {}) } satisfies ToReader);
    return () => worker.terminate();
  }, [settled, format]);
  return {
    answer: answer && answer.of === source && answer.format === format ? answer.said : undefined,
    take: () => takenFrom(reader.current),
  };
}

function takenFrom(reader: Worker | undefined): Promise<CaseReading['cases']> {
  const cases: CaseReading['cases'] = [];
  return new Promise((resolve, reject) => {
    reader?.addEventListener('error', () => reject(new Error('The reader has stopped.')));
    reader?.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
      if (data === 'taken') resolve(cases);
      else if ('part' in data) for (const each of data.part) cases.push(each);
    });
    reader?.postMessage('take' satisfies ToReader);
  });
}
