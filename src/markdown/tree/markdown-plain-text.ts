/** Converts Markdown to plain text for places without markup: no `**`, `#`, fences or link URLs. */
import { trimEndChars } from '../../lib/text/trim.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { MarkdownChild, MarkdownNode } from './markdown-tree.ts';
import { joinPlainLines } from './plain-text.ts';

/** Omits the note about plain rendering, since this text is not rendered. */
export function markdownToPlainText(text: string): string {
  const stream = new MarkdownStream();
  stream.append(text);
  stream.finish();
  stream.resolve();
  return joinBlocks(stream.root.children, '\n\n').trim();
}

const blockKinds = new Set<string>([
  'paragraph',
  'heading',
  'list',
  'item',
  'quote',
  'code',
  'rule',
  'table',
  'row',
  'html',
  'footnote',
  'note',
]);

function isBlock(child: MarkdownChild): child is MarkdownNode {
  return typeof child !== 'string' && blockKinds.has(child.kind);
}

function isPlain(child: MarkdownChild): child is MarkdownNode {
  return typeof child !== 'string' && child.kind === 'plain';
}

/** Joins blocks with `separator` and leaves inline text unchanged. */
function joinBlocks(children: readonly MarkdownChild[], separator: string): string {
  const pieces: string[] = [];
  let pendingText = '';
  const flushText = () => {
    if (pendingText.trim() !== '') pieces.push(trimEndChars(pendingText, '\n'));
    pendingText = '';
  };
  const plainPieces: string[] = [];
  for (const child of children) {
    if (isPlain(child)) plainPieces.push(formatInline(child));
    else if (isBlock(child)) {
      flushText();
      pieces.push(formatBlock(child));
    } else pendingText += formatInline(child);
  }
  flushText();
  if (plainPieces.length > 0) pieces.push(joinPlainLines(plainPieces));
  return pieces.filter((piece) => piece !== '').join(separator);
}

function formatBlock(node: MarkdownNode): string {
  switch (node.kind) {
    case 'list':
      return formatListNode(node);
    case 'table':
      return joinBlocks(node.children, '\n');
    case 'row':
      return node.children.map((cell) => formatInline(cell).trim()).join('\t');
    case 'item':
      return joinBlocks(node.children, '\n');
    case 'rule':
    case 'note':
      return '';
    default:
      return joinBlocks(node.children, '\n\n');
  }
}

function formatListNode({ attributes, children }: MarkdownNode): string {
  const items = children.filter(isBlock).map((item, index) => {
    const marker = attributes.start === undefined ? '• ' : `${attributes.start + index}. `;
    return marker + formatBlock(item).replaceAll('\n', `\n${' '.repeat(marker.length)}`);
  });
  return items.join(attributes.loose === true ? '\n\n' : '\n');
}

function formatInline(child: MarkdownChild): string {
  if (typeof child === 'string') return child;
  const innerText = child.children.map(formatInline).join('');
  if (child.kind === 'break') return '\n';
  if (child.kind === 'line') return `${innerText}\n`;
  return child.kind === 'image' ? (child.attributes.alt ?? '') : innerText;
}
