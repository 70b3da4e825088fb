import { usePlayground, usePrefs, useRoute } from '../../state/react.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { KeyNames } from '../../ui/display/key-names.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { screenOf, screens } from '../screens.tsx';
import { commands } from './commands.ts';
import { partKeys, type PartKey } from './part-keys.ts';

/** Keys under one heading, and the screen that they are for; undefined for all screens. */
interface KeyGroup {
  place: string;
  path: string | undefined;
  keys: readonly PartKey[];
}

const pathOfCommand = new Map(
  screens.flatMap(({ path, commands: own }) => own.map((command) => [command, path] as const)),
);
const ofPlayground = new Set([
  'Message',
  'Lanes',
  'Find in session',
  'Versions and candidates',
  'Parameters',
  'Presentation',
]);
const pathOfPlace = (place: string) => {
  if (place.startsWith('Trials')) return '/trials';
  if (place.startsWith('Embeddings')) return '/embeddings';
  return ofPlayground.has(place) ? '/' : undefined;
};

const all: readonly (PartKey & { path: string | undefined })[] = [
  ...commands.flatMap((command) => {
    const { keys, words, group } = command;
    return keys ? [{ keys, what: words, where: group, path: pathOfCommand.get(command) }] : [];
  }),
  ...partKeys.map((key) => ({ ...key, path: pathOfPlace(key.where) })),
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
        <details className="border-line border-t pt-2">
          <summary className="text-12 text-ink-2 py-1 font-medium">Keys of other screens</summary>
          <KeyGroups groups={others} />
        </details>
      )}
    </Dialog>
  );
}

function KeyGroups({ groups: listed }: { groups: readonly KeyGroup[] }) {
  return (
    <div className="keys-sheet">
      {listed.map(({ place, path, keys }) => (
        <section key={`${path} ${place}`}>
          <h3>{place}</h3>
          <dl>
            {keys.map(({ keys: pressed, what }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
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
    <label className="text-13 mb-3 flex w-fit items-center gap-2">
      <Switch
        label="Single-key shortcuts"
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      Single-key shortcuts
    </label>
  );
}
