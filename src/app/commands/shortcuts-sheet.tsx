import { usePlayground, usePrefs, useRoute } from '../../state/use-playground.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { KeyNames } from '../../ui/display/keyboard-shortcut.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { screenOf, screens } from '../screens.tsx';
import { commands } from './commands.ts';
import { partKeys, type PartKey } from './component-keys.ts';

/** Keys under one heading, and the screen that they are for; undefined for all screens. */
interface KeyGroup {
  place: string;
  path: string | undefined;
  keys: readonly PartKey[];
}

const pathOfCommand = new Map(
  screens.flatMap(({ path, commands: own }) => own.map((command) => [command, path] as const)),
);
const all: readonly (PartKey & { path: string | undefined })[] = [
  ...commands.flatMap((command) => {
    const { keys, words, group } = command;
    return keys ? [{ keys, what: words, where: group, path: pathOfCommand.get(command) }] : [];
  }),
  ...Object.entries(partKeys).flatMap(([path, keys]) =>
    keys.map((key) => ({ ...key, path: path === 'everywhere' ? undefined : path })),
  ),
];

const groups: readonly KeyGroup[] = [...new Set(all.map(({ where, path }) => `${path ?? ''}\n${where}`))].map(
  (name) => {
    const keys = all.filter(({ where, path }) => `${path ?? ''}\n${where}` === name);
    return { place: keys[0]?.where ?? '', path: keys[0]?.path, keys };
  },
);

/** All keys on one sheet: those that work on this screen, and folded beneath them those of the others. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  const route = useRoute();
  const path = screenOf(route)?.path;
  const isHere = (group: KeyGroup) => group.path === undefined || group.path === path;
  // What this screen alone answers to comes first.
  const here = groups.filter(isHere).toSorted((one, other) => Number(!one.path) - Number(!other.path));
  const others = groups.filter((group) => !isHere(group));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <SingleKeys />
      <KeyGroups groups={here} />
      {others.length > 0 && (
        <details className="border-t border-line pt-2">
          <summary className="py-1 text-12 font-medium text-ink-2">Keys of other screens</summary>
          <KeyGroups groups={others} />
        </details>
      )}
    </Dialog>
  );
}

function KeyGroups({ groups: listed }: { groups: readonly KeyGroup[] }) {
  return (
    <div className="columns-[220px_2] gap-x-8">
      {listed.map(({ place, path, keys }) => (
        <section key={`${path} ${place}`} className="break-inside-avoid pb-3.5">
          <h3 className="py-1 text-11 text-ink-3">{place}</h3>
          <dl>
            {keys.map(({ keys: pressed, what }) => (
              <div
                key={what}
                className="flex min-h-(--row) items-center justify-between gap-3 border-t border-line py-1"
              >
                <dt>{what}</dt>
                <dd className="flex flex-none gap-1.5 [&>span]:whitespace-nowrap">
                  <KeyNames keys={pressed} />
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
  const { prefs } = usePlayground();
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
