import { describe, expect, it } from 'vitest';

import { sniff } from './sniff.ts';

describe('sniff', () => {
  it.each([
    ['data: x', 'events'],
    ['data:', 'events'],
    ['data\n', 'events'],
    ['\r\n\n: ping', 'events'],
    ['id\r', 'events'],
    ['retry: 5', 'events'],
    ['x-note: 1\nevent: y', 'events'],
    ['{"a":1}', 'body'],
    [' \n[1]', 'body'],
    ['<html>', 'body'],
    ['"x"', 'body'],
    ['', 'undecided'],
    ['\n \t', 'undecided'],
    ['data', 'undecided'],
    ['dat', 'undecided'],
    ['Internal Server Error', 'undecided'],
    [`${'x'.repeat(5000)}\ndata: y`, 'body'],
    [' '.repeat(5000), 'body'],
  ])('of %j is %s', (text, kind) => {
    expect(sniff(text)).toBe(kind);
  });
});
