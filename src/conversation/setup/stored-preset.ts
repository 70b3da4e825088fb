import * as v from 'valibot';

import { setupSchema, stringRecordSchema } from '../session/session-schemas.ts';
import { pickPresetParts, presetParts, type Preset } from './presets.ts';

const presetSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  name: v.pipe(v.string(), v.minLength(1)),
  createdAt: v.pipe(v.number(), v.finite()),
  setup: v.record(v.picklist([...presetParts, 'gateway', 'systemRole', 'sendReasoning']), v.unknown()),
});

const messageSchema = v.object({
  message: v.exactOptional(v.string()),
  variables: v.exactOptional(stringRecordSchema),
});

/** Parses a stored preset, `undefined` if it is invalid. */
export function readPreset(raw: unknown): Preset | undefined {
  const preset = v.safeParse(presetSchema, raw);
  if (!preset.success) return undefined;
  const fullSetup = { model: '', system: '', params: {}, ...preset.output.setup };
  const setup = v.safeParse(setupSchema, fullSetup);
  const message = v.safeParse(messageSchema, preset.output.setup);
  if (!setup.success || !message.success) return undefined;
  const storedParts = presetParts.filter((part) => Object.hasOwn(preset.output.setup, part));
  return { ...preset.output, setup: pickPresetParts({ ...setup.output, ...message.output }, storedParts) };
}
