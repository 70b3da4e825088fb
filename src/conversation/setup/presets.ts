/** Named presets: parts of a setup that can be saved and applied to lanes. */
import type { Setup } from '../session/types.ts';
import { withModelChoice } from './model-key.ts';
import type { Params } from './params.ts';

export interface Preset {
  id: string;
  name: string;
  /** Time in epoch ms. */
  createdAt: number;
  /** Stored parts; absent parts are unchanged when the preset is applied. */
  setup: Partial<Setup>;
  /** Parameters that a built-in preset adds to the existing ones. */
  adds?: Params;
}

const createSentParam = (text: string) => ({ sent: true, text });

/** Built-in presets, which change only a few parameters. */
export const builtInPresets: readonly Preset[] = [
  { name: 'Precise', adds: { temperature: createSentParam('0.1'), top_p: createSentParam('0.9') } },
  { name: 'Creative', adds: { temperature: createSentParam('1.1'), top_p: createSentParam('0.95') } },
  {
    name: 'JSON',
    adds: { temperature: createSentParam('0'), response_format: createSentParam('{"type":"json_object"}') },
  },
  {
    name: 'Long thinking',
    adds: {
      enable_thinking: createSentParam('true'),
      thinking_budget: createSentParam('8192'),
      max_tokens: createSentParam('16384'),
    },
  },
].map((preset) => ({ ...preset, id: `shipped ${preset.name}`, createdAt: 0, setup: {} }));

/** Returns the user's presets and the built-in presets whose names are not in use. */
export function mergePresets(userPresets: readonly Preset[]): Preset[] {
  return [
    ...builtInPresets.filter(({ name }) => userPresets.every((preset) => preset.name !== name)),
    ...userPresets,
  ];
}

/** Part of a preset; `system` includes its role, `params` includes the policy for sending reasoning. */
export type PresetPart = 'model' | 'system' | 'params';

export const presetParts: readonly PresetPart[] = ['model', 'system', 'params'];

/** Returns only the given parts of a setup. */
export function pickSetupParts(setup: Setup, parts: readonly PresetPart[]): Partial<Setup> {
  return {
    ...(parts.includes('model') ? { model: setup.model } : {}),
    ...(parts.includes('model') && setup.gateway !== undefined ? { gateway: setup.gateway } : {}),
    ...(parts.includes('system') ? { system: setup.system } : {}),
    ...(parts.includes('system') && setup.systemRole ? { systemRole: setup.systemRole } : {}),
    ...(parts.includes('params') ? { params: setup.params } : {}),
    ...(parts.includes('params') && setup.sendReasoning ? { sendReasoning: setup.sendReasoning } : {}),
  };
}

/** Applies the preset: its parts replace those of the setup. */
export function withPreset(setup: Setup, preset: Preset): Setup {
  const { model } = preset.setup;
  const base = model === undefined ? setup : withModelChoice(setup, { model });
  const next = { ...base, ...preset.setup };
  return preset.adds ? { ...next, params: { ...next.params, ...preset.adds } } : next;
}

/** Sorts presets by name in natural order. */
export function sortPresets(presets: readonly Preset[]): Preset[] {
  return presets.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** Describes the changes of a preset in a few words. */
export function describePreset({ setup, adds }: Preset): string {
  if (adds) return Object.keys(adds).join(', ');
  const parts = [
    setup.model === undefined ? '' : setup.model === '' ? 'no model' : setup.model,
    setup.system === undefined ? '' : 'system prompt',
    setup.params === undefined ? '' : 'parameters',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
