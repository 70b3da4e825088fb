import { detached } from '../lib/detached.ts';
import { createLongWordSearch } from '../lib/long-word.ts';
import { decorations } from './decorations.ts';
import { DomWriter } from './dom-writer.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { runInSlices } from './run-in-slices.ts';

// A longer message is compared with its complete parse in small tasks of their own, after its last words are on screen:
// the parse takes about a millisecond for every thousand characters, and lanes end together.
const LONGEST_AT_ONCE = 2_000;

// So many characters before the place where a text goes on tell that it is the same text.
const COMPARED = 64;

/** The body of one message in the DOM: given the text so far, it draws what is new. */
export class MarkdownBody {
  readonly #container: HTMLElement;
  #writer: DomWriter;
  #stream: MarkdownStream;
  #hasLongWord = createLongWordSearch();
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
    if (text.length > this.#text.length) this.#append(detached(text.slice(this.#text.length)));
    this.#text = text;
    if (!live && !this.#finished) this.#finish();
    this.#writer.showCaret(caret);
  }

  #append(piece: string): void {
    if (this.#hasLongWord(piece)) this.#container.classList.add('unbroken');
    this.#stream.append(piece);
  }

  #finish(): void {
    const stream = this.#stream;
    this.#finished = true;
    stream.finish();
    if (stream.length <= LONGEST_AT_ONCE) stream.reconcile();
    else runInSlices(stream.reconcileSteps(), () => stream === this.#stream);
  }

  clear(): void {
    this.#container.replaceChildren();
    this.#writer = new DomWriter(this.#container, decorations);
    this.#stream = new MarkdownStream(this.#writer);
    this.#hasLongWord = createLongWordSearch();
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
