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
      <div className="keys-sheet">
        {places.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl>
              {all
                .filter(({ where }) => where === place)
                .map(({ keys, what }) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
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
    <label className="single-keys">
      <Switch
        label="Single-key shortcuts"
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      Single-key shortcuts
    </label>
  );
}
