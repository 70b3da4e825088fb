/** Differences between the setups of two columns, for the screen and for files. */
import { isEqual } from 'es-toolkit';

import { diffSetups } from '../conversation/session/setup-diff.ts';
import type { Column } from './trial.ts';

/** Lists the differences from the baseline's setup: "gateway south", "temperature 0.2", "different system prompt". */
export function describeSetupChanges(column: Column, baseline: Column): string[] {
  const { gateway, system } = column.setup;
  const { changes = [], hasOtherSystem } = diffSetups(column.setup, baseline.setup) ?? {};
  const systemText = system.trim() === '' ? 'no system prompt' : 'different system prompt';
  return [
    ...(gateway === baseline.setup.gateway
      ? []
      : [gateway === undefined ? 'first gateway' : `gateway ${gateway}`]),
    ...changes,
    ...(hasOtherSystem ? [systemText] : []),
    ...(isEqual(column.messages, baseline.messages) ? [] : ['another wording']),
  ];
}
