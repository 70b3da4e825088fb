import type { ModelTree } from './model-tree.ts';

/** Reasons why a message, or the rest of one, is not drawn as Markdown. */
export const PLAIN_NOTES = {
  tooComplex:
    'Shown as plain text: the Markdown is nested too deeply, too long in one line, or too repetitive.',
  tooLong: 'The rest is shown as plain text: this message is too long for Markdown.',
};
// A growing text is laid out as a whole on each append, so plain text is split at line ends or, failing that, anywhere.
const MAX_PIECE_CHARS = 2_000;
const MAX_PIECE_LINES = 100;

/** Shows plain lines below a note, for text that is not drawn as Markdown. */
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

  /** Returns the line end to split at: the last one that fits into the piece. */
  #findLineEnd(text: string, from: number, remainingChars: number): number {
    let lineEnd = text.indexOf('\n', from);
    for (; lineEnd >= 0 && lineEnd - from < remainingChars - 500; lineEnd = text.indexOf('\n', lineEnd + 1)) {
      this.#pieceLineCount += 1;
      if (this.#pieceLineCount >= MAX_PIECE_LINES) break;
    }
    return lineEnd;
  }
}

/** Restores the lines from these pieces: a piece shorter than the maximum ended with its line. */
export function joinPlainLines(pieces: readonly string[]): string {
  return pieces.map((piece) => (piece.length < MAX_PIECE_CHARS ? `${piece}\n` : piece)).join('');
}
