import { clsx } from 'clsx';

import { formatBytes } from '../../lib/format.ts';
import { parseHelpLink } from '../../lib/help-link.ts';
import { checkboxVariants } from '../../ui/controls/checkbox.tsx';
import { parseImageData, parseSafeImage, parseSafeLink } from '../parse/safe-link.ts';
import { splitHiddenCharacters } from '../tree/hidden-characters.ts';
import type { Attributes, NodeKind } from '../tree/markdown-tree.ts';

/** A new element: `outer` goes into its parent, children go into `inner`. */
interface NodeElement {
  outer: HTMLElement;
  inner: HTMLElement;
}

type TagName = keyof HTMLElementTagNameMap;

/** Creates an element by tag name with a class. This module creates elements only in this way, never from HTML. */
export function createDomElement<Tag extends TagName>(
  tag: Tag,
  className?: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== undefined) element.className = className;
  return element;
}

const SIMPLE_TAGS: Partial<Record<NodeKind, TagName>> = {
  paragraph: 'p',
  quote: 'blockquote',
  rule: 'hr',
  row: 'tr',
  emphasis: 'em',
  strong: 'strong',
  deleted: 'del',
  'code-span': 'code',
  break: 'br',
};

const CLASS_NAMES: Partial<Record<NodeKind, string>> = {
  line: 'md-line',
  html: 'md-html whitespace-pre-wrap text-ink-2 [font:var(--m-12)]',
  plain: 'md-plain whitespace-pre-wrap',
  note: 'md-note text-ink-3 [font:var(--t-12)]',
};

/** Kinds whose markers, rule or columns follow the direction of their own text. */
const DIRECTIONAL_KINDS: ReadonlySet<NodeKind> = new Set(['list', 'quote', 'table']);

/** Creates the element of a node. This is the allow-list of elements in a message. */
export function createNodeElement(kind: NodeKind, attributes: Attributes): NodeElement {
  const nodeElement = createElementByKind(kind, attributes);
  if (DIRECTIONAL_KINDS.has(kind)) nodeElement.outer.dir = 'auto';
  return nodeElement;
}

function createElementByKind(kind: NodeKind, attributes: Attributes): NodeElement {
  const simpleTag = SIMPLE_TAGS[kind];
  if (simpleTag !== undefined) return toNodeElement(createDomElement(simpleTag));
  switch (kind) {
    case 'heading':
      return createHeadingElement(attributes.level ?? 1);
    case 'list':
      return createListElement(attributes);
    case 'item':
      return createItemElement(attributes);
    case 'cell':
      return createCellElement(attributes);
    case 'code':
      return createCodeElement(attributes);
    case 'table':
      return createTableElement();
    case 'link':
      return createLinkElement(attributes);
    case 'image':
      return createImageElement(attributes);
    case 'math':
      return createMathElement(attributes);
    case 'footnote':
      return createFootnoteElement(attributes);
    case 'footnote-mark':
      return createFootnoteMarkElement(attributes);
    default:
      return toNodeElement(createDomElement(kind === 'line' ? 'span' : 'div', CLASS_NAMES[kind]));
  }
}

function toNodeElement(outer: HTMLElement): NodeElement {
  return { outer, inner: outer };
}

function createHeadingElement(level: number): NodeElement {
  // A message is nested below the page's own headings, so its first heading level is level 3 of the page. The
  // appearance still follows the original level.
  const heading = createDomElement('div', `md-heading md-h${level}`);
  heading.setAttribute('role', 'heading');
  heading.setAttribute('aria-level', String(Math.min(level + 2, 6)));
  return toNodeElement(heading);
}

function createListElement(attributes: Attributes): NodeElement {
  const list = createDomElement(attributes.start === undefined ? 'ul' : 'ol');
  applyAttributes('list', list, attributes);
  return toNodeElement(list);
}

function createItemElement(attributes: Attributes): NodeElement {
  const item = createDomElement('li');
  if (attributes.checked !== undefined) item.className = 'list-none';
  return toNodeElement(item);
}

function createCellElement(attributes: Attributes): NodeElement {
  const cell = createDomElement(attributes.header === true ? 'th' : 'td');
  if (attributes.header === true) cell.setAttribute('scope', 'col');
  if (attributes.align === 'center') cell.className = 'text-center';
  if (attributes.align === 'right') cell.className = 'text-right';
  return toNodeElement(cell);
}

function createCodeElement(attributes: Attributes): NodeElement {
  const outer = createDomElement('div', 'md-code overflow-clip rounded-2 border border-line bg-bench');
  const header = createDomElement(
    'div',
    'md-code-header flex h-7 items-center gap-0.5 border-b border-line pr-1 pl-3 text-ink-3 [font:var(--m-11)]',
  );
  const language = createDomElement('span', 'flex-1 truncate');
  language.textContent = attributes.language ?? 'text';
  header.append(language, createButton('Wrap', 'wrap'), createButton('Copy code', 'copy'));
  const pre = createDomElement('pre');
  pre.tabIndex = 0;
  const inner = createDomElement('code');
  pre.append(inner);
  outer.append(header, pre);
  return { outer, inner };
}

function createButton(label: string, action: string): HTMLButtonElement {
  const newButton = createDomElement('button', 'md-button');
  newButton.type = 'button';
  newButton.dataset['action'] = action;
  newButton.textContent = label;
  if (action === 'wrap') newButton.setAttribute('aria-pressed', 'false');
  return newButton;
}

function createTableElement(): NodeElement {
  const outer = createDomElement('div', 'md-table overflow-x-auto rounded-2 border border-line');
  outer.tabIndex = 0;
  outer.setAttribute('role', 'group');
  outer.setAttribute('aria-label', 'Table');
  return toNodeElement(outer);
}

function createLinkElement(attributes: Attributes): NodeElement {
  if (parseHelpLink(attributes.href ?? '')) {
    const helpLink = createDomElement('a');
    helpLink.href = attributes.href ?? '';
    return toNodeElement(helpLink);
  }
  const link = parseSafeLink(attributes.href ?? '');
  if (link === undefined) {
    const text = createDomElement('span', 'underline decoration-edge decoration-dotted');
    if (attributes.href) text.title = `This link cannot be opened: ${attributes.href}`;
    return toNodeElement(text);
  }
  const anchor = createDomElement('a');
  anchor.href = link.href;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  anchor.title = attributes.title === undefined ? link.host : `${link.host}: ${attributes.title}`;
  return toNodeElement(anchor);
}

/**
 * A remote image becomes a link that shows its host: the page itself never loads one. An image embedded in the message
 * is shown on request.
 */
function createImageElement(attributes: Attributes): NodeElement {
  const href = attributes.href ?? '';
  const altSuffix = attributes.alt ? `: ${attributes.alt}` : '';
  const image = parseSafeImage(href);
  if (image !== undefined) {
    const link = createDomElement('a', 'md-image');
    link.href = image.href;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.title = image.href;
    link.textContent = `Image from ${image.host}${altSuffix}`;
    return toNodeElement(link);
  }
  const data = parseImageData(href);
  if (data !== undefined) {
    const imageButton = createDomElement('button', 'md-image');
    imageButton.type = 'button';
    imageButton.dataset['action'] = 'show-image';
    imageButton.dataset['source'] = data.href;
    imageButton.dataset['alt'] = attributes.alt ?? '';
    imageButton.textContent = `Show image, ${data.format}, ${formatBytes(data.bytes)}${altSuffix}`;
    return toNodeElement(imageButton);
  }
  const fallback = createDomElement('span', 'text-ink-3');
  fallback.textContent = attributes.alt ? `Image${altSuffix}` : 'Image with an invalid address';
  return toNodeElement(fallback);
}

/** Creates the description of an image inside a link, where a click always opens the link. */
export function createLinkedImage(attributes: Attributes): NodeElement {
  const text = createDomElement('span', 'text-ink-3');
  text.textContent = attributes.alt ? `Image: ${attributes.alt}` : 'Image';
  return toNodeElement(text);
}

function createMathElement(attributes: Attributes): NodeElement {
  return toNodeElement(
    attributes.display === true
      ? createDomElement('div', 'md-math md-math-display overflow-x-auto py-1 text-center')
      : createDomElement('span', 'md-math'),
  );
}

function createFootnoteElement(attributes: Attributes): NodeElement {
  const outer = createDomElement('div', 'md-footnote flex gap-2 text-ink-2 [font:var(--t-13)]');
  outer.dataset['footnote'] = attributes.label ?? '';
  outer.tabIndex = -1;
  const label = createDomElement('span', 'text-ink-3');
  label.textContent = attributes.label ?? '';
  const inner = createDomElement('div', 'md-footnote-body min-w-0 flex-1');
  outer.append(label, inner);
  return { outer, inner };
}

function createFootnoteMarkElement(attributes: Attributes): NodeElement {
  const outer = createDomElement('sup', 'md-footnote-mark');
  const mark = createDomElement('button', 'md-button');
  mark.type = 'button';
  mark.dataset['action'] = 'footnote';
  mark.dataset['label'] = attributes.label ?? '';
  mark.setAttribute('aria-label', `Footnote ${attributes.label ?? ''}`);
  mark.textContent = attributes.label ?? '';
  outer.append(mark);
  return { outer, inner: outer };
}

/** Applies attributes that can change while a node is open to its element. */
export function applyAttributes(kind: NodeKind, target: HTMLElement, attributes: Attributes): void {
  if (kind !== 'list') return;
  target.classList.toggle('md-tight', attributes.loose !== true);
  if (target instanceof HTMLOListElement && attributes.start !== undefined && attributes.start !== 1) {
    target.start = attributes.start;
  }
}

/** Creates the disabled checkbox of a task. */
export function createTaskCheckbox(checked: boolean): HTMLInputElement {
  const checkbox = createDomElement('input', clsx(checkboxVariants(), 'mr-1'));
  checkbox.type = 'checkbox';
  checkbox.disabled = true;
  checkbox.checked = checked;
  return checkbox;
}

/** Creates a DOM node for text; in code, invisible characters get a visible marker. */
export function createVisibleTextNode(text: string, isInCode: boolean): Text | HTMLElement {
  const spans = isInCode ? splitHiddenCharacters(text) : [];
  if (spans.every((span) => span.hiddenName === undefined)) return document.createTextNode(text);
  const wrapper = createDomElement('span');
  for (const span of spans) {
    if (span.hiddenName === undefined) wrapper.append(span.text);
    else {
      const marker = createDomElement('span', 'md-hidden');
      marker.dataset['name'] = span.hiddenName;
      marker.title = `Hidden character ${span.hiddenName}`;
      marker.textContent = span.text;
      wrapper.append(marker);
    }
  }
  return wrapper;
}
