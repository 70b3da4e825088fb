/**
 * Reads cases in a worker, because a 50 MB file would block the page, and keeps them until the page fetches them. The
 * response to a request contains the first cases; `take` returns all of them in parts.
 */
import { formatError } from '../../../lib/format-error.ts';
import {
  splitCases,
  summarizeCaseFile,
  type CaseChoices,
  type CaseFileResult,
  type CaseFileSummary,
} from '../../../trials/files/case-file-result.ts';
import { parseCases } from '../../../trials/files/parse-cases.ts';

export interface CaseRequest {
  source: File | string;
  choices: CaseChoices;
}

export type CaseWorkerResult = { ok: true; summary: CaseFileSummary } | { ok: false; reason: string };

export type WorkerRequest = CaseRequest | 'take';
export type WorkerResponse = { result: CaseWorkerResult } | { part: CaseFileResult['cases'] } | 'taken';

let cases: CaseFileResult['cases'] = [];

async function readSource({ source, choices }: CaseRequest): Promise<CaseWorkerResult> {
  try {
    const caseFile =
      typeof source === 'string'
        ? parseCases(source, choices)
        : parseCases(new Uint8Array(await source.arrayBuffer()), { ...choices, name: source.name });
    ({ cases } = caseFile);
    return { ok: true, summary: summarizeCaseFile(caseFile) };
  } catch (error) {
    return { ok: false, reason: formatError(error) };
  }
}

function postCases(): void {
  for (const part of splitCases(cases)) postResponse({ part });
  postResponse('taken');
}

function postResponse(message: WorkerResponse): void {
  postMessage(message);
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if (data === 'take') postCases();
  else void readSource(data).then((result) => postResponse({ result }));
});
