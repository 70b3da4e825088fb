/** Named setups, kept in the database and shared by all tabs. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Environment } from '../conversation/session/edit-session.ts';
import { sortPresets, type Preset } from '../conversation/setup/presets.ts';
import { readPreset } from '../conversation/setup/stored-preset.ts';
import type { RecordStore, Write } from '../storage/record-store.ts';

export interface PresetStore {
  /** Presets sorted by name. */
  state: StoreApi<{ presets: readonly Preset[] }>;
  /** Reads the presets again after a change in another tab. */
  reload: () => Promise<void>;
  /** Saves the setup under this name and replaces a preset of the same name. */
  save: (name: string, setup: Preset['setup']) => Promise<void>;
  rename: (id: string, name: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Restores a removed preset. */
  restore: (preset: Preset) => Promise<void>;
}

export function createPresetStore(records: RecordStore, { now, newId }: Environment): PresetStore {
  const state = createStore<{ presets: readonly Preset[] }>(() => ({ presets: [] }));

  async function reload(): Promise<void> {
    const stored = await records.listPresets();
    state.setState({ presets: sortPresets(stored.flatMap((raw) => readPreset(raw) ?? [])) });
  }

  async function write(...writes: Write[]): Promise<void> {
    await records.write(writes, { strict: true });
    await reload();
  }

  const findByName = (name: string) => state.getState().presets.find((preset) => preset.name === name);

  return {
    state,
    reload,
    save: (name, setup) => {
      const existing = findByName(name);
      const put: Preset = {
        id: existing?.id ?? newId(),
        name,
        createdAt: existing?.createdAt ?? now(),
        setup,
      };
      return write({ store: 'presets', put });
    },
    rename: async (id, name) => {
      const preset = state.getState().presets.find((item) => item.id === id);
      if (preset && preset.name !== name) await write({ store: 'presets', put: { ...preset, name } });
    },
    remove: (id) => write({ store: 'presets', remove: id }),
    restore: (preset) => write({ store: 'presets', put: preset }),
  };
}
