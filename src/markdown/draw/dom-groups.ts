import type { NodeKind } from '../tree/markdown-tree.ts';
import { createDomElement } from './dom-elements.ts';

/** Consecutive children of a node in the DOM. `outer` is removed when the group is empty. */
export interface Group {
  readonly inner: HTMLElement;
  readonly outer: HTMLElement;
  /** Nodes at the start of `inner` that are not children in the tree (the checkbox of a task). */
  readonly skippedCount: number;
  count: number;
  charCount: number;
}

function createGroup(inner: HTMLElement, outer: HTMLElement = inner, skippedCount = 0): Group {
  return { inner, outer, skippedCount, count: 0, charCount: 0 };
}

// Browsers lay out all children of a container after each append, so long containers are split into groups that can be
// skipped (groups of 8 blocks measured best).
const MAX_BLOCKS_PER_GROUP = 8;
const MAX_CHARS_PER_GROUP = 4_000;
const MAX_BLOCKS_PER_QUOTE_GROUP = 24;
const MAX_LINES_PER_GROUP = 64;
const MAX_ITEMS_PER_GROUP = 48;
const MAX_ROWS_PER_TABLE = 100;
// A paragraph is laid out as a whole, so beyond this length it continues in another block, if possible after a space.
const MAX_CHARS_PER_PIECE = 6_000;
/** Number of characters for which an element counts when measuring the size of a block. */
export const CHARS_PER_ELEMENT = 20;

/**
 * Returns the group for the next child of a node: the last one, or a new one that is already in the DOM. `container` is
 * the element of the node itself.
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

/**
 * The header row is separate; all other rows are in table bodies and, beyond a hundred, in additional tables with equal
 * columns.
 */
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
