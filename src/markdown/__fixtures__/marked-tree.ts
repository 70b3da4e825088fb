import type { MarkedToken, Token, Tokens } from 'marked';

import { trimEndChars, trimStartChars } from '../../lib/text/trim.ts';
import { languageOf } from '../parse/block-starts.ts';
import { decodeEntities } from '../parse/entities.ts';
import type { MarkdownChild, MarkdownNode } from '../tree/markdown-tree.ts';
import { joinedChildren, nodeOf, textOf } from '../tree/markdown-tree.ts';
import type { FootnoteMarkToken, FootnoteToken, MathToken } from './marked-tokens.ts';
import { markedTokens } from './marked-tokens.ts';

type KnownToken = MarkedToken | MathToken | FootnoteToken | FootnoteMarkToken;

const KNOWN_TYPES = new Set(
  (
    'blockquote br checkbox code codespan def del em escape heading hr html image link list list_item paragraph ' +
    'space strong table text math footnote footnote-mark'
  ).split(' '),
);

function isKnown(token: Token): token is KnownToken {
  return KNOWN_TYPES.has(token.type);
}

/** The tree of a whole text by the reference parser (marked, GFM). */
export function markedTree(text: string): MarkdownNode {
  return nodeOf('root', {}, blocksOf(markedTokens(text.replace(/\r\n?/g, '\n'))));
}

function blocksOf(tokens: readonly Token[]): MarkdownNode[] {
  return tokens.flatMap((token) => (isKnown(token) ? (blockOf(token) ?? []) : []));
}

function blockOf(token: KnownToken): MarkdownNode | undefined {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return nodeOf(
        'paragraph',
        {},
        trimmed(token.tokens === undefined ? [token.text] : inlinesOf(token.tokens)),
      );
    case 'heading':
      return nodeOf('heading', { level: token.depth }, inlinesOf(token.tokens));
    case 'code':
      return codeNode(token.text, token.lang);
    case 'blockquote':
      return nodeOf('quote', {}, blocksOf(token.tokens));
    case 'hr':
      return nodeOf('rule');
    case 'html':
      return nodeOf('html', {}, [trimEndChars(token.text, '\n')]);
    case 'math':
      return nodeOf('math', { display: true }, [token.tex]);
    case 'footnote':
      return nodeOf('footnote', { label: token.label }, blocksOf(token.tokens));
    case 'list':
      return listNode(token);
    case 'table':
      return tableNode(token);
    default:
      return undefined;
  }
}

function codeNode(text: string, info: string | undefined): MarkdownNode {
  const language = languageOf(info);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return nodeOf(
    'code',
    language === undefined ? {} : { language },
    lines.map((line) => nodeOf('line', {}, line === '' ? [] : [line])),
  );
}

function listNode(list: Tokens.List): MarkdownNode {
  const items = list.items.map((item) =>
    nodeOf('item', item.task ? { checked: item.checked === true } : {}, blocksOf(item.tokens)),
  );
  return nodeOf('list', { ...(list.start === '' ? {} : { start: list.start }), loose: list.loose }, items);
}

function tableNode(table: Tokens.Table): MarkdownNode {
  const rows = [table.header, ...table.rows].map((cells) => nodeOf('row', {}, cells.map(cellNode)));
  return nodeOf('table', {}, rows);
}

function cellNode(cell: Tokens.TableCell): MarkdownNode {
  const attributes = { header: cell.header, ...(cell.align === null ? {} : { align: cell.align }) };
  return nodeOf('cell', attributes, inlinesOf(cell.tokens));
}

function inlinesOf(tokens: readonly Token[]): MarkdownChild[] {
  const children = joinedChildren(tokens.flatMap((token) => (isKnown(token) ? (inlineOf(token) ?? []) : [])));
  return children.map((child) => (typeof child === 'string' ? withoutBlanksAtLineEnds(child) : child));
}

function withoutBlanksAtLineEnds(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, at) => (at === lines.length - 1 ? line : trimEndChars(line, ' \t')))
    .map((line, at) => (at === 0 ? line : trimStartChars(line, ' \t')))
    .join('\n');
}

/** White space at both ends of a block is not seen; marked keeps it, CommonMark does not. */
function trimmed(children: MarkdownChild[]): MarkdownChild[] {
  const ends = children.map((child, index) => {
    if (typeof child !== 'string') return child;
    const front = index === 0 ? child.replace(/^[ \t\n]+/, '') : child;
    return index === children.length - 1 ? trimEndChars(front, ' \t\n') : front;
  });
  return ends.filter((child) => child !== '');
}

function inlineOf(token: KnownToken): MarkdownChild | undefined {
  switch (token.type) {
    case 'text':
      return decodeEntities(token.text);
    case 'escape':
    case 'html':
      return token.text;
    case 'strong':
      return nodeOf('strong', {}, inlinesOf(token.tokens));
    case 'em':
      return nodeOf('emphasis', {}, inlinesOf(token.tokens));
    case 'del':
      return nodeOf('deleted', {}, inlinesOf(token.tokens));
    case 'codespan':
      return nodeOf('code-span', {}, [token.text]);
    case 'br':
      return nodeOf('break');
    case 'link':
      return linkNode(token);
    case 'image':
      return imageNode(token);
    case 'math':
      return nodeOf('math', { display: token.display }, [token.tex]);
    case 'footnote-mark':
      return nodeOf('footnote-mark', { label: token.label });
    default:
      return undefined;
  }
}

function linkNode(link: Tokens.Link): MarkdownNode {
  const literal = link.autolink === true;
  const href = literal ? link.href : decodeEntities(link.href);
  const title = link.title ? decodeEntities(link.title) : undefined;
  const children = literal ? [link.text] : inlinesOf(link.tokens);
  return nodeOf('link', title === undefined ? { href } : { href, title }, children);
}

function imageNode(image: Tokens.Image): MarkdownNode {
  const attributes = { href: decodeEntities(image.href), alt: textOf(inlinesOf(image.tokens)) };
  return nodeOf('image', image.title ? { ...attributes, title: decodeEntities(image.title) } : attributes);
}
