import { describe, expect, it } from 'vitest';

import { TOKEN_KINDS, getNextBatch, splitRunsByLine, getTokenKindIndex } from './draw/highlight-tokens.ts';

describe('runs of highlighted lines', () => {
  it('splits spans at line ends and joins adjacent spans of the same kind', () => {
    const keyword = TOKEN_KINDS.indexOf('keyword');
    const string = TOKEN_KINDS.indexOf('string');
    const spans = [
      { kind: keyword, text: 'const' },
      { kind: 0, text: ' a' },
      { kind: 0, text: ' = ' },
      { kind: string, text: '`one\ntwo`' },
      { kind: 0, text: ';\n\nplain' },
    ];
    expect(splitRunsByLine(spans)).toEqual([[keyword, 5, 0, 5, string, 4], [string, 4, 0, 1], [], []]);
  });

  it('maps highlight.js scopes that have a colour and treats all others as text', () => {
    expect(getTokenKindIndex('hljs-keyword')).toBe(TOKEN_KINDS.indexOf('keyword'));
    expect(getTokenKindIndex('hljs-params')).toBeUndefined();
    expect(getTokenKindIndex('hljs-__proto__')).toBeUndefined();
  });
});

describe('next batch of lines', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    index % 10 === 0 ? 'function f() {' : '  body();',
  );

  it('requests each line once, with only a few additional lines as context', () => {
    let doneCount = 0;
    let sentCount = 0;
    for (let lineCount = 7; lineCount <= lines.length; lineCount += 7) {
      const { start, firstLine, end } = getNextBatch(lines.slice(0, lineCount), doneCount);
      expect(firstLine).toBe(doneCount);
      sentCount += end - start;
      doneCount = end;
    }
    expect(doneCount).toBe(lines.length - (lines.length % 7));
    expect(sentCount).toBeLessThan(lines.length * 5);
  });

  it('starts a batch at a nearby line without indentation and never far back', () => {
    expect(getNextBatch(lines, 25)).toEqual({ start: 10, firstLine: 25, end: 425 });
    const indentedLines = Array.from({ length: 1_000 }, () => '    deep();');
    expect(getNextBatch(indentedLines, 900).start).toBe(820);
  });
});
