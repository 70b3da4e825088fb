import { formatBytes } from '../../lib/format.ts';
import { imageData, safeImage, safeLink } from '../parse/safe-link.ts';
import { codeStretches } from '../tree/hidden-characters.ts';
import type { Attributes, NodeKind } from '../tree/markdown-tree.ts';

/** A new element: `outer` goes into its parent, children go into `inner`. */
interface MadeElement {
  outer: HTMLElement;
  inner: HTMLElement;
}

type TagName = keyof HTMLElementTagNameMap;

/** An element by name with a class; the only way this module makes elements. Never from HTML. */
export function element<Tag extends TagName>(tag: Tag, className?: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  return made;
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

const CLASSES: Partial<Record<NodeKind, string>> = {
  line: 'md-line',
  html: 'md-html',
  plain: 'md-plain',
  note: 'md-note',
};

/** What has a side, for its markers, its rule or its columns: that of its own words. */
const SIDED: ReadonlySet<NodeKind> = new Set(['list', 'quote', 'table']);

/** The element for a node: the allow-list of what a message can become. */
export function elementFor(kind: NodeKind, attributes: Attributes): MadeElement {
  const made = plainElementFor(kind, attributes);
  if (SIDED.has(kind)) made.outer.dir = 'auto';
  return made;
}

function plainElementFor(kind: NodeKind, attributes: Attributes): MadeElement {
  const simple = SIMPLE_TAGS[kind];
  if (simple !== undefined) return same(element(simple));
  switch (kind) {
    case 'heading':
      return headingElement(attributes.level ?? 1);
    case 'list':
      return listElement(attributes);
    case 'item':
      return itemElement(attributes);
    case 'cell':
      return cellElement(attributes);
    case 'code':
      return codeElement(attributes);
    case 'table':
      return tableElement();
    case 'link':
      return linkElement(attributes);
    case 'image':
      return imageElement(attributes);
    case 'math':
      return mathElement(attributes);
    case 'footnote':
      return footnoteElement(attributes);
    case 'footnote-mark':
      return footnoteMarkElement(attributes);
    default:
      return same(element(kind === 'line' ? 'span' : 'div', CLASSES[kind]));
  }
}

function same(outer: HTMLElement): MadeElement {
  return { outer, inner: outer };
}

function headingElement(level: number): MadeElement {
  // A message sits below the page's own headings, so its first level is the page's third. The look keeps the level.
  const heading = element('div', `md-heading md-h${level}`);
  heading.setAttribute('role', 'heading');
  heading.setAttribute('aria-level', String(Math.min(level + 2, 6)));
  return same(heading);
}

function listElement(attributes: Attributes): MadeElement {
  const list = element(attributes.start === undefined ? 'ul' : 'ol');
  applyAttributes('list', list, attributes);
  return same(list);
}

function itemElement(attributes: Attributes): MadeElement {
  const item = element('li');
  if (attributes.checked !== undefined) item.className = 'md-task-item';
  return same(item);
}

function cellElement(attributes: Attributes): MadeElement {
  const cell = element(attributes.header === true ? 'th' : 'td');
  if (attributes.header === true) cell.setAttribute('scope', 'col');
  if (attributes.align !== undefined) cell.className = `md-${attributes.align}`;
  return same(cell);
}

function codeElement(attributes: Attributes): MadeElement {
  const outer = element('div', 'md-code');
  const header = element('div', 'md-code-header');
  const language = element('span', 'md-code-language');
  language.textContent = attributes.language ?? 'text';
  header.append(language, button('Wrap', 'wrap'), button('Copy code', 'copy'));
  const pre = element('pre');
  pre.tabIndex = 0;
  const inner = element('code');
  pre.append(inner);
  outer.append(header, pre);
  return { outer, inner };
}

function button(name: string, action: string): HTMLButtonElement {
  const made = element('button', 'md-button');
  made.type = 'button';
  made.dataset['action'] = action;
  made.textContent = name;
  if (action === 'wrap') made.setAttribute('aria-pressed', 'false');
  return made;
}

function tableElement(): MadeElement {
  const outer = element('div', 'md-table');
  outer.tabIndex = 0;
  outer.setAttribute('role', 'group');
  outer.setAttribute('aria-label', 'Table');
  return same(outer);
}

function linkElement(attributes: Attributes): MadeElement {
  const link = safeLink(attributes.href ?? '');
  if (link === undefined) {
    const text = element('span', 'md-link-off');
    if (attributes.href) text.title = `This link cannot be opened: ${attributes.href}`;
    return same(text);
  }
  const anchor = element('a');
  anchor.href = link.href;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  anchor.title = attributes.title === undefined ? link.host : `${link.host}: ${attributes.title}`;
  return same(anchor);
}

/**
 * An image elsewhere is a link that names its host and opens it apart: the page itself fetches none. One that is
 * written into the message is shown on request.
 */
function imageElement(attributes: Attributes): MadeElement {
  const href = attributes.href ?? '';
  const words = attributes.alt ? `: ${attributes.alt}` : '';
  const image = safeImage(href);
  if (image !== undefined) {
    const link = element('a', 'md-image');
    link.href = image.href;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.title = image.href;
    link.textContent = `Image from ${image.host}${words}`;
    return same(link);
  }
  const data = imageData(href);
  if (data !== undefined) {
    const chip = element('button', 'md-image');
    chip.type = 'button';
    chip.dataset['action'] = 'show-image';
    chip.dataset['source'] = data.href;
    chip.dataset['alt'] = attributes.alt ?? '';
    chip.textContent = `Show image, ${data.format}, ${formatBytes(data.bytes)}${words}`;
    return same(chip);
  }
  const text = element('span', 'md-image-off');
  text.textContent = attributes.alt ? `Image${words}` : 'Image without a usable address';
  return same(text);
}

/** Inside a link the whole of it leads where the link leads, so an image there is its description. */
export function imageInLink(attributes: Attributes): MadeElement {
  const text = element('span', 'md-image-off');
  text.textContent = attributes.alt ? `Image: ${attributes.alt}` : 'Image';
  return same(text);
}

function mathElement(attributes: Attributes): MadeElement {
  return same(
    attributes.display === true ? element('div', 'md-math md-math-display') : element('span', 'md-math'),
  );
}

function footnoteElement(attributes: Attributes): MadeElement {
  const outer = element('div', 'md-footnote');
  outer.dataset['footnote'] = attributes.label ?? '';
  outer.tabIndex = -1;
  const label = element('span', 'md-footnote-label');
  label.textContent = attributes.label ?? '';
  const inner = element('div', 'md-footnote-body');
  outer.append(label, inner);
  return { outer, inner };
}

function footnoteMarkElement(attributes: Attributes): MadeElement {
  const outer = element('sup', 'md-footnote-mark');
  const mark = element('button', 'md-button');
  mark.type = 'button';
  mark.dataset['action'] = 'footnote';
  mark.dataset['label'] = attributes.label ?? '';
  mark.setAttribute('aria-label', `Footnote ${attributes.label ?? ''}`);
  mark.textContent = attributes.label ?? '';
  outer.append(mark);
  return { outer, inner: outer };
}

/** Brings the attributes that can change while a node is open onto its element. */
export function applyAttributes(kind: NodeKind, target: HTMLElement, attributes: Attributes): void {
  if (kind !== 'list') return;
  target.classList.toggle('md-tight', attributes.loose !== true);
  if (target instanceof HTMLOListElement && attributes.start !== undefined && attributes.start !== 1) {
    target.start = attributes.start;
  }
}

/** The disabled checkbox of a task. */
export function taskCheckbox(checked: boolean): HTMLInputElement {
  const box = element('input');
  box.type = 'checkbox';
  box.disabled = true;
  box.checked = checked;
  return box;
}

/** A text as one DOM node; in code, characters that cannot be seen get a visible marker. */
export function textNode(text: string, inCode: boolean): Text | HTMLElement {
  const stretches = inCode ? codeStretches(text) : [];
  if (stretches.every((stretch) => stretch.hidden === undefined)) return document.createTextNode(text);
  const whole = element('span');
  for (const stretch of stretches) {
    if (stretch.hidden === undefined) whole.append(stretch.text);
    else {
      const marker = element('span', 'md-hidden');
      marker.dataset['name'] = stretch.hidden;
      marker.title = `Hidden character ${stretch.hidden}`;
      marker.textContent = stretch.text;
      whole.append(marker);
    }
  }
  return whole;
}
