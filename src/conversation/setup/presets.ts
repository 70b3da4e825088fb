/** Named setups: what of a lane's setup is kept, and how it goes into another. */
import type { Setup } from '../session/types.ts';
import type { Params } from './params.ts';

export interface Preset {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** What is absent is left alone where the preset is applied. */
  setup: Partial<Setup>;
  /** Parameters that it sets beside those that are there, in a preset that comes with Bench. */
  adds?: Params;
}

const createSentParam = (text: string) => ({ sent: true, text });

/** They come with Bench and leave all but their few parameters alone. */
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

/** One's own presets, and those of Bench whose name is not taken. */
export function mergePresets(userPresets: readonly Preset[]): Preset[] {
  return [
    ...builtInPresets.filter(({ name }) => userPresets.every((preset) => preset.name !== name)),
    ...userPresets,
  ];
}

/** `system` includes its role, `params` includes when reasoning is sent back. */
export type PresetPart = 'model' | 'system' | 'params';

export const presetParts: readonly PresetPart[] = ['model', 'system', 'params'];

/** Only these parts of a setup. */
export function pickSetupParts(setup: Setup, parts: readonly PresetPart[]): Partial<Setup> {
  return {
    ...(parts.includes('model') ? { model: setup.model } : {}),
    ...(parts.includes('system') ? { system: setup.system } : {}),
    ...(parts.includes('system') && setup.systemRole ? { systemRole: setup.systemRole } : {}),
    ...(parts.includes('params') ? { params: setup.params } : {}),
    ...(parts.includes('params') && setup.sendReasoning ? { sendReasoning: setup.sendReasoning } : {}),
  };
}

/** The setup after the preset: its parts replace those of the setup, the others stay. */
export function withPreset(setup: Setup, preset: Preset): Setup {
  const next = { ...setup, ...preset.setup };
  return preset.adds ? { ...next, params: { ...next.params, ...preset.adds } } : next;
}

/** By name as people sort them. */
export function sortPresets(presets: readonly Preset[]): Preset[] {
  return presets.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** What the preset changes, in few words. */
export function describePreset({ setup, adds }: Preset): string {
  if (adds) return Object.keys(adds).join(', ');
  const parts = [
    setup.model === undefined ? '' : setup.model === '' ? 'no model' : setup.model,
    setup.system === undefined ? '' : 'system prompt',
    setup.params === undefined ? '' : 'parameters',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
