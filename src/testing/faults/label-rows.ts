/** Answers whose labels are wrong, odd or rare: compression, length, character set, byte order mark (F12, F16, F29, F78). */
import { constants, gzipSync } from 'node:zlib';

import type { Segment } from '../../gateway/__fixtures__/segments.ts';
import type { FaultRow } from './fault-row.ts';
import { said, wholeAnswer } from './fault-row.ts';

const { role, text, finish, done } = said;
const hello = {
  status: 'complete',
  group: 'none',
  text: { 0: 'Hello' },
  says: ['Hello'],
  notes: {},
} as const;

/** Compressed; `isCut`: as far as the words go, without the end. */
function gzipped(answer: string, isCut = false): Segment {
  const bytes = gzipSync(answer, isCut ? { finishFlush: constants.Z_SYNC_FLUSH } : {});
  return { hex: Array.from(bytes, (byte) => byte.toString(16)).join(' ') };
}

export const labelFaultRows: FaultRow[] = [
  {
    name: 'F29 compressed, and labelled so, though it was not asked for',
    answer: { headers: { 'content-encoding': 'gzip' }, body: [gzipped(wholeAnswer)] },
    outcome: hello,
  },
  {
    name: 'F29 compressed without a label',
    answer: { body: [gzipped(wholeAnswer)] },
    outcome: hello,
  },
  {
    name: 'F29 labelled as compressed, but plain',
    answer: { headers: { 'content-encoding': 'gzip' }, body: [wholeAnswer] },
    outcome: hello,
  },
  {
    name: 'F29 compressed and cut',
    answer: { headers: { 'content-encoding': 'gzip' }, body: [gzipped(role + text('Hello'), true)] },
    outcome: { status: 'truncated', group: 'Error', says: ['The connection dropped'], text: { 0: 'Hello' } },
  },
  {
    name: 'F78 a length that is shorter than the body',
    answer: { framing: (role + text('Hello')).length, body: [wholeAnswer] },
    outcome: {
      status: 'truncated',
      group: 'Note',
      says: ['The answer may be cut off'],
      text: { 0: 'Hel' },
    },
  },
  {
    name: 'F16 a byte order mark before the stream',
    answer: { body: [{ hex: 'EF BB BF' }, wholeAnswer] },
    outcome: hello,
  },
  {
    name: 'F12 a character set that is not that of the bytes',
    answer: {
      contentType: 'text/event-stream; charset=iso-8859-1',
      body: [role, text('Zwölf 漢'), finish(), done],
    },
    outcome: {
      status: 'complete',
      group: 'none',
      text: { 0: 'Zwölf 漢' },
      says: ['Zwölf 漢'],
      notes: {},
    },
  },
];
