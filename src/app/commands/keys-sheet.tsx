import { usePlayground, usePrefs } from '../../state/react.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { KeyNames } from '../../ui/display/key-names.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { commands } from './commands.ts';
import { partKeys, type PartKey } from './part-keys.ts';

const all: readonly PartKey[] = [
  ...commands.flatMap(({ keys, words, group }) => (keys ? [{ keys, what: words, where: group }] : [])),
  ...partKeys,
];
const screenOrder = (place: string) => ['Trials', 'Embeddings'].findIndex((name) => place.startsWith(name));
/** What the other screens answer to stands together, at the end. */
const places = [...new Set(all.map(({ where }) => where))].toSorted(
  (one, other) => screenOrder(one) - screenOrder(other),
);

/** All keys on one sheet. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <SingleKeys />
      <div className="columns-[220px_2] gap-x-8">
        {places.map((place) => (
          <section key={place} className="break-inside-avoid pb-3.5">
            <h3 className="py-1 text-11 text-ink-3">{place}</h3>
            <dl>
              {all
                .filter(({ where }) => where === place)
                .map(({ keys, what }) => (
                  <div
                    key={what}
                    className="flex min-h-(--row) items-center justify-between gap-3 border-t border-line py-1"
                  >
                    <dt>{what}</dt>
                    <dd className="flex flex-none gap-1.5 [&>span]:whitespace-nowrap">
                      <KeyNames keys={keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function SingleKeys() {
  const { prefs } = usePlayground();
  const singleKeys = usePrefs((state) => state.singleKeys);
  return (
    <label className="mb-2 flex items-center gap-2.5">
      <Switch
        label="Single-key shortcuts"
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      Single-key shortcuts
    </label>
  );
}
