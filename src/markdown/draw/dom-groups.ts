import type { NodeKind } from '../tree/markdown-tree.ts';
import { createDomElement } from './dom-elements.ts';

/** A stretch of a node's children in the DOM. `outer` is what is removed when the stretch is empty. */
export interface Group {
  readonly inner: HTMLElement;
  readonly outer: HTMLElement;
  /** Nodes at the front of `inner` that are not children in the tree (a task's checkbox). */
  readonly skippedCount: number;
  count: number;
  charCount: number;
}

function createGroup(inner: HTMLElement, outer: HTMLElement = inner, skippedCount = 0): Group {
  return { inner, outer, skippedCount, count: 0, charCount: 0 };
}

// Layout of a container costs time for each of its children at each append, so long ones are cut into stretches that
// the browser can leave alone (groups of 8 blocks measured best).
const MAX_BLOCKS_PER_GROUP = 8;
const MAX_CHARS_PER_GROUP = 4_000;
const MAX_BLOCKS_PER_QUOTE_GROUP = 24;
const MAX_LINES_PER_GROUP = 64;
const MAX_ITEMS_PER_GROUP = 48;
const MAX_ROWS_PER_TABLE = 100;
// A paragraph is one layout unit: past this length it goes on in a further block, at a space where there is one.
const MAX_CHARS_PER_PIECE = 6_000;
/** What an element in it counts as. */
export const CHARS_PER_ELEMENT = 20;

/**
 * The group that the next child of a node goes into: the last one, or a new one that is then already in the DOM.
 * `container` is the element of the node itself.
 */
export function getOrAddGroup(kind: NodeKind, container: HTMLElement, groups: Group[]): Group {
  const lastGroup = groups.at(-1);
  if (lastGroup === undefined) return addGroup(groups, createFirstGroup(kind, container));
  switch (kind) {
    case 'root':
      return lastGroup.count < MAX_BLOCKS_PER_GROUP && lastGroup.charCount < MAX_CHARS_PER_GROUP
        ? lastGroup
        : addGroup(groups, appendGroupElement(container, 'div', 'md-group'));
    case 'code':
      return lastGroup.count < MAX_LINES_PER_GROUP
        ? lastGroup
        : addGroup(groups, appendGroupElement(container, 'div', 'md-lines'));
    case 'list':
      return lastGroup.count < MAX_ITEMS_PER_GROUP
        ? lastGroup
        : addGroup(groups, createItemsGroup(container));
    case 'quote':
      return lastGroup.count < MAX_BLOCKS_PER_QUOTE_GROUP
        ? lastGroup
        : addGroup(groups, appendGroupElement(container, 'div', 'md-group'));
    case 'table':
      return getRowsGroup(container, groups, lastGroup);
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
      return lastGroup.charCount < MAX_CHARS_PER_PIECE
        ? lastGroup
        : addGroup(groups, appendGroupElement(container, 'span', 'md-piece'));
    default:
      return lastGroup;
  }
}

function addGroup(groups: Group[], group: Group): Group {
  groups.push(group);
  return group;
}

function appendGroupElement(container: HTMLElement, tag: 'div' | 'span', className: string): Group {
  const groupElement = createDomElement(tag, className);
  container.append(groupElement);
  return createGroup(groupElement);
}

function createFirstGroup(kind: NodeKind, container: HTMLElement): Group {
  if (kind === 'root') return appendGroupElement(container, 'div', 'md-group');
  if (kind === 'code') return appendGroupElement(container, 'div', 'md-lines');
  if (kind !== 'table') return createGroup(container, container, container.childNodes.length);
  const table = createDomElement('table');
  const head = createDomElement('thead');
  table.append(head);
  container.append(table);
  return createGroup(head, table);
}

function createItemsGroup(container: HTMLElement): Group {
  const group = appendGroupElement(container, 'div', 'md-items');
  group.inner.setAttribute('role', 'presentation');
  return group;
}

/** The header row stands alone; further rows in bodies, and past a hundred in further tables of equal columns. */
function getRowsGroup(container: HTMLElement, groups: Group[], lastGroup: Group): Group {
  if (groups.length > 1 && lastGroup.count < MAX_ROWS_PER_TABLE) return lastGroup;
  const body = createDomElement('tbody');
  if (groups.length === 1) {
    lastGroup.outer.append(body);
    return addGroup(groups, createGroup(body));
  }
  container.classList.add('md-table-long');
  const rowsElement = createDomElement('div', 'md-rows');
  const table = createDomElement('table');
  table.append(body);
  rowsElement.append(table);
  container.append(rowsElement);
  return addGroup(groups, createGroup(body, rowsElement));
}
