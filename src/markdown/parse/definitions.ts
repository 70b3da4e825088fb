import type { Leaf } from './leaves.ts';

/** A link definition as written, without unescaping. */
export interface Definition {
  label: string;
  href: string;
  title: string | undefined;
}

const LABEL_AND_TARGET =
  /\[((?:\\[^]|[^[\]\\]){1,999})\]:[ \t]*(?:\n[ \t]*)?(?:<((?:\\.|[^<>\\\n])*)>|([^\s<]\S*))/y;
const TITLE =
  /(?:[ \t]+|[ \t]*\n[ \t]*)(?:"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)'|\(((?:\\[^]|[^()\\])*)\))[ \t]*(?:\n|$)/y;
const OPEN_TITLE =
  /(?:[ \t]+|[ \t]*\n[ \t]*)(?:"(?:\\[^]|[^"\\])*|'(?:\\[^]|[^'\\])*|\((?:\\[^]|[^()\\])*)$/y;
const LINE_END = /[ \t]*(?:\n|$)/y;
const OPEN_LABEL = /\[(?:\\[^]|[^[\]\\]){0,999}(?:\]:[ \t]*)?$/y;

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

/**
 * Returns the definitions at the start of a paragraph (CommonMark §4.7), up to `end`. `canContinue` means that the
 * rest, possibly empty, can become a definition with another line. With `isComplete`, no other line follows.
 */
export function readDefinitions(
  text: string,
  isComplete: boolean,
): { definitions: Definition[]; end: number; canContinue: boolean } {
  const definitions: Definition[] = [];
  let end = 0;
  for (;;) {
    const match = matchAt(LABEL_AND_TARGET, text, end);
    const label = match?.[1] ?? '';
    if (match === null || label.trim() === '')
      return {
        definitions,
        end,
        canContinue: !isComplete && (end === text.length || matchAt(OPEN_LABEL, text, end) !== null),
      };
    if (!hasPairedParentheses(match[3] ?? '')) return { definitions, end, canContinue: false };
    const targetEnd = end + match[0].length;
    const title = matchAt(TITLE, text, targetEnd);
    if (title === null && !isComplete && matchAt(OPEN_TITLE, text, targetEnd) !== null)
      return { definitions, end, canContinue: true };
    const endMatch = title ?? matchAt(LINE_END, text, targetEnd);
    if (endMatch === null) return { definitions, end, canContinue: false };
    const definitionEnd = targetEnd + endMatch[0].length;
    // The next line may contain the title.
    if (title === null && !isComplete && definitionEnd === text.length)
      return { definitions, end, canContinue: true };
    definitions.push({
      label,
      href: match[2] ?? match[3] ?? '',
      title: title?.[1] ?? title?.[2] ?? title?.[3],
    });
    end = definitionEnd;
  }
}

/** Without angle brackets, the unescaped parentheses of a URL must be balanced (CommonMark §6.3). */
function hasPairedParentheses(address: string): boolean {
  let depth = 0;
  for (const [mark] of address.matchAll(/\\.|[()]/g)) {
    if (mark === '(') depth += 1;
    if (mark === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The beginning of a paragraph while it contains only definitions. It is not in the tree. */
export class DefinitionLeaf implements Leaf {
  #lines: string[] = [];

  /** Text that was not parsed as a definition. */
  get text(): string {
    return this.#lines.join('\n');
  }

  add(text: string): void {
    this.#lines.push(text);
  }

  /** Removes the definitions from the text and returns them. */
  takeDefinitions(isComplete: boolean): { definitions: Definition[]; canContinue: boolean } {
    const { text } = this;
    const { definitions, end, canContinue } = readDefinitions(text, isComplete);
    this.#lines = end === text.length ? [] : text.slice(end).split('\n');
    return { definitions, canContinue };
  }

  endLine(): void {}

  draw(): void {}

  finish(): void {}
}
