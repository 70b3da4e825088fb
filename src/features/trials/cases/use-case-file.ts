import { useEffect, useState } from 'react';

import type { CaseChoices, CaseReading, ShownReading } from '../../../trials/files/case-file-result.ts';
import { limits } from '../../../trials/trial.ts';
import { appScriptUrl } from '../../../ui/app-script-url.ts';
import { useSettled } from '../../../ui/hooks/use-debounced-value.ts';
import type { FromReader, ToReader } from './case-worker.ts';
import { default as workerAddress } from './case-worker.ts?worker&url';

const settledMs = 200;

/** `take` has all of the cases; it never ends where the source has changed meanwhile. */
export type CasesRead =
  | { ok: true; reading: ShownReading; take: () => Promise<CaseReading['cases']> }
  | { ok: false; reason: string };

/**
 * Reads cases in a worker; undefined while it reads or without a source. While
 * the same source is read with other choices, returns the previous answer as not current.
 */
export function useCaseReading(
  source: File | string,
  choices: CaseChoices,
): { answer: CasesRead; isCurrent: boolean } | undefined {
  const settled = useSettled(source, settledMs);
  const [answer, setAnswer] = useState<{
    of: File | string;
    choices: CaseChoices;
    said: CasesRead;
  }>();
  useEffect(() => {
    if (settled === '') return undefined;
    const say = (said: CasesRead) => setAnswer({ of: settled, choices, said });
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
    worker.postMessage({ source: settled, choices } satisfies ToReader);
    return () => worker.terminate();
  }, [settled, choices]);
  if (!answer || answer.of !== source) return undefined;
  return { answer: answer.said, isCurrent: answer.choices === choices };
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
