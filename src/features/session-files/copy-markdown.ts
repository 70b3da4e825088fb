import { parseJson } from '../../lib/json.ts';
import { parseImageData, parseSafeImage, parseSafeLink } from '../../markdown/parse/safe-link.ts';
import { MarkdownStream } from '../../markdown/tree/markdown-stream.ts';
import type { MarkdownChild, MarkdownNode, NodeKind } from '../../markdown/tree/markdown-tree.ts';
import { copyText } from '../../ui/display/copy-text.ts';

/**
 * Copies a message as Markdown and as HTML, so that headings and tables are kept in documents and spreadsheets. JSON is
 * copied as plain text only. Returns whether copying succeeded.
 */
export function copyMarkdown(text: string): Promise<boolean> {
  return copyText(text, parseJson(text).ok ? undefined : toHtml(text));
}

/**
 * Builds the HTML node by node in a separate document, which loads nothing; text and URLs are never parsed as markup.
 */
function toHtml(text: string): string {
  const stream = new MarkdownStream();
  stream.append(text);
  stream.finish();
  stream.resolve();
  const { body } = document.implementation.createHTMLDocument();
  appendAll(body, stream.root.children);
  return body.innerHTML;
}

function appendAll(parent: HTMLElement, children: readonly MarkdownChild[]): void {
  for (const child of children) {
    if (typeof child === 'string') parent.append(child);
    else appendNode(parent, child);
  }
}

const tags: Partial<Record<NodeKind, string>> = {
  paragraph: 'p',
  item: 'li',
  quote: 'blockquote',
  rule: 'hr',
  row: 'tr',
  html: 'pre',
  plain: 'pre',
  footnote: 'div',
  emphasis: 'em',
  strong: 'strong',
  deleted: 'del',
  'code-span': 'code',
  break: 'br',
};

function appendNode(parent: HTMLElement, node: MarkdownNode): void {
  const { kind, attributes, children } = node;
  const addElement = (tag: string, properties: Record<string, string> = {}, target = parent) => {
    const element = parent.ownerDocument.createElement(tag);
    for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
    target.append(element);
    return element;
  };
  switch (kind) {
    // Notes are about this page and are not part of the message.
    case 'note':
      return;
    case 'heading':
      return appendAll(addElement(`h${attributes.level ?? 1}`), children);
    case 'list': {
      const { start, loose } = attributes;
      const isPlain = start === undefined || start === 1;
      const list = addElement(start === undefined ? 'ul' : 'ol', isPlain ? {} : { start: `${start}` });
      return appendAll(list, loose === true ? children : children.map(withoutParagraphs));
    }
    case 'item': {
      const item = addElement('li');
      if (attributes.checked !== undefined) item.append(attributes.checked ? '☑ ' : '☐ ');
      return appendAll(item, children);
    }
    case 'code':
      return appendAll(addElement('code', {}, addElement('pre')), children);
    case 'line':
      appendAll(parent, children);
      return parent.append('\n');
    case 'table': {
      const table = addElement('table');
      const [header, ...rows] = children;
      if (header !== undefined) appendAll(addElement('thead', {}, table), [header]);
      return rows.length > 0 ? appendAll(addElement('tbody', {}, table), rows) : undefined;
    }
    case 'cell': {
      const { header, align } = attributes;
      return appendAll(
        addElement(header === true ? 'th' : 'td', align === undefined ? {} : { align }),
        children,
      );
    }
    case 'math': {
      const delimiter = attributes.display === true ? '$$' : '$';
      const container = attributes.display === true ? addElement('p') : parent;
      container.append(delimiter);
      appendAll(container, children);
      return container.append(delimiter);
    }
    case 'link': {
      const link = parseSafeLink(attributes.href ?? '');
      return appendAll(link ? addElement('a', { href: link.href }) : parent, children);
    }
    case 'image': {
      const { href = '', alt = '' } = attributes;
      const data = parseImageData(href);
      if (data) return void addElement('img', { src: data.href, alt });
      const link = parseSafeImage(href);
      return (link ? addElement('a', { href: link.href }) : parent).append(
        alt === '' ? (link?.host ?? '') : alt,
      );
    }
    case 'footnote-mark':
      return addElement('sup').append(attributes.label ?? '');
    case 'footnote': {
      const note = addElement('div');
      addElement('sup', {}, note).append(attributes.label ?? '');
      return appendAll(note, children);
    }
    default:
      return appendAll(tags[kind] === undefined ? parent : addElement(tags[kind]), children);
  }
}

/** Returns an item of a tight list without its paragraphs. */
function withoutParagraphs(child: MarkdownChild): MarkdownChild {
  if (typeof child === 'string') return child;
  const children = child.children.flatMap((inner) =>
    typeof inner !== 'string' && inner.kind === 'paragraph' ? inner.children : inner,
  );
  return { ...child, children };
}
