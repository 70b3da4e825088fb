import type { NodeKind } from '../tree/markdown-tree.ts';
import { element } from './dom-elements.ts';

/** A stretch of a node's children in the DOM. `outer` is what is removed when the stretch is empty. */
export interface Group {
  readonly inner: HTMLElement;
  readonly outer: HTMLElement;
  /** Nodes at the front of `inner` that are not children in the tree (a task's checkbox). */
  readonly skip: number;
  count: number;
  characters: number;
}

function groupOf(inner: HTMLElement, outer: HTMLElement = inner, skip = 0): Group {
  return { inner, outer, skip, count: 0, characters: 0 };
}

// Layout of a container costs time for each of its children at each append, so long ones are cut into stretches that
// the browser can leave alone (groups of 8 blocks measured best).
const BLOCKS_A_GROUP = 8;
const CHARACTERS_A_GROUP = 4_000;
const BLOCKS_A_QUOTE_GROUP = 24;
const LINES_A_GROUP = 64;
const ITEMS_A_GROUP = 48;
const ROWS_A_TABLE = 100;
// A paragraph is one layout unit: past this length it goes on in a further block, at a space where there is one.
const CHARACTERS_A_PIECE = 6_000;
/** What an element in it counts as. */
export const CHARACTERS_OF_AN_ELEMENT = 20;

/**
 * The group that the next child of a node goes into: the last one, or a new one that is then already in the DOM.
 * `home` is the element of the node itself.
 */
export function groupForNext(kind: NodeKind, home: HTMLElement, groups: Group[]): Group {
  const last = groups.at(-1);
  if (last === undefined) return append(groups, firstGroup(kind, home));
  switch (kind) {
    case 'root':
      return last.count < BLOCKS_A_GROUP && last.characters < CHARACTERS_A_GROUP
        ? last
        : append(groups, inside(home, 'div', 'md-group'));
    case 'code':
      return last.count < LINES_A_GROUP ? last : append(groups, inside(home, 'div', 'md-lines'));
    case 'list':
      return last.count < ITEMS_A_GROUP ? last : append(groups, itemsGroup(home));
    case 'quote':
      return last.count < BLOCKS_A_QUOTE_GROUP ? last : append(groups, inside(home, 'div', 'md-group'));
    case 'table':
      return nextRows(home, groups, last);
    case 'math':
    case 'paragraph':
    case 'heading':
    case 'cell':
    case 'html':
    case 'line':
    case 'link':
    case 'code-span':
    case 'emphasis':
    case 'strong':
    case 'deleted':
      return last.characters < CHARACTERS_A_PIECE ? last : append(groups, inside(home, 'span', 'md-piece'));
    default:
      return last;
  }
}

function append(groups: Group[], group: Group): Group {
  groups.push(group);
  return group;
}

function inside(home: HTMLElement, tag: 'div' | 'span', className: string): Group {
  const made = element(tag, className);
  home.append(made);
  return groupOf(made);
}

function firstGroup(kind: NodeKind, home: HTMLElement): Group {
  if (kind === 'root') return inside(home, 'div', 'md-group');
  if (kind === 'code') return inside(home, 'div', 'md-lines');
  if (kind !== 'table') return groupOf(home, home, home.childNodes.length);
  const table = element('table');
  const head = element('thead');
  table.append(head);
  home.append(table);
  return groupOf(head, table);
}

function itemsGroup(home: HTMLElement): Group {
  const group = inside(home, 'div', 'md-items');
  group.inner.setAttribute('role', 'presentation');
  return group;
}

/** The header row stands alone; further rows in bodies, and past a hundred in further tables of equal columns. */
function nextRows(home: HTMLElement, groups: Group[], last: Group): Group {
  if (groups.length > 1 && last.count < ROWS_A_TABLE) return last;
  const body = element('tbody');
  if (groups.length === 1) {
    last.outer.append(body);
    return append(groups, groupOf(body));
  }
  home.classList.add('md-table-long');
  const rows = element('div', 'md-rows');
  const table = element('table');
  table.append(body);
  rows.append(table);
  home.append(rows);
  return append(groups, groupOf(body, rows));
}
