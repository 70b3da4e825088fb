import type { ModelTree } from './model-tree.ts';

/** Why a message, or the rest of one, is not drawn as markdown. */
export const PLAIN_NOTES = {
  tooComplex:
    'Shown as plain text: the Markdown is nested too deeply, too long in one line, or too repetitive.',
  tooLong: 'The rest is shown as plain text: this message is too long for Markdown.',
};
// One growing text costs layout for all of it at each append, so plain text is cut at line ends, or at worst anywhere.
const MAX_PIECE_CHARS = 2_000;
const MAX_PIECE_LINES = 100;

/** Plain lines with a note above them, for what is not drawn as markdown. */
export class PlainText {
  readonly #tree: ModelTree;
  #pieceLength = 0;
  #pieceLineCount = 0;

  constructor(tree: ModelTree, note: string) {
    this.#tree = tree;
    tree.open('note', {});
    tree.appendText(note);
    tree.close();
    tree.open('plain', {});
  }

  append(text: string): void {
    let offset = 0;
    while (offset < text.length) {
      const remainingChars = MAX_PIECE_CHARS - this.#pieceLength;
      const lineEnd = this.#findLineEnd(text, offset, remainingChars);
      const end =
        lineEnd >= 0 && lineEnd - offset < remainingChars
          ? lineEnd + 1
          : Math.min(text.length, offset + remainingChars);
      this.#tree.appendText(text.slice(offset, end).replace(/\n$/, end === lineEnd + 1 ? '' : '\n'));
      this.#pieceLength += end - offset;
      offset = end;
      if (end === lineEnd + 1 || this.#pieceLength >= MAX_PIECE_CHARS) {
        this.#tree.close();
        this.#tree.open('plain', {});
        this.#pieceLength = 0;
        this.#pieceLineCount = 0;
      }
    }
  }

  /** The line end to cut at: late in what there is room for, or that of the last line that a piece may have. */
  #findLineEnd(text: string, from: number, remainingChars: number): number {
    let lineEnd = text.indexOf('\n', from);
    for (; lineEnd >= 0 && lineEnd - from < remainingChars - 500; lineEnd = text.indexOf('\n', lineEnd + 1)) {
      this.#pieceLineCount += 1;
      if (this.#pieceLineCount >= MAX_PIECE_LINES) break;
    }
    return lineEnd;
  }
}

/** The lines that these pieces were cut from: what is shorter than a full piece ended with its line. */
export function joinPlainLines(pieces: readonly string[]): string {
  return pieces.map((piece) => (piece.length < MAX_PIECE_CHARS ? `${piece}\n` : piece)).join('');
}
