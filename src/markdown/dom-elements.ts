import { codeStretches } from './hidden-characters.ts';
import { safeImage, safeLink } from './safe-link.ts';
import type { Attributes, NodeKind } from './tree.ts';

/** A new element: `outer` goes into its parent, children go into `inner`. */
interface MadeElement {
  outer: HTMLElement;
  inner: HTMLElement;
}

type TagName = keyof HTMLElementTagNameMap;

/** An element by name with a class; the only way this module makes elements. Never from HTML (T16). */
export function element<Tag extends TagName>(tag: Tag, className?: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  return made;
}

const SIMPLE_TAGS: Partial<Record<NodeKind, TagName>> = {
  paragraph: 'p',
  item: 'li',
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

/** The element for a node: the allow-list of what a message can become. */
export function elementFor(kind: NodeKind, attributes: Attributes): MadeElement {
  const simple = SIMPLE_TAGS[kind];
  if (simple !== undefined) return same(element(simple));
  switch (kind) {
    case 'heading':
      return headingElement(attributes.level ?? 1);
    case 'list':
      return listElement(attributes);
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
    if (attributes.href) text.title = `Not a link that can be followed: ${attributes.href}`;
    return same(text);
  }
  const anchor = element('a');
  anchor.href = link.href;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  anchor.title = attributes.title === undefined ? link.host : `${link.host}: ${attributes.title}`;
  return same(anchor);
}

/** An image is a chip that names the host; nothing is fetched until it is pressed (T17). */
function imageElement(attributes: Attributes): MadeElement {
  const image = safeImage(attributes.href ?? '');
  const alt = attributes.alt ?? '';
  if (image === undefined) {
    const text = element('span', 'md-image-off');
    text.textContent = alt === '' ? 'Image without a usable address' : `Image: ${alt}`;
    return same(text);
  }
  const chip = element('button', 'md-image');
  chip.type = 'button';
  chip.dataset['action'] = 'load-image';
  chip.dataset['source'] = image.href;
  chip.dataset['alt'] = alt;
  chip.title = image.href;
  chip.textContent = alt === '' ? `Load image from ${image.host}` : `Load image from ${image.host}: ${alt}`;
  return same(chip);
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

/** A text as one DOM node; in code, characters that cannot be seen get a visible marker (T26). */
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
