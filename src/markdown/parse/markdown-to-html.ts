/** Converts a message in Markdown to an HTML string, for files that are read outside the app. */
import { escapeHtml } from '../../lib/text/safe-text.ts';
import { MarkdownStream } from '../tree/markdown-stream.ts';
import type { Attributes, MarkdownChild, MarkdownNode, NodeKind } from '../tree/markdown-tree.ts';
import { parseSafeLink } from './safe-link.ts';

/**
 * No part of the message becomes a tag, URLs become links only if they are safe, and images are described, not loaded.
 */
export function markdownToHtml(text: string): string {
  const stream = new MarkdownStream();
  stream.append(text);
  stream.finish();
  stream.resolve();
  return renderChildren(stream.root);
}

function renderChildren(node: MarkdownNode): string {
  return node.children.map(renderChild).join('');
}

function renderChild(child: MarkdownChild): string {
  return typeof child === 'string' ? escapeHtml(child) : renderNode(child);
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

function renderNode(node: MarkdownNode): string {
  const { kind, attributes } = node;
  const innerHtml = renderChildren(node);
  const tag = simpleTags[kind];
  if (tag !== undefined) return `<${tag}>${innerHtml}</${tag}>`;
  switch (kind) {
    case 'heading':
      return `<h4>${innerHtml}</h4>`;
    case 'list':
      return renderList(attributes, innerHtml);
    case 'item':
      return `<li>${attributes.checked === undefined ? '' : attributes.checked ? '☑ ' : '☐ '}${innerHtml}</li>`;
    case 'code':
      return `<pre><code>${innerHtml}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'break':
      return '<br>';
    case 'cell':
      return renderCell(attributes, innerHtml);
    case 'link':
      return renderLink(attributes, innerHtml);
    case 'image':
      return `<em>Image: ${escapeHtml(attributes.alt || attributes.href || 'unnamed')}</em>`;
    case 'math':
      return `<code>${innerHtml}</code>`;
    case 'footnote-mark':
      return `<sup>${escapeHtml(attributes.label ?? '')}</sup>`;
    case 'footnote':
      return `<div><sup>${escapeHtml(attributes.label ?? '')}</sup> ${innerHtml}</div>`;
    case 'line':
      return `${innerHtml}\n`;
    default:
      return `<div>${innerHtml}</div>`;
  }
}

function renderList({ start }: Attributes, innerHtml: string): string {
  if (start === undefined) return `<ul>${innerHtml}</ul>`;
  return `<ol${start === 1 ? '' : ` start="${start}"`}>${innerHtml}</ol>`;
}

function renderCell({ header, align }: Attributes, innerHtml: string): string {
  const tag = header === true ? 'th' : 'td';
  return `<${tag}${align === undefined ? '' : ` class="${align}"`}>${innerHtml}</${tag}>`;
}

function renderLink({ href = '' }: Attributes, innerHtml: string): string {
  const link = parseSafeLink(href);
  if (link === undefined) return innerHtml;
  return `<a href="${escapeHtml(link.href)}" rel="noopener noreferrer">${innerHtml}</a>`;
}
