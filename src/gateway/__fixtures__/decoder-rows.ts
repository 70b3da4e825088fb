import type { Segment } from './segments.ts';

export interface DecodedEvent {
  data: string;
  event?: string;
  id?: string;
  unterminated?: true;
}

/** Bytes of an event stream and the entries that the decoder must produce. */
export interface DecoderRow {
  name: string;
  bytes: Segment[];
  events: DecodedEvent[];
  comments?: string[];
}

const byteOrderMark = { hex: 'EF BB BF' };

export const decoderRows: DecoderRow[] = [
  {
    name: 'case-sensitive field names and an event without data',
    bytes: ['data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n'],
    events: [{ data: 'msg\nmsg' }, { data: '' }, { data: 'end' }],
    comments: [''],
  },
  {
    name: 'a byte order mark at the start and a later one in a field name',
    bytes: [byteOrderMark, 'data:1\n\n', byteOrderMark, 'data:2\n\ndata:3\n\n'],
    events: [{ data: '1' }, { data: '3' }],
  },
  {
    name: 'two byte order marks, of which the first is dropped',
    bytes: [byteOrderMark, byteOrderMark, 'data:1\n\ndata:2\n\ndata:3\n\n'],
    events: [{ data: '2' }, { data: '3' }],
  },
  {
    name: 'comments between the lines of an event',
    bytes: [
      'data:1\r:\0\n:\r\ndata:2\n:',
      { repeat: 'x', times: 2048 },
      '\rdata:3\n:data:fail\r:',
      { repeat: 'x', times: 2048 },
      '\ndata:4\n\n',
    ],
    events: [{ data: '1\n2\n3\n4' }],
    comments: ['\0', '', 'x'.repeat(2048), 'data:fail', 'x'.repeat(2048)],
  },
  {
    name: 'a last event without its blank line, delivered and marked',
    bytes: ['retry:1000\ndata:test1\n\nid:test\ndata:test2'],
    events: [{ data: 'test1' }, { data: 'test2', id: 'test', unterminated: true }],
  },
  {
    name: 'data fields without a value',
    bytes: ['data:\n\ndata\ndata\n\ndata:test\n\n'],
    events: [{ data: '' }, { data: '\n' }, { data: 'test' }],
  },
  {
    name: 'an event name that applies to one event',
    bytes: ['event:test\ndata:x\n\ndata:x\n\n'],
    events: [{ data: 'x', event: 'test' }, { data: 'x' }],
  },
  { name: 'an empty event name, which is ignored', bytes: ['event: \ndata:data\n\n'], events: [{ data: 'data' }] },
  {
    name: 'events with their own IDs',
    bytes: ['id: …\ndata:a\n\ndata:b\n\nid\ndata:c\n\n'],
    events: [{ data: 'a', id: '…' }, { data: 'b' }, { data: 'c', id: '' }],
  },
  {
    name: 'IDs that contain NUL, which are ignored',
    bytes: ['id: …\ndata:0\n\nid:\0\0\ndata:1\n\nid:x\0\ndata:2\n\nid:\0x\ndata:3\n\nid:x\0x\ndata:4\n\nid: \0\ndata:5\n\n'],
    events: [{ data: '0', id: '…' }, { data: '1' }, { data: '2' }, { data: '3' }, { data: '4' }, { data: '5' }],
  },
  {
    name: 'spaces, NUL and unknown names around data fields',
    bytes: ['data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n'],
    events: [{ data: '\0\n 2\n1\n3\n\n4' }],
  },
  { name: 'a retry field with a leading zero', bytes: ['retry:03000\ndata:x\n\n'], events: [{ data: 'x' }] },
  { name: 'a retry field that is not a number', bytes: ['retry:3000\nretry:1000x\ndata:x\n\n'], events: [{ data: 'x' }] },
  { name: 'a retry field without a value', bytes: ['retry\ndata:test\n\n'], events: [{ data: 'test' }] },
  {
    name: 'unknown fields between data fields',
    bytes: ['data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n'],
    events: [{ data: 'test\n\ntest' }],
    comments: ['thisisacommentyay'],
  },
  {
    name: 'one leading space that is dropped and a tab that is kept',
    bytes: ['data:\ttest\rdata: \ndata:test\n\n'],
    events: [{ data: '\ttest\n\ntest' }],
  },
  {
    name: 'a last line that ends with a bare CR',
    bytes: ['data:test\r\ndata\ndata:test\r\n\r'],
    events: [{ data: 'test\n\ntest' }],
  },
  { name: 'NUL as data', bytes: ['data:\0\n\n'], events: [{ data: '\0' }] },
  { name: 'data beyond ASCII', bytes: ['data:ok', { hex: 'E2 80 A6' }, '\n\n'], events: [{ data: 'ok…' }] },
  {
    name: 'mixed CR and LF',
    bytes: ['data: A\r\ndata: B\r\ndata: C\r\n\r\ndata: D\r\rdata: E\n\r\n'],
    events: [{ data: 'A\nB\nC' }, { data: 'D' }, { data: 'E' }],
  },
  {
    name: 'an emoji family and CJK',
    bytes: ['data: 👩‍👩‍👧‍👦é漢\n\n'],
    events: [{ data: '👩‍👩‍👧‍👦é漢' }],
  },
  {
    name: 'a stream that ends inside a character',
    bytes: ['data: a\n\ndata: b', { hex: 'F0 9F 91' }],
    events: [{ data: 'a' }, { data: 'b\uFFFD', unterminated: true }],
  },
  {
    name: 'bytes that are not UTF-8, decoded as replacement characters',
    bytes: ['data: a', { hex: 'FF C3 28' }, 'b\n\ndata: c\n\n'],
    events: [{ data: 'a\uFFFD\uFFFD(b' }, { data: 'c' }],
  },
  {
    name: 'U+2028, U+2029 and U+0085, which are not line ends',
    bytes: ['data: a', { hex: 'E2 80 A8' }, 'b', { hex: 'E2 80 A9' }, 'c', { hex: 'C2 85' }, 'd\n\n'],
    events: [{ data: 'a\u2028b\u2029c\u0085d' }],
  },
  { name: 'no space after the colon', bytes: ['data:{}\n\ndata:[DONE]\n\n'], events: [{ data: '{}' }, { data: '[DONE]' }] },
  {
    name: 'keep-alive comments',
    bytes: [': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\ndata: a\n\n'],
    events: [{ data: 'a' }],
    comments: ['OPENROUTER PROCESSING', 'OPENROUTER PROCESSING'],
  },
  {
    name: 'two events joined by a missing blank line',
    bytes: ['data: {"a":1}\ndata: {"b":2}\n\n'],
    events: [{ data: '{"a":1}\n{"b":2}' }],
  },
  {
    name: 'a complete last line without its blank line',
    bytes: ['data: a\n\nevent: x\ndata: b\n'],
    events: [{ data: 'a' }, { data: 'b', event: 'x', unterminated: true }],
  },
  { name: 'a last line that ends with CR without its blank line', bytes: ['data: a\r\rdata: b\r'], events: [{ data: 'a' }, { data: 'b', unterminated: true }] },
  {
    name: 'a stream that begins with blank lines and an unknown field',
    bytes: ['\r\n\n  \nx-note: hello\ndata: a\n\n'],
    events: [{ data: 'a' }],
  },
  { name: 'a stream of comments only', bytes: [': a\n\n:b'], events: [], comments: ['a', 'b'] },
  { name: 'the three Latin-1 characters of a byte order mark, read as text', bytes: [':\n\nï»¿data: a\n\ndata: b\n\n'], events: [{ data: 'b' }], comments: [''] },
];
