import { createScriptUrl } from '../../ui/app-script-url.ts';
import { countHiddenCharacters } from '../tree/hidden-characters.ts';
import { createDomElement } from './dom-elements.ts';
import {
  TOKEN_KINDS,
  getNextBatch,
  type HighlightReply,
  type HighlightRequest,
  type TokenRuns,
} from './highlight-tokens.ts';

interface CodeBlock {
  language: string;
  elements: HTMLElement[];
  lines: string[];
  /** Colours of each line, to detect whether the final pass over the whole block changes any. */
  appliedKeys: string[];
  doneCount: number;
  isClosed: boolean;
  /** True once the closed block has been highlighted as a whole, or if this will not happen. */
  hasFinalPass: boolean;
}

const FRAME_BUDGET_MS = 4;
// A grammar that takes longer is stuck in malicious text, so the block stays without colours.
const WORKER_TIMEOUT_MS = 3_000;
const MAX_LINE_CHARS = 2_000;
const MAX_LINES_PER_REQUEST = 1_500;

/**
 * Highlights code in a worker: whole lines, each once, visible lines first, applied within a frame budget. Without a
 * worker, or for an unknown language, code keeps the text colour.
 */
export class Highlighter {
  readonly #blocks = new WeakMap<Element, CodeBlock>();
  readonly #visibleBlocks = new Map<Element, CodeBlock>();
  readonly #observer = new IntersectionObserver((entries) => this.#updateVisibility(entries), {
    rootMargin: '600px',
  });
  readonly #changes: (() => void)[] = [];
  readonly #workerUrl: string;
  #worker: Worker | undefined;
  #pendingRequest: { id: number; block: CodeBlock; firstLine: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastRequestId = 0;
  #frameId = 0;

  /** `workerUrl` is the URL of the worker script. */
  constructor(workerUrl: string) {
    this.#workerUrl = workerUrl;
  }

  /** Adds a completed line of a code block. */
  addLine(code: HTMLElement, language: string, line: HTMLElement): void {
    let block = this.#blocks.get(code);
    if (block === undefined) {
      block = {
        language,
        elements: [],
        lines: [],
        appliedKeys: [],
        doneCount: 0,

        isClosed: false,
        hasFinalPass: false,
      };
      this.#blocks.set(code, block);
      this.#observer.observe(code);
    }
    const text = (line.textContent ?? '').replace(/\n$/, '');
    block.elements.push(line);
    block.lines.push(text.length > MAX_LINE_CHARS ? '' : text);
    this.#requestNext();
  }

  /** Marks the block as complete. */
  closeBlock(code: HTMLElement): void {
    const block = this.#blocks.get(code);
    if (block === undefined) return;
    block.isClosed = true;
    this.#requestNext();
  }

  #updateVisibility(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const block = this.#blocks.get(entry.target);
      if (block === undefined) this.#observer.unobserve(entry.target);
      else if (entry.isIntersecting) this.#visibleBlocks.set(entry.target, block);
      else this.#visibleBlocks.delete(entry.target);
    }
    this.#requestNext();
  }

  #unobserve(code: Element): void {
    this.#observer.unobserve(code);
    this.#visibleBlocks.delete(code);
  }

  #requestNext(): void {
    if (this.#pendingRequest !== undefined) return;
    for (const [code, block] of this.#visibleBlocks) {
      if (block.doneCount < block.lines.length) return this.#requestLines(block);
      if (block.isClosed && !block.hasFinalPass) return this.#requestBlock(block);
      if (block.isClosed) this.#unobserve(code);
    }
  }

  #requestLines(block: CodeBlock): void {
    const isWholeBlock =
      block.isClosed && block.doneCount === 0 && block.lines.length <= MAX_LINES_PER_REQUEST;
    const { start, firstLine, end } = isWholeBlock
      ? { start: 0, firstLine: 0, end: block.lines.length }
      : getNextBatch(block.lines, block.doneCount);
    block.hasFinalPass ||= isWholeBlock;
    this.#postRequest(block, block.lines.slice(start, end), firstLine - start, firstLine);
  }

  /**
   * Multi-line constructs may have been highlighted without their beginning, so the whole block is checked once, unless
   * it is huge.
   */
  #requestBlock(block: CodeBlock): void {
    block.hasFinalPass = true;
    if (block.lines.length <= MAX_LINES_PER_REQUEST) this.#postRequest(block, block.lines, 0, 0);
    else this.#requestNext();
  }

  #postRequest(block: CodeBlock, lines: string[], contextLineCount: number, firstLine: number): void {
    this.#lastRequestId += 1;
    this.#pendingRequest = { id: this.#lastRequestId, block, firstLine };
    const request: HighlightRequest = {
      id: this.#lastRequestId,
      language: block.language,
      lines,
      contextLineCount,
    };
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(request, []);
    this.#timer = setTimeout(() => this.#abandonRequest(), WORKER_TIMEOUT_MS);
  }

  #startWorker(): Worker {
    const worker = new Worker(createScriptUrl(this.#workerUrl), { type: 'module' });
    worker.addEventListener('message', (event: MessageEvent<HighlightReply>) =>
      this.#handleReply(event.data),
    );
    worker.addEventListener('error', () => this.#abandonRequest());
    return worker;
  }

  #stopWorker(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#pendingRequest = undefined;
  }

  #abandonRequest(): void {
    const block = this.#pendingRequest?.block;
    this.#stopWorker();
    if (block !== undefined) this.#abandonBlock(block);
    this.#requestNext();
  }

  #abandonBlock(block: CodeBlock): void {
    for (const [code, visibleBlock] of this.#visibleBlocks) if (visibleBlock === block) this.#unobserve(code);
  }

  #handleReply(reply: HighlightReply): void {
    const pendingRequest = this.#pendingRequest;
    if (pendingRequest === undefined || pendingRequest.id !== reply.id) return;
    clearTimeout(this.#timer);
    this.#pendingRequest = undefined;
    if (reply.runs === undefined) this.#abandonBlock(pendingRequest.block);
    else this.#queueChanges(pendingRequest.block, pendingRequest.firstLine, reply.runs);
    this.#requestNext();
  }

  #queueChanges(block: CodeBlock, firstLine: number, runs: readonly TokenRuns[]): void {
    block.doneCount = Math.max(block.doneCount, firstLine + runs.length);
    runs.forEach((run, offset) => {
      const line = block.elements[firstLine + offset];
      const key = run.join();
      if (line === undefined || (block.appliedKeys[firstLine + offset] ?? '') === key) return;
      block.appliedKeys[firstLine + offset] = key;
      this.#changes.push(() => colourLine(line, run));
    });
    if (this.#frameId === 0) this.#frameId = requestAnimationFrame(() => this.#applyChanges());
  }

  #applyChanges(): void {
    this.#frameId = 0;
    const deadlineMs = performance.now() + FRAME_BUDGET_MS;
    let appliedCount = 0;
    while (appliedCount < this.#changes.length && performance.now() < deadlineMs) {
      this.#changes[appliedCount]?.();
      appliedCount += 1;
    }
    this.#changes.splice(0, appliedCount);
    if (this.#changes.length > 0) this.#frameId = requestAnimationFrame(() => this.#applyChanges());
  }
}

/** Colours a line. Text in the default colour gets no element; the characters stay the same. */
function colourLine(line: HTMLElement, runs: TokenRuns): void {
  const text = line.textContent ?? '';
  if (!line.isConnected || countHiddenCharacters(text) > 0) return;
  const pieces: (string | HTMLElement)[] = [];
  let offset = 0;
  for (let index = 0; index < runs.length; index += 2) {
    const kind = TOKEN_KINDS[runs[index] ?? 0];
    const end = offset + (runs[index + 1] ?? 0);
    const piece = text.slice(offset, end);
    if (kind === undefined || kind === 'text') pieces.push(piece);
    else {
      const span = createDomElement('span', `md-token-${kind}`);
      span.textContent = piece;
      pieces.push(span);
    }
    offset = end;
  }
  line.replaceChildren(...pieces, text.slice(offset));
}
