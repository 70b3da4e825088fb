import { clsx } from 'clsx';
import { groupBy, uniqBy } from 'es-toolkit';
import { useState } from 'react';

import { usePrefs, useRoute, useAppServices } from '../../state/contexts.tsx';
import { inputVariants } from '../../ui/controls/field.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { KeyboardShortcut } from '../../ui/display/keyboard-shortcut.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { findScreen, screens } from '../screens.tsx';
import { commands } from './commands.ts';
import { componentKeys, type ComponentKey } from './component-keys.ts';

/** Keys with the title of their screen. */
interface ScreenKey extends ComponentKey {
  screenTitle: string;
}

const allScreensTitle = 'All screens';
const titleByPath = new Map(screens.map(({ path, title }) => [path, title]));
const titleByCommand = new Map(
  screens.flatMap(({ title, commands: ownCommands }) =>
    ownCommands.map((command) => [command, title] as const),
  ),
);
const allKeys: readonly ScreenKey[] = uniqBy(
  [
    ...commands.flatMap((command) => {
      const { keys, label, group, sharedShortcut } = command;
      const screenTitle = titleByCommand.get(command) ?? allScreensTitle;
      return keys ? [{ keys, label, group, screenTitle, ...sharedShortcut }] : [];
    }),
    ...Object.entries(componentKeys).flatMap(([path, keys]) =>
      keys.map((key) => ({ ...key, screenTitle: titleByPath.get(path) ?? allScreensTitle })),
    ),
  ],
  ({ screenTitle, group, label }) => `${screenTitle}\n${group}\n${label}`,
);

/** Returns true if each typed word is part of the label, the headings or the name of a key. */
function isMatch({ keys, label, group, screenTitle }: ScreenKey, query: string): boolean {
  const keyNames = keys.flat().map((key) => (key === 'Mod' ? 'Ctrl Cmd' : key));
  const text = [label, group, screenTitle, ...keyNames].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Lists all keys: those of the current screen first, those of other screens collapsed below, or those that match. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const currentTitle = findScreen(useRoute())?.title;
  const [query, setQuery] = useState('');
  // A touch keyboard would cover the list.
  const isTouch = useMediaQuery('(pointer: coarse) and (hover: none)');
  const matches = allKeys.filter((key) => isMatch(key, query.trim()));
  const listKeysOf = (title: string | undefined) =>
    matches.filter(({ screenTitle }) => screenTitle === title);
  const currentKeys = [...listKeysOf(currentTitle), ...listKeysOf(allScreensTitle)];
  const otherKeys = matches.filter((key) => !currentKeys.includes(key));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          type="search"
          aria-label="Find a shortcut"
          className={clsx(
            inputVariants(),
            'h-8 min-w-0 flex-1 px-2.25 text-13 max-phone:h-11 max-phone:basis-full max-phone:text-[16px]',
          )}
          placeholder="Find by action or key"
          spellCheck={false}
          autoFocus={!isTouch}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || query === '') return;
            event.preventDefault();
            setQuery('');
          }}
        />
        <SingleKeys />
      </div>
      {matches.length === 0 && (
        <p className="text-12 text-ink-3" role="status">
          No shortcuts match.
        </p>
      )}
      <KeyList keys={query.trim() === '' ? currentKeys : [...currentKeys, ...otherKeys]} />
      {query.trim() === '' && otherKeys.length > 0 && (
        <details className="border-t border-line pt-2">
          <summary className="py-1 text-12 font-medium text-ink-2">Shortcuts on other screens</summary>
          <KeyList keys={otherKeys} />
        </details>
      )}
    </Dialog>
  );
}

/** Keys below the titles of their screens and groups. */
function KeyList({ keys }: { keys: readonly ScreenKey[] }) {
  return Object.entries(groupBy(keys, ({ screenTitle }) => screenTitle)).map(([screenTitle, screenKeys]) => (
    <section key={screenTitle}>
      <h3 className="pt-1 pb-0.5 text-13 font-600">{screenTitle}</h3>
      <div className="columns-[220px_2] gap-x-8">
        {Object.entries(groupBy(screenKeys, ({ group }) => group)).map(([group, groupKeys]) => (
          <section key={group} className="break-inside-avoid pb-3.5">
            {group !== screenTitle && <h4 className="py-1 text-11 text-ink-3">{group}</h4>}
            <dl>
              {groupKeys.map(({ keys: combinations, label }) => (
                <div
                  key={label}
                  className="flex min-h-(--row) items-center justify-between gap-3 border-t border-line py-1"
                >
                  <dt>{label}</dt>
                  <dd className="flex flex-none gap-1.5 [&>span]:whitespace-nowrap">
                    <KeyboardShortcut keys={combinations} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>
  ));
}

function SingleKeys() {
  const { prefs } = useAppServices();
  const singleKeys = usePrefs((state) => state.singleKeys);
  return (
    <label className="flex w-fit items-center gap-2 text-13">
      <Switch
        label="Single-key shortcuts"
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      Single-key shortcuts
    </label>
  );
}
