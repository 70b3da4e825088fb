import { usePrefs, useRoute, useAppServices } from '../../state/contexts.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { KeyboardShortcut } from '../../ui/display/keyboard-shortcut.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { findScreen, screens } from '../screens.tsx';
import { commands } from './commands.ts';
import { componentKeys, type ComponentKey } from './component-keys.ts';

/** Keys under one heading with the path of their screen; `undefined` means every screen. */
interface KeyGroup {
  title: string;
  path: string | undefined;
  keys: readonly ComponentKey[];
}

const pathByCommand = new Map(
  screens.flatMap(({ path, commands: ownCommands }) =>
    ownCommands.map((command) => [command, path] as const),
  ),
);
const allKeys: readonly (ComponentKey & { path: string | undefined })[] = [
  ...commands.flatMap((command) => {
    const { keys, label, group } = command;
    return keys ? [{ keys, label, group, path: pathByCommand.get(command) }] : [];
  }),
  ...Object.entries(componentKeys).flatMap(([path, keys]) =>
    keys.map((key) => ({ ...key, path: path === 'everywhere' ? undefined : path })),
  ),
];

const keyGroups: readonly KeyGroup[] = [
  ...new Set(allKeys.map(({ group, path }) => `${path ?? ''}\n${group}`)),
].map((groupKey) => {
  const keys = allKeys.filter(({ group, path }) => `${path ?? ''}\n${group}` === groupKey);
  return { title: keys[0]?.group ?? '', path: keys[0]?.path, keys };
});

/** Lists all keys: those of the current screen first, those of other screens collapsed below. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const route = useRoute();
  const path = findScreen(route)?.path;
  const isForCurrentScreen = (group: KeyGroup) => group.path === undefined || group.path === path;
  // Keys that only this screen handles come first.
  const currentGroups = keyGroups
    .filter(isForCurrentScreen)
    .toSorted((a, b) => Number(!a.path) - Number(!b.path));
  const otherGroups = keyGroups.filter((group) => !isForCurrentScreen(group));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <SingleKeys />
      <KeyGroups groups={currentGroups} />
      {otherGroups.length > 0 && (
        <details className="border-t border-line pt-2">
          <summary className="py-1 text-12 font-medium text-ink-2">Shortcuts on other screens</summary>
          <KeyGroups groups={otherGroups} />
        </details>
      )}
    </Dialog>
  );
}

function KeyGroups({ groups: visibleGroups }: { groups: readonly KeyGroup[] }) {
  return (
    <div className="columns-[220px_2] gap-x-8">
      {visibleGroups.map(({ title, path, keys }) => (
        <section key={`${path} ${title}`} className="break-inside-avoid pb-3.5">
          <h3 className="py-1 text-11 text-ink-3">{title}</h3>
          <dl>
            {keys.map(({ keys: combinations, label }) => (
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
  );
}

function SingleKeys() {
  const { prefs } = useAppServices();
  const singleKeys = usePrefs((state) => state.singleKeys);
  return (
    <label className="mb-3 flex w-fit items-center gap-2 text-13">
      <Switch
        label="Single-key shortcuts"
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      Single-key shortcuts
    </label>
  );
}
