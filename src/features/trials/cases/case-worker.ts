/**
 * Reads cases apart from the page and keeps them until the page takes them: a file of 50 MB would hold it up. A request is
 * answered by the beginning of a reading, `take` by all of its cases in parts.
 */
import { formatError } from '../../../lib/format-error.ts';
import {
  caseParts,
  shownReading,
  type CaseChoices,
  type CaseReading,
  type ShownReading,
} from '../../../trials/files/case-file-result.ts';
import { readCases } from '../../../trials/files/parse-cases.ts';

export interface CaseRequest {
  source: File | string;
  choices: CaseChoices;
}

export type CaseAnswer = { ok: true; reading: ShownReading } | { ok: false; reason: string };

export type ToReader = CaseRequest | 'take';
export type FromReader = { answer: CaseAnswer } | { part: CaseReading['cases'] } | 'taken';

let cases: CaseReading['cases'] = [];

async function read({ source, choices }: CaseRequest): Promise<CaseAnswer> {
  try {
    const reading =
      typeof source === 'string'
        ? readCases(source, choices)
        : readCases(new Uint8Array(await source.arrayBuffer()), { ...choices, name: source.name });
    ({ cases } = reading);
    return { ok: true, reading: shownReading(reading) };
  } catch (error) {
    return { ok: false, reason: formatError(error) };
  }
}

function give(): void {
  for (const part of caseParts(cases)) say({ part });
  say('taken');
}

function say(message: FromReader): void {
  postMessage(message);
}

addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
  if (data === 'take') give();
  else void read(data).then((answer) => say({ answer }));
});
