import { describe, expect, it } from 'vitest';

import { shortcuts } from './shortcuts.ts';

const bindings = shortcuts.flatMap((shortcut) => shortcut.bindings ?? []);

describe('the table of keys', () => {
  it('gives no keys to two actions', () => {
    expect(new Set(bindings).size).toBe(bindings.length);
  });

  it('holds a key for everything the app listens to', () => {
    for (const shortcut of shortcuts)
      expect(shortcut.does === undefined).toBe(shortcut.bindings === undefined);
  });

  it('marks every key that types a character as single, so that it does nothing in a field', () => {
    for (const shortcut of shortcuts) {
      const types = shortcut.bindings?.some((binding) => /^(?:Shift\+)?.$/.test(binding)) ?? false;
      expect(shortcut.isSingle === true).toBe(types);
    }
  });
});
