/** A message in Markdown as plain words, for places that show no marks: without `**`, `#`, fences and link addresses. */
import { trimEndChars } from '../../lib/text/trim.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { MarkdownChild, MarkdownNode } from './markdown-tree.ts';
import { joinedPlain } from './plain-text.ts';

/** Without the note that says how it is drawn: these words are not drawn. */
export function wordsOfMarkdown(text: string): string {
  const stream = new MarkdownStream();
  stream.append(text);
  stream.finish();
  stream.resolve();
  return blocksIn(stream.root.children, '\n\n').trim();
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

/** Blocks apart by `gap`, words between them as they are. */
function blocksIn(children: readonly MarkdownChild[], gap: string): string {
  const pieces: string[] = [];
  let words = '';
  const closeWords = () => {
    if (words.trim() !== '') pieces.push(trimEndChars(words, '\n'));
    words = '';
  };
  const plain: string[] = [];
  for (const child of children) {
    if (isPlain(child)) plain.push(inlineText(child));
    else if (isBlock(child)) {
      closeWords();
      pieces.push(blockText(child));
    } else words += inlineText(child);
  }
  closeWords();
  if (plain.length > 0) pieces.push(joinedPlain(plain));
  return pieces.filter((piece) => piece !== '').join(gap);
}

function blockText(node: MarkdownNode): string {
  switch (node.kind) {
    case 'list':
      return listText(node);
    case 'table':
      return blocksIn(node.children, '\n');
    case 'row':
      return node.children.map((cell) => inlineText(cell).trim()).join('\t');
    case 'item':
      return blocksIn(node.children, '\n');
    case 'rule':
    case 'note':
      return '';
    default:
      return blocksIn(node.children, '\n\n');
  }
}

function listText({ attributes, children }: MarkdownNode): string {
  const items = children.filter(isBlock).map((item, index) => {
    const mark = attributes.start === undefined ? '• ' : `${attributes.start + index}. `;
    return mark + blockText(item).replaceAll('\n', `\n${' '.repeat(mark.length)}`);
  });
  return items.join(attributes.loose === true ? '\n\n' : '\n');
}

function inlineText(child: MarkdownChild): string {
  if (typeof child === 'string') return child;
  const inside = child.children.map(inlineText).join('');
  if (child.kind === 'break') return '\n';
  if (child.kind === 'line') return `${inside}\n`;
  return child.kind === 'image' ? (child.attributes.alt ?? '') : inside;
}
