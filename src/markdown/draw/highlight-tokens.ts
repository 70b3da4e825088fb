/** Kinds of code tokens, each with a colour; everything else has the text colour. */
export const TOKEN_KINDS = [
  'text',
  'keyword',
  'string',
  'number',
  'comment',
  'name',
  'type',
  'attribute',
  'added',
  'removed',
] as const;

/** Colours of a line, as alternating kinds (index of TOKEN_KINDS) and lengths. Empty if the whole line is text. */
export type TokenRuns = number[];

/** Request to the worker: highlight `lines`, the first `contextLineCount` of which are only context. */
export interface HighlightRequest {
  id: number;
  language: string;
  lines: string[];
  contextLineCount: number;
}

/** Reply from the worker: the runs of each line after the context; `undefined` for an unknown language. */
export interface HighlightReply {
  id: number;
  runs: TokenRuns[] | undefined;
}

const KINDS_BY_SCOPE = new Map<string, (typeof TOKEN_KINDS)[number]>(
  Object.entries({
    keyword: 'keyword',
    'selector-tag': 'keyword',
    tag: 'keyword',
    section: 'keyword',
    literal: 'number',
    number: 'number',
    bullet: 'number',
    string: 'string',
    regexp: 'string',
    link: 'string',
    quote: 'comment',
    comment: 'comment',
    doctag: 'comment',
    meta: 'comment',
    title: 'name',
    function: 'name',
    name: 'name',
    'selector-class': 'name',
    'selector-id': 'name',
    built_in: 'type',
    type: 'type',
    class: 'type',
    symbol: 'type',
    attr: 'attribute',
    attribute: 'attribute',
    property: 'attribute',
    variable: 'attribute',
    'template-variable': 'attribute',
    addition: 'added',
    deletion: 'removed',
  } as const),
);

/** Returns the kind for a scope of highlight.js ("hljs-title"), or undefined if it has no colour. */
export function getTokenKindIndex(scope: string): number | undefined {
  const kind = KINDS_BY_SCOPE.get(scope.replace(/^hljs-/, ''));
  return kind === undefined ? undefined : TOKEN_KINDS.indexOf(kind);
}

/** One span of highlighted code; its text may contain line ends. */
export interface HighlightSpan {
  kind: number;
  text: string;
}

/** Splits highlighted code into the runs of each line. */
export function splitRunsByLine(spans: readonly HighlightSpan[]): TokenRuns[] {
  const lines: TokenRuns[] = [];
  let line: TokenRuns = [];
  for (const { kind, text } of spans) {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) {
        lines.push(line);
        line = [];
      }
      if (piece.length === 0) return;
      if (line.at(-2) === kind) line.push((line.pop() ?? 0) + piece.length);
      else line.push(kind, piece.length);
    });
  }
  lines.push(line);
  return lines.map((runs) => (runs.length === 2 && runs[0] === 0 ? [] : runs));
}

// A statement rarely reaches back further than this; longer comments or strings are corrected when the block ends.
const MAX_CONTEXT_LINES = 80;
const MIN_CONTEXT_LINES = 8;
const MAX_NEW_LINES = 400;

/** Lines of one request: context from `start`, lines to highlight from `firstLine` to before `end`. */
interface HighlightBatch {
  start: number;
  firstLine: number;
  end: number;
}

/**
 * Returns the next lines to highlight after `doneCount` finished lines: whole lines, each only once. Highlighting
 * starts some lines earlier, if possible at a line without indentation, to include open constructs.
 */
export function getNextBatch(lines: readonly string[], doneCount: number): HighlightBatch {
  const end = Math.min(lines.length, doneCount + MAX_NEW_LINES);
  const minStart = Math.max(0, doneCount - MAX_CONTEXT_LINES);
  let start = Math.max(0, doneCount - MIN_CONTEXT_LINES);
  while (start > minStart && /^\s|^$|^[)}\]]/.test(lines[start] ?? '')) start -= 1;
  return { start, firstLine: doneCount, end };
}
