import { isRecord, ownProperty, stringProperty } from '../../lib/json.ts';
import type { Setup } from '../session/types.ts';
import { PARAMS, type Params } from './params.ts';

/** A stored setup, or undefined where it is none. Settings of rows that are no longer in the table are dropped. */
export function readSetup(raw: unknown): Setup | undefined {
  const model = stringProperty(raw, 'model');
  const system = stringProperty(raw, 'system');
  const stored = ownProperty(raw, 'params');
  if (model === undefined || system === undefined || !isRecord(stored)) return undefined;
  const params: Params = {};
  for (const { name } of PARAMS) {
    const setting = ownProperty(stored, name);
    const text = stringProperty(setting, 'text');
    const sent = ownProperty(setting, 'sent');
    if (text === undefined || typeof sent !== 'boolean') continue;
    params[name] =
      ownProperty(setting, 'byDefault') === true ? { sent, text, byDefault: true } : { sent, text };
  }
  const sendReasoning = ownProperty(raw, 'sendReasoning');
  const isChosen = sendReasoning === 'always' || sendReasoning === 'never';
  return { model, system, params, ...(isChosen ? { sendReasoning } : {}) };
}
