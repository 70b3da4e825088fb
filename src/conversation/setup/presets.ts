/** Named presets: parts of a setup that can be saved and applied to lanes. */
import type { Setup } from '../session/types.ts';
import { withModelChoice } from './model-key.ts';
import type { Params } from './params.ts';

/**
 * Parts of a setup, a message for the composer and values of variables. They are stored side by side: older versions of
 * Bench skip a preset with a part that they do not know, but would drop an unknown field beside `setup`.
 */
export interface PresetContent extends Partial<Setup> {
  message?: string;
  variables?: Readonly<Record<string, string>>;
}

export interface Preset {
  id: string;
  name: string;
  /** Time in epoch ms. */
  createdAt: number;
  /** Stored parts; absent parts are unchanged when the preset is applied. */
  setup: PresetContent;
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
export type PresetPart = 'model' | 'system' | 'params' | 'message' | 'variables';

export const presetParts: readonly PresetPart[] = ['model', 'system', 'params', 'message', 'variables'];

/** Returns only the given parts. */
export function pickPresetParts(setup: Setup & PresetContent, parts: readonly PresetPart[]): PresetContent {
  return {
    ...(parts.includes('model') ? { model: setup.model } : {}),
    ...(parts.includes('model') && setup.gateway !== undefined ? { gateway: setup.gateway } : {}),
    ...(parts.includes('system') ? { system: setup.system } : {}),
    ...(parts.includes('system') && setup.systemRole ? { systemRole: setup.systemRole } : {}),
    ...(parts.includes('params') ? { params: setup.params } : {}),
    ...(parts.includes('params') && setup.sendReasoning ? { sendReasoning: setup.sendReasoning } : {}),
    ...(parts.includes('message') && setup.message !== undefined ? { message: setup.message } : {}),
    ...(parts.includes('variables') && setup.variables ? { variables: setup.variables } : {}),
  };
}

/** Applies the preset to a setup: its parts replace those of the setup. */
export function withPreset(setup: Setup, preset: Preset): Setup {
  const { message: _, variables: __, ...parts } = preset.setup;
  const { model } = parts;
  const base = model === undefined ? setup : withModelChoice(setup, { model });
  const next = { ...base, ...parts };
  return preset.adds ? { ...next, params: { ...next.params, ...preset.adds } } : next;
}

/** Sorts presets by name in natural order. */
export function sortPresets(presets: readonly Preset[]): Preset[] {
  return presets.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** Describes the parts of a preset, such as "model north/one, system prompt, message". */
export function describePreset({ setup, adds }: Preset): string {
  if (adds) return Object.keys(adds).join(', ');
  const parts = [
    setup.model === undefined ? '' : setup.model === '' ? 'no model' : `model ${setup.model}`,
    setup.system === undefined ? '' : setup.system.trim() === '' ? 'no system prompt' : 'system prompt',
    setup.params === undefined ? '' : 'parameters',
    setup.message === undefined ? '' : 'message',
    setup.variables === undefined ? '' : 'variables',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Returns the presets whose name or texts contain every word of the query. */
export function findPresets(presets: readonly Preset[], query: string): Preset[] {
  const words = query.toLowerCase().split(/\s+/);
  return presets.filter((preset) => {
    const { system = '', message = '' } = preset.setup;
    const text = [preset.name, describePreset(preset), system, message].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
