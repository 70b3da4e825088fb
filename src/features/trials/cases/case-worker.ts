/** Reads cases apart from the page: a file of 50 MB would hold it up. One request in; parts of its cases and a reading out. */
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

/** Parts of the cases first, then the answer, whose reading has none of them. */
export type CaseMessage = { part: CaseReading['cases'] } | CaseAnswer;

async function read({ source, format }: CaseRequest): Promise<void> {
  try {
    const text = typeof source === 'string' ? source : await source.text();
    const reading = shownReading(readCases(text, format));
    for (const part of caseParts(reading.cases)) say({ part });
    say({ ok: true, reading: { ...reading, cases: [] } });
  } catch (error) {
    say({ ok: false, reason: wordsOf(error) });
  }
}

function say(message: CaseMessage): void {
  postMessage(message);
}

addEventListener('message', ({ data }: MessageEvent<CaseRequest>) => void read(data));
