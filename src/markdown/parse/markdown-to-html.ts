/** A message in Markdown as a string of HTML, for files that are read outside the app. */
import { escapeHtml } from '../../lib/text/safe-text.ts';
import { MarkdownStream } from '../tree/markdown-stream.ts';
import type { Attributes, MarkdownChild, MarkdownNode, NodeKind } from '../tree/markdown-tree.ts';
import { safeLink } from './safe-link.ts';

/** Nothing of the message becomes a tag, an address is a link only where it is safe, images are named, not loaded. */
export function htmlOfMarkdown(text: string): string {
  const stream = new MarkdownStream();
  stream.append(text);
  stream.finish();
  stream.resolve();
  return childrenHtml(stream.root);
}

function childrenHtml(node: MarkdownNode): string {
  return node.children.map(childHtml).join('');
}

function childHtml(child: MarkdownChild): string {
  return typeof child === 'string' ? escapeHtml(child) : nodeHtml(child);
}

const simpleTags: Partial<Record<NodeKind, string>> = {
  paragraph: 'p',
  quote: 'blockquote',
  table: 'table',
  row: 'tr',
  emphasis: 'em',
  strong: 'strong',
  deleted: 'del',
  'code-span': 'code',
};

function nodeHtml(node: MarkdownNode): string {
  const { kind, attributes } = node;
  const inside = childrenHtml(node);
  const tag = simpleTags[kind];
  if (tag !== undefined) return `<${tag}>${inside}</${tag}>`;
  switch (kind) {
    case 'heading':
      return `<h4>${inside}</h4>`;
    case 'list':
      return listHtml(attributes, inside);
    case 'item':
      return `<li>${attributes.checked === undefined ? '' : attributes.checked ? '☑ ' : '☐ '}${inside}</li>`;
    case 'code':
      return `<pre><code>${inside}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'break':
      return '<br>';
    case 'cell':
      return cellHtml(attributes, inside);
    case 'link':
      return linkHtml(attributes, inside);
    case 'image':
      return `<em>Image: ${escapeHtml(attributes.alt || attributes.href || 'unnamed')}</em>`;
    case 'math':
      return `<code>${inside}</code>`;
    case 'footnote-mark':
      return `<sup>${escapeHtml(attributes.label ?? '')}</sup>`;
    case 'footnote':
      return `<div><sup>${escapeHtml(attributes.label ?? '')}</sup> ${inside}</div>`;
    case 'line':
      return `${inside}\n`;
    default:
      return `<div>${inside}</div>`;
  }
}

function listHtml({ start }: Attributes, inside: string): string {
  if (start === undefined) return `<ul>${inside}</ul>`;
  return `<ol${start === 1 ? '' : ` start="${start}"`}>${inside}</ol>`;
}

function cellHtml({ header, align }: Attributes, inside: string): string {
  const tag = header === true ? 'th' : 'td';
  return `<${tag}${align === undefined ? '' : ` class="${align}"`}>${inside}</${tag}>`;
}

function linkHtml({ href = '' }: Attributes, inside: string): string {
  const link = safeLink(href);
  if (link === undefined) return inside;
  return `<a href="${escapeHtml(link.href)}" rel="noopener noreferrer">${inside}</a>`;
}
