import { createLongWordDetector } from '../../lib/text/long-word.ts';
import { MarkdownStream } from '../tree/markdown-stream.ts';
import { DomWriter } from './dom-writer.ts';
import { decorations } from './markdown-decorator.ts';
import { runInSlices } from './run-in-slices.ts';

// The blocks of a longer message that its end resolves are read again in small tasks of their own: lanes end together.
const LONGEST_AT_ONCE = 2_000;

// What comes at once and takes longer is read on in small tasks: a whole answer, or a stored one. How many characters
// that are differs a hundredfold, by what they draw.
const AT_ONCE_MS = 30;
const CHARACTERS_A_STEP = 2_000;

// So many characters before the place where a text goes on tell that it is the same text.
const COMPARED = 64;

/** The body of one message in the DOM: given the text so far, it draws what is new. */
export class MarkdownBody {
  readonly #container: HTMLElement;
  #writer: DomWriter;
  #stream: MarkdownStream;
  #hasLongWord = createLongWordDetector();
  /** Taken, and not read yet. */
  #unread = '';
  #text = '';
  #live = true;
  #caret = false;
  #finished = false;

  constructor(container: HTMLElement) {
    this.#container = container;
    this.#writer = new DomWriter(container, decorations);
    this.#stream = new MarkdownStream(this.#writer);
  }

  /** `text` is the whole text so far. While it only grows, what is drawn and closed is left alone. */
  update(text: string, live: boolean, caret: boolean): void {
    if (
      text.length === this.#text.length &&
      live === this.#live &&
      caret === this.#caret &&
      text === this.#text
    )
      return;
    if (!this.#continues(text, live)) this.clear();
    this.#live = live;
    this.#caret = caret;
    this.#writer.showCaret(false);
    const isReading = this.#unread !== '';
    this.#unread += detached(text.slice(this.#text.length));
    this.#text = text;
    if (isReading) return;
    const end = performance.now() + AT_ONCE_MS;
    do this.#readOn();
    while (this.#unread !== '' && performance.now() < end);
    this.#writer.showCaret(caret);
    const stream = this.#stream;
    if (this.#unread !== '') runInSlices(this.#readSteps(), () => stream === this.#stream);
  }

  *#readSteps(): Generator<void, void> {
    while (this.#unread !== '') {
      this.#writer.showCaret(false);
      this.#readOn();
      this.#writer.showCaret(this.#caret);
      yield;
    }
  }

  /** Draws a step of what is unread; after the last of all, whether more will come. */
  #readOn(): void {
    const isPair = /[\ud800-\udbff]/.test(this.#unread.charAt(CHARACTERS_A_STEP - 1));
    const piece = this.#unread.slice(0, isPair ? CHARACTERS_A_STEP + 1 : CHARACTERS_A_STEP);
    this.#unread = this.#unread.slice(piece.length);
    if (piece !== '') this.#append(piece);
    if (this.#unread === '' && !this.#live && !this.#finished) this.#finish();
  }

  #append(piece: string): void {
    if (this.#hasLongWord(piece)) this.#container.classList.add('unbroken');
    this.#stream.append(piece);
  }

  #finish(): void {
    const stream = this.#stream;
    this.#finished = true;
    stream.finish();
    if (stream.length <= LONGEST_AT_ONCE) stream.resolve();
    else runInSlices(stream.resolveSteps(), () => stream === this.#stream);
  }

  clear(): void {
    this.#container.replaceChildren();
    this.#writer = new DomWriter(this.#container, decorations);
    this.#stream = new MarkdownStream(this.#writer);
    this.#unread = '';
    this.#hasLongWord = createLongWordDetector();
    this.#container.classList.remove('unbroken');
    this.#text = '';
    this.#caret = false;
    this.#finished = false;
  }

  #continues(text: string, live: boolean): boolean {
    if (this.#finished) return !live && text === this.#text;
    if (text.length < this.#text.length) return false;
    // Comparing all of it at each frame would cost more the longer it is; the end of a text tells it from another.
    const from = this.#text.length - COMPARED;
    return text.startsWith(this.#text.slice(Math.max(0, from)), Math.max(0, from));
  }
}

/**
 * The same text in memory of its own. V8 cuts by pointing into the text that was cut, so a short piece that is kept
 * keeps all of that alive: with one piece a frame, a growing text as often as there were frames.
 */
function detached(text: string): string {
  // Joined, it is a new text as soon as it is cut again.
  return ` ${text}`.slice(1);
}
