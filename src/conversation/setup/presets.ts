/** Named setups: what of a lane's setup is kept, and how it goes into another. */
import type { Setup } from '../session/types.ts';

export interface Preset {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** What is absent is left alone where the preset is applied. */
  setup: Partial<Setup>;
}

export type PresetPart = keyof Setup;

export const presetParts: readonly PresetPart[] = ['model', 'system', 'params'];

/** Only these parts of a setup. */
export function partsOf(setup: Setup, parts: readonly PresetPart[]): Partial<Setup> {
  return {
    ...(parts.includes('model') ? { model: setup.model } : {}),
    ...(parts.includes('system') ? { system: setup.system } : {}),
    ...(parts.includes('params') ? { params: setup.params } : {}),
  };
}

/** The setup after the preset: its parts replace those of the setup, the others stay. */
export function withPreset(setup: Setup, preset: Preset): Setup {
  return { ...setup, ...preset.setup };
}

/** By name as people sort them. */
export function sortedPresets(presets: readonly Preset[]): Preset[] {
  return presets.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
}

/** What the preset changes, in few words. */
export function presetWords({ setup }: Preset): string {
  const parts = [
    setup.model === undefined ? '' : setup.model === '' ? 'no model' : setup.model,
    setup.system === undefined ? '' : 'system prompt',
    setup.params === undefined ? '' : 'parameters',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
