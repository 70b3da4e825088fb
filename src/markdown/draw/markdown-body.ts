import { createSharedTask } from '../../lib/shared-task.ts';
import { createLongWordDetector } from '../../lib/text/long-word.ts';
import { MarkdownStream } from '../tree/markdown-stream.ts';
import { DomWriter, type Decorator } from './dom-writer.ts';
import type { Highlighter } from './highlighter.ts';
import { renderMathInto } from './math-view.ts';
import { runInSlices } from './run-in-slices.ts';

// In longer messages, blocks that are resolved by the end of the text are parsed again in small tasks, since several
// lanes may end together.
const MAX_SYNC_RESOLVE_CHARS = 2_000;

// Text that takes longer than this to draw, such as a whole or stored answer, continues in small tasks. The number of
// characters per ms varies a hundredfold with the content.
const MAX_SYNC_MS = 30;
const CHARS_PER_STEP = 2_000;

// Number of characters compared before the continuation to confirm that the text is the same.
const COMPARED_CHARS = 64;

/** Draws one message in the DOM: given the text so far, adds only the new part. */
export class MarkdownBody {
  readonly #container: HTMLElement;
  #writer: DomWriter;
  #stream: MarkdownStream;
  #hasLongWord = createLongWordDetector();
  /** Text that was received but has not been parsed yet. */
  #unread = '';
  #text = '';
  #live = true;
  #hasCaret = false;
  #isFinished = false;

  constructor(container: HTMLElement) {
    this.#container = container;
    this.#writer = new DomWriter(container, markdownDecorator);
    this.#stream = new MarkdownStream(this.#writer);
  }

  /** `text` is the whole text so far. While it only grows, closed content is not touched. */
  update(text: string, isLive: boolean, hasCaret: boolean): void {
    if (
      text.length === this.#text.length &&
      isLive === this.#live &&
      hasCaret === this.#hasCaret &&
      text === this.#text
    )
      return;
    if (!this.#isContinuation(text, isLive)) this.clear();
    this.#live = isLive;
    this.#hasCaret = hasCaret;
    this.#writer.setCaretVisible(false);
    const isReading = this.#unread !== '';
    this.#unread += createDetachedCopy(text.slice(this.#text.length));
    this.#text = text;
    if (isReading) return;
    const deadlineMs = performance.now() + MAX_SYNC_MS;
    do this.#readNextStep();
    while (this.#unread !== '' && performance.now() < deadlineMs);
    this.#writer.setCaretVisible(hasCaret);
    const stream = this.#stream;
    if (this.#unread !== '') runInSlices(this.#readSteps(), () => stream === this.#stream);
  }

  *#readSteps(): Generator<void, void> {
    while (this.#unread !== '') {
      this.#writer.setCaretVisible(false);
      this.#readNextStep();
      this.#writer.setCaretVisible(this.#hasCaret);
      yield;
    }
  }

  /** Draws the next part of the unread text, and the end state after the last part. */
  #readNextStep(): void {
    const isSurrogatePair = /[\ud800-\udbff]/.test(this.#unread.charAt(CHARS_PER_STEP - 1));
    const piece = this.#unread.slice(0, isSurrogatePair ? CHARS_PER_STEP + 1 : CHARS_PER_STEP);
    this.#unread = this.#unread.slice(piece.length);
    if (piece !== '') this.#append(piece);
    if (this.#unread === '' && !this.#live && !this.#isFinished) this.#finish();
  }

  #append(piece: string): void {
    if (this.#hasLongWord(piece)) this.#container.classList.add('unbroken');
    this.#stream.append(piece);
  }

  #finish(): void {
    const stream = this.#stream;
    this.#isFinished = true;
    stream.finish();
    if (stream.length <= MAX_SYNC_RESOLVE_CHARS) stream.resolve();
    else runInSlices(stream.resolveSteps(), () => stream === this.#stream);
  }

  clear(): void {
    this.#container.replaceChildren();
    this.#writer = new DomWriter(this.#container, markdownDecorator);
    this.#stream = new MarkdownStream(this.#writer);
    this.#unread = '';
    this.#hasLongWord = createLongWordDetector();
    this.#container.classList.remove('unbroken');
    this.#text = '';
    this.#hasCaret = false;
    this.#isFinished = false;
  }

  #isContinuation(text: string, isLive: boolean): boolean {
    if (this.#isFinished) return !isLive && text === this.#text;
    if (text.length < this.#text.length) return false;
    // Comparing the whole text in every frame would become slower as it grows; the last characters identify it.
    const compareFrom = this.#text.length - COMPARED_CHARS;
    return text.startsWith(this.#text.slice(Math.max(0, compareFrom)), Math.max(0, compareFrom));
  }
}

/**
 * Copies a text to its own memory. V8 slices point into the original, so a short piece would keep the whole original
 * alive, in each frame of a growing text.
 */
function createDetachedCopy(text: string): string {
  // The concatenation is flattened to a new text by the second slice.
  return ` ${text}`.slice(1);
}

/** The only highlighter of the page, loaded when code first appears. */
const loadHighlighter = createSharedTask(async () => {
  const [{ Highlighter: LoadedHighlighter }, { default: workerUrl }] = await Promise.all([
    import('./highlighter.ts'),
    import('./highlight-worker.ts?worker&url'),
  ]);
  return new LoadedHighlighter(workerUrl);
});

/** If the highlighter cannot be loaded, code stays plain; the next code block tries again. */
function runWithHighlighter(action: (highlighter: Highlighter) => void): void {
  loadHighlighter().then(action, () => undefined);
}

/** Highlights code and renders formulas as MathML, loading both on first use. */
const markdownDecorator: Decorator = {
  onLineClosed(line, code, language) {
    if (language !== undefined)
      runWithHighlighter((highlighter) => highlighter.addLine(code, language, line));
  },
  onCodeClosed(code) {
    runWithHighlighter((highlighter) => highlighter.closeBlock(code));
  },
  onMathClosed: renderMathInto,
};
