/**
 * Reads cases apart from the page and keeps them until the page takes them: a file of 50 MB would hold it up. A request is
 * answered by the beginning of a reading, `take` by all of its cases in parts.
 */
import { wordsOf } from '../../../lib/error-words.ts';
import {
  caseParts,
  readCases,
  shownReading,
  type CaseFormat,
  type CaseReading,
  type ShownReading,
} from '../../../trials/files/case-file.ts';

export interface CaseRequest {
  source: File | string;
  format?: CaseFormat;
}

export type CaseAnswer = { ok: true; reading: ShownReading } | { ok: false; reason: string };

export type ToReader = CaseRequest | 'take';
export type FromReader = { answer: CaseAnswer } | { part: CaseReading['cases'] } | 'taken';

let cases: CaseReading['cases'] = [];

async function read({ source, format }: CaseRequest): Promise<CaseAnswer> {
  try {
    const text = typeof source === 'string' ? source : await source.text();
    const reading = readCases(text, format);
    ({ cases } = reading);
    return { ok: true, reading: shownReading(reading) };
  } catch (error) {
    return { ok: false, reason: wordsOf(error) };
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
