import { describe, expect, it } from 'vitest';

import { nextBatch } from './draw/highlight-batch.ts';
import { TOKEN_KINDS, runsOfLines, tokenKindOf } from './draw/highlight-tokens.ts';

describe('runs of coloured lines', () => {
  it('cuts stretches at line ends and joins neighbours of one kind', () => {
    const keyword = TOKEN_KINDS.indexOf('keyword');
    const string = TOKEN_KINDS.indexOf('string');
    const stretches = [
      { kind: keyword, text: 'const' },
      { kind: 0, text: ' a' },
      { kind: 0, text: ' = ' },
      { kind: string, text: '`one\ntwo`' },
      { kind: 0, text: ';\n\nplain' },
    ];
    expect(runsOfLines(stretches)).toEqual([[keyword, 5, 0, 5, string, 4], [string, 4, 0, 1], [], []]);
  });

  it('knows the scopes of highlight.js that have a colour, and leaves the rest as text', () => {
    expect(tokenKindOf('hljs-keyword')).toBe(TOKEN_KINDS.indexOf('keyword'));
    expect(tokenKindOf('hljs-params')).toBeUndefined();
    expect(tokenKindOf('hljs-__proto__')).toBeUndefined();
  });
});

describe('the lines asked for next', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    index % 10 === 0 ? 'function f() {' : '  body();',
  );

  it('asks for each line once, and for few more as context', () => {
    let done = 0;
    let sent = 0;
    for (let known = 7; known <= lines.length; known += 7) {
      const { start, from, end } = nextBatch(lines.slice(0, known), done);
      expect(from).toBe(done);
      sent += end - start;
      done = end;
    }
    expect(done).toBe(lines.length - (lines.length % 7));
    expect(sent).toBeLessThan(lines.length * 5);
  });

  it('begins at a line without indent where one is near, and never goes far back', () => {
    expect(nextBatch(lines, 25)).toEqual({ start: 10, from: 25, end: 425 });
    const deep = Array.from({ length: 1_000 }, () => '    deep();');
    expect(nextBatch(deep, 900).start).toBe(820);
  });
});
