import type { ModelTree } from './model-tree.ts';

/** Why a message, or the rest of one, is not drawn as markdown. */
export const PLAIN_NOTES = {
  tooMuch:
    'This message is shown as plain text: its markdown is nested too deeply, has too much in one line, or repeats too much.',
  tooLong: 'The rest of this message is shown as plain text: it is too long to show all of it as markdown.',
};
// One growing text costs layout for all of it at each append, so plain text is cut at line ends, or at worst anywhere.
const LONGEST_PIECE = 2_000;
const MOST_LINES = 100;

/** Plain lines with a note above them, for what is not drawn as markdown. */
export class PlainText {
  readonly #tree: ModelTree;
  #length = 0;
  #lines = 0;

  constructor(tree: ModelTree, note: string) {
    this.#tree = tree;
    tree.open('note', {});
    tree.text(note);
    tree.close();
    tree.open('plain', {});
  }

  append(text: string): void {
    let from = 0;
    while (from < text.length) {
      const room = LONGEST_PIECE - this.#length;
      const lineEnd = this.#lineEndIn(text, from, room);
      const end = lineEnd >= 0 && lineEnd - from < room ? lineEnd + 1 : Math.min(text.length, from + room);
      this.#tree.text(text.slice(from, end).replace(/\n$/, end === lineEnd + 1 ? '' : '\n'));
      this.#length += end - from;
      from = end;
      if (end === lineEnd + 1 || this.#length >= LONGEST_PIECE) {
        this.#tree.close();
        this.#tree.open('plain', {});
        this.#length = 0;
        this.#lines = 0;
      }
    }
  }

  /** The line end to cut at: late in what there is room for, or that of the last line that a piece may have. */
  #lineEndIn(text: string, from: number, room: number): number {
    let at = text.indexOf('\n', from);
    for (; at >= 0 && at - from < room - 500; at = text.indexOf('\n', at + 1)) {
      this.#lines += 1;
      if (this.#lines >= MOST_LINES) break;
    }
    return at;
  }
}

/** The lines that these pieces were cut from: what is shorter than a full piece ended with its line. */
export function joinedPlain(pieces: readonly string[]): string {
  return pieces.map((piece) => (piece.length < LONGEST_PIECE ? `${piece}\n` : piece)).join('');
}
