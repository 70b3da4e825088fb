import { describe, expect, it } from 'vitest';

import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createTestEnvironment, createTestSetup } from '../testing/builders.ts';
import { createPresetStore } from './preset-store.ts';

function createTestPresets() {
  const records = createMemoryRecordStore();
  const presets = createPresetStore(records, createTestEnvironment());
  const getNames = () => presets.state.getState().presets.map((preset) => preset.name);
  return { records, presets, getNames };
}

describe('presets', () => {
  it('restores presets after a reload, sorted by name', async () => {
    const { records, presets, getNames } = createTestPresets();
    await presets.save('Zebra', createTestSetup());
    await presets.save('Ant', { model: 'north/one' });
    expect(getNames()).toEqual(['Ant', 'Zebra']);
    const reloadedPresets = createPresetStore(records, createTestEnvironment());
    await reloadedPresets.reload();
    expect(reloadedPresets.state.getState().presets).toEqual(presets.state.getState().presets);
  });

  it('replaces a preset of the same name', async () => {
    const { presets } = createTestPresets();
    await presets.save('Calm', { model: 'one' });
    await presets.save('Calm', { model: 'two' });
    expect(presets.state.getState().presets).toMatchObject([{ name: 'Calm', setup: { model: 'two' } }]);
  });

  it('renames, removes and restores a preset', async () => {
    const { presets, getNames } = createTestPresets();
    await presets.save('Calm', createTestSetup({ model: 'one' }));
    const [preset] = presets.state.getState().presets;
    if (!preset) throw new Error('No preset was saved');
    await presets.rename(preset.id, 'Quiet');
    expect(getNames()).toEqual(['Quiet']);
    await presets.remove(preset.id);
    expect(getNames()).toEqual([]);
    await presets.restore(preset);
    expect(presets.state.getState().presets).toEqual([preset]);
  });

  it('writes nothing if the name is unchanged or the preset does not exist', async () => {
    const { records, presets } = createTestPresets();
    await presets.save('Calm', createTestSetup());
    const presetsBefore = presets.state.getState().presets;
    const { write } = records;
    let writes = 0;
    records.write = async (...args) => {
      writes += 1;
      await write(...args);
    };
    await presets.rename(presetsBefore[0]?.id ?? '', 'Calm');
    await presets.rename('gone', 'Other');
    expect(writes).toBe(0);
    expect(presets.state.getState().presets).toEqual(presetsBefore);
  });
});
