import { appScriptUrl } from '../../ui/app-script-url.ts';
import { hiddenCount } from '../tree/hidden-characters.ts';
import { element } from './dom-elements.ts';
import { nextBatch } from './highlight-batch.ts';
import type { HighlightReply, HighlightRequest, TokenRuns } from './highlight-tokens.ts';
import { TOKEN_KINDS } from './highlight-tokens.ts';

interface Block {
  language: string;
  elements: HTMLElement[];
  lines: string[];
  /** What each line's colours are, to see whether the last look at the whole block changes one. */
  drawn: string[];
  done: number;
  closed: boolean;
  /** The whole of a closed block was coloured in one piece, or will not be. */
  settled: boolean;
}

const FRAME_BUDGET_MS = 4;
// A grammar that takes longer is caught in a pattern made for it: the block stays without colours.
const PATIENCE_MS = 3_000;
const LONGEST_LINE = 2_000;
const MOST_LINES_AT_ONCE = 1_500;

/**
 * Colours code in a worker: whole lines, once each, those on screen first, applied inside a frame's budget. Without a
 * worker, or for a language it does not know, code keeps the colour of text.
 */
export class Highlighter {
  readonly #blocks = new WeakMap<Element, Block>();
  readonly #visible = new Map<Element, Block>();
  readonly #observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: '600px' });
  readonly #changes: (() => void)[] = [];
  readonly #address: string;
  #worker: Worker | undefined;
  #asked: { id: number; block: Block; from: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  #frame = 0;

  /** `address`: where the worker's script is. */
  constructor(address: string) {
    this.#address = address;
  }

  /** A line of a code block is complete. */
  addLine(code: HTMLElement, language: string, line: HTMLElement): void {
    let block = this.#blocks.get(code);
    if (block === undefined) {
      block = {
        language,
        elements: [],
        lines: [],
        drawn: [],
        done: 0,

        closed: false,
        settled: false,
      };
      this.#blocks.set(code, block);
      this.#observer.observe(code);
    }
    const text = (line.textContent ?? '').replace(/\n$/, '');
    block.elements.push(line);
    block.lines.push(text.length > LONGEST_LINE ? '' : text);
    this.#ask();
  }

  /** No more lines come. */
  closeBlock(code: HTMLElement): void {
    const block = this.#blocks.get(code);
    if (block === undefined) return;
    block.closed = true;
    this.#ask();
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const block = this.#blocks.get(entry.target);
      if (block === undefined) this.#observer.unobserve(entry.target);
      else if (entry.isIntersecting) this.#visible.set(entry.target, block);
      else this.#visible.delete(entry.target);
    }
    this.#ask();
  }

  #forget(code: Element): void {
    this.#observer.unobserve(code);
    this.#visible.delete(code);
  }

  #ask(): void {
    if (this.#asked !== undefined) return;
    for (const [code, block] of this.#visible) {
      if (block.done < block.lines.length) return this.#askForLines(block);
      if (block.closed && !block.settled) return this.#askForWhole(block);
      if (block.closed) this.#forget(code);
    }
  }

  #askForLines(block: Block): void {
    const whole = block.closed && block.done === 0 && block.lines.length <= MOST_LINES_AT_ONCE;
    const { start, from, end } = whole
      ? { start: 0, from: 0, end: block.lines.length }
      : nextBatch(block.lines, block.done);
    block.settled ||= whole;
    this.#post(block, block.lines.slice(start, end), from - start, from);
  }

  /** What reached over many lines may have been coloured without its beginning: one look at all of it, if it is not huge. */
  #askForWhole(block: Block): void {
    block.settled = true;
    if (block.lines.length <= MOST_LINES_AT_ONCE) this.#post(block, block.lines, 0, 0);
    else this.#ask();
  }

  #post(block: Block, lines: string[], from: number, firstLine: number): void {
    this.#lastId += 1;
    this.#asked = { id: this.#lastId, block, from: firstLine };
    const request: HighlightRequest = { id: this.#lastId, language: block.language, lines, from };
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(request, []);
    this.#timer = setTimeout(() => this.#giveUp(), PATIENCE_MS);
  }

  #startWorker(): Worker {
    const worker = new Worker(appScriptUrl(this.#address), { type: 'module' });
    worker.addEventListener('message', (event: MessageEvent<HighlightReply>) => this.#take(event.data));
    worker.addEventListener('error', () => this.#giveUp());
    return worker;
  }

  #stopWorker(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#asked = undefined;
  }

  #giveUp(): void {
    const block = this.#asked?.block;
    this.#stopWorker();
    if (block !== undefined) this.#leave(block);
    this.#ask();
  }

  #leave(block: Block): void {
    for (const [code, each] of this.#visible) if (each === block) this.#forget(code);
  }

  #take(reply: HighlightReply): void {
    const asked = this.#asked;
    if (asked === undefined || asked.id !== reply.id) return;
    clearTimeout(this.#timer);
    this.#asked = undefined;
    if (reply.runs === undefined) this.#leave(asked.block);
    else this.#plan(asked.block, asked.from, reply.runs);
    this.#ask();
  }

  #plan(block: Block, from: number, runs: readonly TokenRuns[]): void {
    block.done = Math.max(block.done, from + runs.length);
    runs.forEach((run, offset) => {
      const line = block.elements[from + offset];
      const key = run.join();
      if (line === undefined || (block.drawn[from + offset] ?? '') === key) return;
      block.drawn[from + offset] = key;
      this.#changes.push(() => colourLine(line, run));
    });
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#apply());
  }

  #apply(): void {
    this.#frame = 0;
    const end = performance.now() + FRAME_BUDGET_MS;
    let done = 0;
    while (done < this.#changes.length && performance.now() < end) {
      this.#changes[done]?.();
      done += 1;
    }
    this.#changes.splice(0, done);
    if (this.#changes.length > 0) this.#frame = requestAnimationFrame(() => this.#apply());
  }
}

/** Gives a line its colours. Text of the default colour gets no element; the characters stay what they were. */
function colourLine(line: HTMLElement, runs: TokenRuns): void {
  const text = line.textContent ?? '';
  if (!line.isConnected || hiddenCount(text) > 0) return;
  const pieces: (string | HTMLElement)[] = [];
  let from = 0;
  for (let index = 0; index < runs.length; index += 2) {
    const kind = TOKEN_KINDS[runs[index] ?? 0];
    const to = from + (runs[index + 1] ?? 0);
    const piece = text.slice(from, to);
    if (kind === undefined || kind === 'text') pieces.push(piece);
    else {
      const span = element('span', `md-token-${kind}`);
      span.textContent = piece;
      pieces.push(span);
    }
    from = to;
  }
  line.replaceChildren(...pieces, text.slice(from));
}
