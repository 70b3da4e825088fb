/** Setup of an answer, compared with the current setup of its lane. */
import { isEqual } from 'es-toolkit';

import { writeExactJson } from '../../lib/exact-json.ts';
import { buildRequestFields } from '../setup/params.ts';
import { getSystemKey } from '../setup/setup.ts';
import type { Setup } from './types.ts';

export interface SetupDiff {
  /** Model of the answer, if it differs from the current one. */
  model?: string;
  /** Differences such as `temperature 0.2`, `seed not sent`. */
  changes: string[];
  /** True if the answer was made with a different system prompt. */
  hasOtherSystem?: true;
}

/** Returns `undefined` if both setups are equal. */
export function diffSetups(usedSetup: Setup, currentSetup: Setup): SetupDiff | undefined {
  const [usedFields, currentFields] = [
    buildRequestFields(usedSetup.params),
    buildRequestFields(currentSetup.params),
  ];
  const names = [...new Set([...Object.keys(usedFields), ...Object.keys(currentFields)])];
  const changes = names.flatMap((name) => {
    const usedValue = Object.hasOwn(usedFields, name) ? usedFields[name] : undefined;
    const currentValue = Object.hasOwn(currentFields, name) ? currentFields[name] : undefined;
    if (isEqual(usedValue, currentValue)) return [];
    return [`${name} ${usedValue === undefined ? 'not sent' : formatShortValue(name, usedValue)}`];
  });
  const hasOtherSystem = getSystemKey(usedSetup) !== getSystemKey(currentSetup);
  const hasOtherModel = usedSetup.model !== currentSetup.model;
  if (!hasOtherModel && !hasOtherSystem && changes.length === 0) return undefined;
  return {
    ...(hasOtherModel ? { model: usedSetup.model } : {}),
    changes,
    ...(hasOtherSystem ? { hasOtherSystem } : {}),
  };
}

function formatShortValue(name: string, value: unknown): string {
  if (name === 'tools' && Array.isArray(value)) return `with ${value.length}`;
  const text = typeof value === 'string' ? value : writeExactJson(value);
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
