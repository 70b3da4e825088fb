import { describe, expect, it } from 'vitest';

import { detectResponseKind } from './response-kind.ts';

describe('detectResponseKind', () => {
  it('detects events and bodies by their first characters, and stays undecided while these are ambiguous', () => {
    const rows = [
      ['data: x', 'events'],
      ['data:', 'events'],
      ['data\n', 'events'],
      ['\r\n\n: ping', 'events'],
      ['id\r', 'events'],
      ['retry: 5', 'events'],
      ['x-note: 1\nevent: y', 'events'],
      ['{"a":1}', 'undecided'],
      [' \n[1]', 'undecided'],
      ['{"meta":1}\n\ndata: x', 'events'],
      [`{"a":"${'x'.repeat(5000)}"}`, 'body'],
      ['<html>', 'undecided'],
      ['<html>\n:x\nid: 1\n', 'undecided'],
      [`<p>${'x'.repeat(5000)}`, 'body'],
      ['<html>\n\ndata: {"a":1}', 'events'],
      ['"x"', 'undecided'],
      ['', 'undecided'],
      ['\n \t', 'undecided'],
      ['data', 'undecided'],
      ['dat', 'undecided'],
      ['Internal Server Error', 'undecided'],
      [`${'x'.repeat(5000)}\ndata: y`, 'body'],
      ['x'.repeat(5000), 'body'],
      [`${'\n'.repeat(5000)}data: y`, 'events'],
      ['\n'.repeat(5000), 'undecided'],
      ['\n'.repeat(65_535), 'undecided'],
      ['\n'.repeat(65_536), 'body'],
      ['x'.repeat(4095), 'undecided'],
      ['x'.repeat(4096), 'body'],
      ['"\nid: 1\n', 'undecided'],
      ['"\ndata: ', 'undecided'],
      ['"\ndata: "word"', 'undecided'],
      ['"\ndata: \n', 'events'],
      ['"\ndata: {', 'events'],
    ] as const;
    expect(rows.map(([text]) => [text, detectResponseKind(text)])).toEqual(rows);
  });
});
