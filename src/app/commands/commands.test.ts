import { describe, expect, it } from 'vitest';

import { screens } from '../screens.tsx';
import { commands } from './commands.ts';
import { componentKeys } from './component-keys.ts';

const bindings = commands.flatMap((command) => command.bindings ?? []);

describe('command table', () => {
  it('gives each command a unique ID, and unique keys on each screen', () => {
    const listScreens = ({ group }: (typeof commands)[number]) => {
      if (group === 'Embeddings' || group === 'Trials') return [group];
      return ['Screen', 'Go to', 'Presets'].includes(group)
        ? ['Playground', 'Embeddings', 'Trials']
        : ['Playground'];
    };
    const screenBindings = commands.flatMap((command) =>
      listScreens(command).flatMap((screen) => (command.bindings ?? []).map((key) => `${screen}: ${key}`)),
    );
    expect(screenBindings.filter((use, index) => screenBindings.indexOf(use) !== index)).toEqual([]);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  });

  it('lists keys for exactly the commands that have bindings', () => {
    for (const command of commands) expect(command.keys === undefined).toBe(command.bindings === undefined);
  });

  it('marks every shortcut that types a character as single-key, so that it is ignored in fields', () => {
    for (const command of commands) {
      const typesCharacter =
        command.bindings?.some((binding) => /^(?:Shift\+)?(?:.|Backspace)$/.test(binding)) ?? false;
      expect(command.isSingleKey === true).toBe(typesCharacter);
    }
  });

  it('binds the keys required by the contract', () => {
    expect(bindings).toEqual(
      expect.arrayContaining(['$mod+KeyK', '?', 'Alt+Shift+KeyP', '$mod+KeyI', 'F6', 'Shift+F6']),
    );
    const componentKeyTexts = Object.values(componentKeys)
      .flat()
      .map(({ keys, group }) => `${group}: ${keys.map((combination) => combination.join('+')).join()}`);
    expect(componentKeyTexts).toEqual(
      expect.arrayContaining(['Message: Enter', 'Message: Shift+Enter', 'Message: ↑', 'Screen: Esc']),
    );
  });

  it('assigns the keys of every component to an existing screen', () => {
    const paths = new Set(['everywhere', ...screens.map(({ path }) => path)]);
    expect(Object.keys(componentKeys).filter((path) => !paths.has(path))).toEqual([]);
  });

  it('gives every command a unique label', () => {
    expect(new Set(commands.map(({ label }) => label)).size).toBe(commands.length);
  });
});
