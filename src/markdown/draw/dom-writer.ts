import type { Attributes, NodeKind, TreeSink } from '../tree/markdown-tree.ts';
import {
  applyAttributes,
  createDomElement,
  createNodeElement,
  createLinkedImage,
  createTaskCheckbox,
  createVisibleTextNode,
} from './dom-elements.ts';
import type { Group } from './dom-groups.ts';
import { CHARS_PER_ELEMENT, getOrAddGroup } from './dom-groups.ts';

interface Frame {
  readonly kind: NodeKind;
  readonly inner: HTMLElement;
  readonly outer: HTMLElement;
  readonly groups: Group[];
  attributes: Attributes;
  count: number;
}

/** Receives completed nodes that need more than elements: code to highlight, formulas to render. */
export interface Decorator {
  onLineClosed?(line: HTMLElement, code: HTMLElement, language: string | undefined): void;
  onCodeClosed?(code: HTMLElement): void;
  onMathClosed?(math: HTMLElement, display: boolean): void;
}

const MAX_SHORT_NUMBER = 99;
// Text that arrived in many small pieces is joined once its node is complete.
const MAX_UNJOINED_TEXTS = 8;

/** Between two blocks, the caret stays at the end of the first one, so that it does not take up a line. */
const CARET_CONTAINERS =
  'p, label, ul, ol, li, blockquote, pre, pre code, table, tbody, thead, tr, td, th, .md-group, .md-items, .md-piece, ' +
  '.md-heading, .md-code, .md-lines, .md-line, .md-table, .md-html, .md-plain, .md-footnote, .md-footnote-body';

/** Applies tree operations to the DOM. Never reads layout and never touches closed nodes that were not saved. */
export class DomWriter implements TreeSink {
  readonly #frames: Frame[];
  readonly #savedFrames = new Map<number, Frame>();
  readonly #decorator: Decorator;
  readonly #caret = createDomElement(
    'span',
    'ml-0.5 inline-block h-[1.1em] w-0.5 bg-needle align-[-0.18em] forced-colors:bg-[CanvasText]',
  );

  constructor(container: HTMLElement, decorator: Decorator = {}) {
    this.#frames = [createFrame('root', container, container, {})];
    this.#decorator = decorator;
    this.#caret.setAttribute('aria-hidden', 'true');
  }

  /** Shows the caret at the growing end, or removes it. It must be removed while operations run. */
  setCaretVisible(isVisible: boolean): void {
    this.#caret.remove();
    if (!isVisible) return;
    const frame = this.#top;
    let caretParent: Element = frame.groups.at(-1)?.inner ?? frame.inner;
    for (
      let lastChild = caretParent.lastElementChild;
      lastChild?.matches(CARET_CONTAINERS) === true;
      lastChild = caretParent.lastElementChild
    )
      caretParent = lastChild;
    caretParent.append(this.#caret);
  }

  open(kind: NodeKind, attributes: Attributes): void {
    const parent = this.#top;
    const nodeElement = this.#createElement(parent, kind, attributes);
    this.#append(parent, nodeElement.outer, CHARS_PER_ELEMENT);
    this.#frames.push(createFrame(kind, nodeElement.inner, nodeElement.outer, attributes));
  }

  #createElement(
    parent: Frame,
    kind: NodeKind,
    attributes: Attributes,
  ): { outer: HTMLElement; inner: HTMLElement } {
    if (isTaskText(parent, kind)) return createTaskLabel(parent.attributes.checked === true);
    if (kind === 'image' && this.#frames.some((frame) => frame.kind === 'link'))
      return createLinkedImage(attributes);
    return createNodeElement(kind, attributes);
  }

  appendText(text: string): void {
    const frame = this.#top;
    this.#append(
      frame,
      createVisibleTextNode(text, frame.kind === 'line' || frame.kind === 'code-span'),
      text.length,
    );
    this.#addToBlockSize(text.length);
  }

  close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    if (frame.count > MAX_UNJOINED_TEXTS) frame.inner.normalize();
    if (frame.kind === 'line') {
      frame.inner.append('\n');
      const code = this.#top;
      this.#decorator.onLineClosed?.(frame.inner, code.outer, code.attributes.language);
    } else if (frame.kind === 'code') {
      if (frame.attributes.language !== undefined) this.#decorator.onCodeClosed?.(frame.outer);
    } else if (frame.kind === 'math') {
      this.#decorator.onMathClosed?.(frame.inner, frame.attributes.display === true);
    }
  }

  truncate(depth: number, count: number): void {
    while (this.#frames.length > depth + 1) {
      const lastFrame = this.#frames.at(-1);
      const isRetained = this.#frames.length > depth + 2 || this.#frames[depth]?.count === count;
      if (lastFrame !== undefined && isRetained) this.close();
      else this.#frames.pop();
    }
    const frame = this.#top;
    while (frame.count > count) this.#dropLast(frame);
  }

  setAttributes(depth: number, attributes: Attributes): void {
    const frame = this.#frames[depth];
    if (frame === undefined) return;
    frame.attributes = attributes;
    applyAttributes(frame.kind, frame.outer, attributes);
  }

  saveNode(id: number): void {
    this.#savedFrames.set(id, this.#top);
  }

  reopen(id: number): void {
    const frame = this.#savedFrames.get(id);
    if (frame === undefined) return;
    const leadingNodes = Array.from(frame.inner.childNodes).slice(0, frame.groups[0]?.skippedCount);
    frame.inner.replaceChildren(...leadingNodes);
    frame.groups.length = 0;
    frame.count = 0;
    this.#frames.push(frame);
  }

  get #top(): Frame {
    const top = this.#frames.at(-1);
    if (top === undefined) throw new Error('The root was closed');
    return top;
  }

  #append(frame: Frame, node: Node, charCount: number): void {
    const group = getOrAddGroup(frame.kind, frame.inner, frame.groups);
    group.inner.append(node);
    group.count += 1;
    if (frame.kind === 'list') updateItemNumber(frame, group, node);
    group.charCount += charCount;
    frame.count += 1;
  }

  /** Text counts towards the group of its block, however deeply it is nested. */
  #addToBlockSize(charCount: number): void {
    const group = this.#frames[0]?.groups.at(-1);
    if (group !== undefined) group.charCount += charCount;
  }

  #dropLast(frame: Frame): void {
    frame.count -= 1;
    const group = frame.groups.at(-1);
    const node = group?.inner.lastChild;
    if (group === undefined || !node) return;
    group.count -= 1;
    group.charCount -= node instanceof Text ? node.length : CHARS_PER_ELEMENT;
    this.#addToBlockSize(-(node.textContent ?? '').length);
    node.remove();
    if (group.count === 0 && group.inner !== frame.inner) {
      group.outer.remove();
      frame.groups.pop();
    }
  }
}

function createFrame(kind: NodeKind, inner: HTMLElement, outer: HTMLElement, attributes: Attributes): Frame {
  return { kind, inner, outer, groups: [], attributes, count: 0 };
}

/**
 * Groups are contained, including their counters, so the first item of a group sets its number explicitly. Long numbers
 * get more space.
 */
function updateItemNumber(list: Frame, group: Group, item: Node): void {
  if (list.attributes.start === undefined || !(item instanceof HTMLLIElement)) return;
  const number = list.attributes.start + list.count;
  if (group.count === 1 && list.groups.length > 1) item.value = number;
  if (number > MAX_SHORT_NUMBER) list.outer.classList.add('md-long-numbers');
}

function isTaskText(parent: Frame, kind: NodeKind): boolean {
  return (
    parent.kind === 'item' &&
    parent.attributes.checked !== undefined &&
    parent.count === 0 &&
    kind === 'paragraph'
  );
}

/** Makes the text of a task the label of its checkbox. */
function createTaskLabel(checked: boolean): { outer: HTMLElement; inner: HTMLElement } {
  const label = createDomElement('label', 'md-task -ms-5 block ps-5 -indent-5');
  label.append(createTaskCheckbox(checked));
  return { outer: label, inner: label };
}
