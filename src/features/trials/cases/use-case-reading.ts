import { useEffect, useState } from 'react';

import type { CaseFormat, CaseReading } from '../../../trials/files/case-file.ts';
import { limits } from '../../../trials/trial.ts';
import { appScriptUrl } from '../../../ui/app-script-url.ts';
import { useSettled } from '../../../ui/hooks/use-settled.ts';
import type { CaseAnswer, CaseMessage, CaseRequest } from './case-worker.ts';
import { default as workerAddress } from './case-worker.ts?worker&url';

const settledMs = 200;

/** What these cases are, read in a worker of their own; undefined while it reads, or while there is nothing to read. */
export function useCaseReading(
  source: File | string,
  format: CaseFormat | undefined,
): CaseAnswer | undefined {
  const settled = useSettled(source, settledMs);
  const [answer, setAnswer] = useState<{
    of: File | string;
    format: CaseFormat | undefined;
    said: CaseAnswer;
  }>();
  useEffect(() => {
    if (settled === '') return undefined;
    const say = (said: CaseAnswer) => setAnswer({ of: settled, format, said });
    if (typeof settled !== 'string' && settled.size > limits.fileBytes) {
      say({ ok: false, reason: 'The file is larger than 50 MB.' });
      return undefined;
    }
    const worker = new Worker(appScriptUrl(workerAddress), { type: 'module' });
    const cases: CaseReading['cases'] = [];
    worker.addEventListener('message', ({ data }: MessageEvent<CaseMessage>) => {
      if ('part' in data) for (const each of data.part) cases.push(each);
      else say(data.ok ? { ok: true, reading: { ...data.reading, cases } } : data);
    });
    worker.addEventListener('error', () => say({ ok: false, reason: 'The reader has stopped.' }));
    worker.postMessage({ source: settled, ...(format ? { format } : {}) } satisfies CaseRequest);
    return () => worker.terminate();
  }, [settled, format]);
  return answer && answer.of === source && answer.format === format ? answer.said : undefined;
}
