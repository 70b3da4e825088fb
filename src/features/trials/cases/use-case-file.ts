import { useEffect, useState } from 'react';

import type { CaseChoices, CaseFileResult, CaseFileSummary } from '../../../trials/files/case-file-result.ts';
import { trialLimits } from '../../../trials/trial.ts';
import { createScriptUrl } from '../../../ui/app-script-url.ts';
import { useDebouncedValue } from '../../../ui/hooks/use-debounced-value.ts';
import type { WorkerResponse, WorkerRequest } from './case-worker.ts';
import { default as workerAddress } from './case-worker.ts?worker&url';

const debounceMs = 200;

/** `loadAll` returns all cases; the promise never resolves if the source has changed in the meantime. */
export type CaseFileState =
  | { ok: true; summary: CaseFileSummary; loadAll: () => Promise<CaseFileResult['cases']> }
  | { ok: false; reason: string };

/**
 * Reads cases in a worker; returns undefined while reading or without a source. While the same source is read with
 * other choices, returns the previous result with `isCurrent: false`.
 */
export function useCaseFile(
  source: File | string,
  choices: CaseChoices,
): { result: CaseFileState; isCurrent: boolean } | undefined {
  const debouncedSource = useDebouncedValue(source, debounceMs);
  const [latestResult, setLatest] = useState<{
    source: File | string;
    choices: CaseChoices;
    result: CaseFileState;
  }>();
  useEffect(() => {
    if (debouncedSource === '') return undefined;
    const setResult = (result: CaseFileState) => setLatest({ source: debouncedSource, choices, result });
    if (typeof debouncedSource !== 'string' && debouncedSource.size > trialLimits.fileBytes) {
      setResult({ ok: false, reason: 'The file is larger than 50 MB.' });
      return undefined;
    }
    const worker = new Worker(createScriptUrl(workerAddress), { type: 'module' });
    const loadAll = () => loadCases(worker);
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
      if (data === 'taken' || 'part' in data) return;
      setResult(data.result.ok ? { ...data.result, loadAll } : data.result);
    });
    worker.addEventListener('error', () => setResult({ ok: false, reason: 'Reading stopped unexpectedly.' }));
    worker.postMessage({ source: debouncedSource, choices } satisfies WorkerRequest);
    return () => worker.terminate();
  }, [debouncedSource, choices]);
  if (!latestResult || latestResult.source !== source) return undefined;
  return { result: latestResult.result, isCurrent: latestResult.choices === choices };
}

function loadCases(worker: Worker): Promise<CaseFileResult['cases']> {
  const cases: CaseFileResult['cases'] = [];
  return new Promise((resolve, reject) => {
    worker.addEventListener('error', () => reject(new Error('Reading stopped unexpectedly.')));
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
      if (data === 'taken') resolve(cases);
      else if ('part' in data) for (const testCase of data.part) cases.push(testCase);
    });
    worker.postMessage('take' satisfies WorkerRequest);
  });
}
