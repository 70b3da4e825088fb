import { useStore } from 'zustand';

import { usePlayground, usePrefs } from '../state/react.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/switch.tsx';
import type { PageStateStore } from './page-state.ts';
import { shortcuts } from './shortcuts.ts';

const places = [...new Set(shortcuts.map((shortcut) => shortcut.where))];
const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** All keys on one sheet. */
export function KeysSheet({ pageState }: { pageState: PageStateStore }) {
  const shown = useStore(pageState, (state) => state.keysShown);
  if (!shown) return null;
  return (
    <Dialog title="Keys" onClose={() => pageState.setState({ keysShown: false })}>
      <SingleKeys />
      <div className="keys-sheet">
        {places.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl>
              {shortcuts
                .filter((shortcut) => shortcut.where === place)
                .map(({ keys, what }) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
                      {keys.map((together) => (
                        <span key={together.join()} className="together">
                          {together.map((key) => (
                            <kbd key={key}>{shownKey(key)}</kbd>
                          ))}
                        </span>
                      ))}
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
      <Switch label="Single-key shortcuts" checked={singleKeys} onChange={(checked) => prefs.setState({ singleKeys: checked })} />
      Single-key shortcuts
    </label>
  );
}

function shownKey(key: string): string {
  if (key === 'Mod') return isMac ? '⌘' : 'Ctrl';
  return key;
}
