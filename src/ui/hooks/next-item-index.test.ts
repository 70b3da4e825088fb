import { expect, it } from 'vitest';

import { getNextItemIndex } from './next-item-index.ts';

const labels = ['Duplicate lane', 'Move left', 'Move right', 'Remove lane'];

it('wraps around at the ends of a menu with the arrow keys', () => {
  expect(getNextItemIndex(labels, 3, 'ArrowDown')).toBe(0);
  expect(getNextItemIndex(labels, 0, 'ArrowUp')).toBe(3);
  expect(getNextItemIndex(labels, -1, 'ArrowDown')).toBe(0);
  expect(getNextItemIndex(labels, -1, 'ArrowUp')).toBe(3);
});

it('jumps to the ends of a menu with Home and End', () => {
  expect(getNextItemIndex(labels, 2, 'Home')).toBe(0);
  expect(getNextItemIndex(labels, 0, 'End')).toBe(3);
});

it('finds the next menu item that begins with a letter, ignoring case and wrapping around', () => {
  expect(getNextItemIndex(labels, 0, 'm')).toBe(1);
  expect(getNextItemIndex(labels, 1, 'M')).toBe(2);
  expect(getNextItemIndex(labels, 2, 'm')).toBe(1);
});

it('ignores other keys, letters without a menu item, and empty menus', () => {
  expect(getNextItemIndex(labels, 0, 'x')).toBeUndefined();
  expect(getNextItemIndex(labels, 0, 'Enter')).toBeUndefined();
  expect(getNextItemIndex(labels, 0, ' ')).toBeUndefined();
  expect(getNextItemIndex([], 0, 'ArrowDown')).toBeUndefined();
});
