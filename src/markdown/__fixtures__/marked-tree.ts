import type { MarkedToken, Token, Tokens } from 'marked';

import { trimEndChars, trimStartChars } from '../../lib/text/trim.ts';
import { parseLanguage } from '../parse/block-starts.ts';
import { decodeEntities } from '../parse/entities.ts';
import type { MarkdownChild, MarkdownNode } from '../tree/markdown-tree.ts';
import { mergeTextNodes, createNode, getInlineText } from '../tree/markdown-tree.ts';
import type { FootnoteMarkToken, FootnoteToken, MathToken } from './marked-tokens.ts';
import { tokenizeWithMarked } from './marked-tokens.ts';

type SupportedToken = MarkedToken | MathToken | FootnoteToken | FootnoteMarkToken;

const SUPPORTED_TYPES = new Set(
  (
    'blockquote br checkbox code codespan def del em escape heading hr html image link list list_item paragraph ' +
    'space strong table text math footnote footnote-mark'
  ).split(' '),
);

function isSupported(token: Token): token is SupportedToken {
  return SUPPORTED_TYPES.has(token.type);
}

/** Parses a whole text with the reference parser (marked, GFM). */
export function parseWithMarked(text: string): MarkdownNode {
  return createNode('root', {}, toBlockNodes(tokenizeWithMarked(text.replace(/\r\n?/g, '\n'))));
}

function toBlockNodes(tokens: readonly Token[]): MarkdownNode[] {
  return tokens.flatMap((token) => (isSupported(token) ? (toBlockNode(token) ?? []) : []));
}

function toBlockNode(token: SupportedToken): MarkdownNode | undefined {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return createNode(
        'paragraph',
        {},
        trimChildren(token.tokens === undefined ? [token.text] : toInlineChildren(token.tokens)),
      );
    case 'heading':
      return createNode('heading', { level: token.depth }, toInlineChildren(token.tokens));
    case 'code':
      return createCodeNode(token.text, token.lang);
    case 'blockquote':
      return createNode('quote', {}, toBlockNodes(token.tokens));
    case 'hr':
      return createNode('rule');
    case 'html':
      return createNode('html', {}, [trimEndChars(token.text, '\n')]);
    case 'math':
      return createNode('math', { display: true }, [token.tex]);
    case 'footnote':
      return createNode('footnote', { label: token.label }, toBlockNodes(token.tokens));
    case 'list':
      return createListNode(token);
    case 'table':
      return createTableNode(token);
    default:
      return undefined;
  }
}

function createCodeNode(text: string, info: string | undefined): MarkdownNode {
  const language = parseLanguage(info);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return createNode(
    'code',
    language === undefined ? {} : { language },
    lines.map((line) => createNode('line', {}, line === '' ? [] : [line])),
  );
}

function createListNode(list: Tokens.List): MarkdownNode {
  const items = list.items.map((item) =>
    createNode('item', item.task ? { checked: item.checked === true } : {}, toBlockNodes(item.tokens)),
  );
  return createNode(
    'list',
    { ...(list.start === '' ? {} : { start: list.start }), loose: list.loose },
    items,
  );
}

function createTableNode(table: Tokens.Table): MarkdownNode {
  const rows = [table.header, ...table.rows].map((cells) => createNode('row', {}, cells.map(createCellNode)));
  return createNode('table', {}, rows);
}

function createCellNode(cell: Tokens.TableCell): MarkdownNode {
  const attributes = { header: cell.header, ...(cell.align === null ? {} : { align: cell.align }) };
  return createNode('cell', attributes, toInlineChildren(cell.tokens));
}

function toInlineChildren(tokens: readonly Token[]): MarkdownChild[] {
  const children = mergeTextNodes(
    tokens.flatMap((token) => (isSupported(token) ? (toInlineChild(token) ?? []) : [])),
  );
  return children.map((child) => (typeof child === 'string' ? withoutBlanksAtLineEnds(child) : child));
}

function withoutBlanksAtLineEnds(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => (index === lines.length - 1 ? line : trimEndChars(line, ' \t')))
    .map((line, index) => (index === 0 ? line : trimStartChars(line, ' \t')))
    .join('\n');
}

/** Removes white space at both ends of a block, which is invisible: marked keeps it, CommonMark does not. */
function trimChildren(children: MarkdownChild[]): MarkdownChild[] {
  const trimmedChildren = children.map((child, index) => {
    if (typeof child !== 'string') return child;
    const startTrimmed = index === 0 ? child.replace(/^[ \t\n]+/, '') : child;
    return index === children.length - 1 ? trimEndChars(startTrimmed, ' \t\n') : startTrimmed;
  });
  return trimmedChildren.filter((child) => child !== '');
}

function toInlineChild(token: SupportedToken): MarkdownChild | undefined {
  switch (token.type) {
    case 'text':
      return decodeEntities(token.text);
    case 'escape':
    case 'html':
      return token.text;
    case 'strong':
      return createNode('strong', {}, toInlineChildren(token.tokens));
    case 'em':
      return createNode('emphasis', {}, toInlineChildren(token.tokens));
    case 'del':
      return createNode('deleted', {}, toInlineChildren(token.tokens));
    case 'codespan':
      return createNode('code-span', {}, [token.text]);
    case 'br':
      return createNode('break');
    case 'link':
      return createLinkNode(token);
    case 'image':
      return createImageNode(token);
    case 'math':
      return createNode('math', { display: token.display }, [token.tex]);
    case 'footnote-mark':
      return createNode('footnote-mark', { label: token.label });
    default:
      return undefined;
  }
}

function createLinkNode(link: Tokens.Link): MarkdownNode {
  const isAutolink = link.autolink === true;
  const href = isAutolink ? link.href : decodeEntities(link.href);
  const title = link.title ? decodeEntities(link.title) : undefined;
  const children = isAutolink ? [link.text] : toInlineChildren(link.tokens);
  return createNode('link', title === undefined ? { href } : { href, title }, children);
}

function createImageNode(image: Tokens.Image): MarkdownNode {
  const attributes = { href: decodeEntities(image.href), alt: getInlineText(toInlineChildren(image.tokens)) };
  return createNode(
    'image',
    image.title ? { ...attributes, title: decodeEntities(image.title) } : attributes,
  );
}
