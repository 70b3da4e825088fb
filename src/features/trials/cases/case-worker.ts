/** Reads cases apart from the page: a file of 50 MB would hold it up. One request in, one reading out. */
import { wordsOf } from '../../../lib/error-words.ts';
import {
  readCases,
  shownReading,
  type CaseFormat,
  type ShownReading,
} from '../../../trials/files/case-file.ts';

export interface CaseRequest {
  source: File | string;
  format?: CaseFormat;
}

export type CaseAnswer = { ok: true; reading: ShownReading } | { ok: false; reason: string };

async function read({ source, format }: CaseRequest): Promise<CaseAnswer> {
  try {
    const text = typeof source === 'string' ? source : await source.text();
    return { ok: true, reading: shownReading(readCases(text, format)) };
  } catch (error) {
    return { ok: false, reason: wordsOf(error) };
  }
}

addEventListener('message', ({ data }: MessageEvent<CaseRequest>) => {
  void read(data).then((answer) => postMessage(answer));
});
