import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { Setup } from '../session/types.ts';
import { PARAMS, type Params, type RefusedFields } from './params.ts';

/** Parses a stored setup, `undefined` if it is invalid. Settings for rows that no longer exist are dropped. */
export function readSetup(raw: unknown): Setup | undefined {
  const model = getStringProperty(raw, 'model');
  const system = getStringProperty(raw, 'system');
  const storedParams = getOwnProperty(raw, 'params');
  if (model === undefined || system === undefined || !isRecord(storedParams)) return undefined;
  const params: Params = {};
  for (const { name } of PARAMS) {
    const setting = getOwnProperty(storedParams, name);
    const text = getStringProperty(setting, 'text');
    const sent = getOwnProperty(setting, 'sent');
    if (text === undefined || typeof sent !== 'boolean') continue;
    const refused = readRefusedFields(getOwnProperty(setting, 'refused'));
    params[name] = {
      sent,
      text,
      ...(getOwnProperty(setting, 'byDefault') === true ? { byDefault: true } : {}),
      ...(Object.keys(refused).length > 0 ? { refused } : {}),
    };
  }
  const sendReasoning = getOwnProperty(raw, 'sendReasoning');
  const isChosen = sendReasoning === 'always' || sendReasoning === 'never';
  const systemRole = getOwnProperty(raw, 'systemRole');
  const gateway = getStringProperty(raw, 'gateway');
  return {
    model,
    ...(gateway === undefined ? {} : { gateway }),
    system,
    ...(systemRole === 'developer' ? { systemRole } : {}),
    params,
    ...(isChosen ? { sendReasoning } : {}),
  };
}

/** Returns the identity of a system prompt: equal if the same message is sent. */
export function getSystemKey({ system, systemRole }: Pick<Setup, 'system' | 'systemRole'>): string {
  return system.trim() === '' ? '' : `${systemRole ?? 'system'} ${system}`;
}

/** Sets the role of the system prompt message. */
export function withSystemRole({ systemRole: _, ...setup }: Setup, role: Setup['systemRole']): Setup {
  return role === undefined ? setup : { ...setup, systemRole: role };
}

/** Maximum number of rejected fields in a stored record. */
const maxRefusedFields = 100;

/** Reads the stored rejected fields of a model or row and skips invalid ones. */
export function readRefusedFields(raw: unknown): RefusedFields {
  const entries = Object.entries(isRecord(raw) ? raw : {}).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries.slice(0, maxRefusedFields));
}
