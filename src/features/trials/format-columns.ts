/** Names of columns in sentences. */
import { isEqual } from 'es-toolkit';

import { buildRequestFields } from '../../conversation/setup/params.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import type { GatewayLimit } from '../../trials/trial-pace.ts';
import { getColumnLetter, type Column } from '../../trials/trial.ts';

/** Name of a column in a sentence, always shown with its letter tile. */
export interface ColumnName {
  letter: string;
  name: string;
}

/**
 * Returns the names of the columns: the last part of the model ID if models differ, otherwise the gateway if gateways
 * differ, otherwise the differing settings ("temperature 1.2"), otherwise the letter. `limits` has the names of the
 * columns' gateways.
 */
export function getColumnNames(
  columns: readonly Column[],
  limits: readonly Pick<GatewayLimit, 'gateway'>[] = [],
): ColumnName[] {
  const fields = columns.map(({ setup }) => buildRequestFields(setup.params));
  const differingFields = [...new Set(fields.flatMap((columnFields) => Object.keys(columnFields)))].filter(
    (name) => fields.some((columnFields) => !isEqual(columnFields[name], fields[0]?.[name])),
  );
  const models = columns.map(({ setup }) => setup.model.split('/').at(-1) ?? setup.model);
  const listSettings = (includesUnset: boolean): string[] =>
    fields.map((columnFields) =>
      differingFields
        .flatMap((name) => {
          const value = columnFields[name];
          if (value === undefined) return includesUnset ? [`no ${name}`] : [];
          return [`${name} ${typeof value === 'string' ? value : writeExactJson(value)}`];
        })
        .join(', '),
    );
  const isOneModel = columns.every(({ setup }) => setup.model === columns[0]?.setup.model);
  const gatewayNames = columns.map(({ setup }, index) => limits[index]?.gateway ?? setup.gateway ?? '');
  const isOneGateway = new Set(gatewayNames).size <= 1;
  const settings = listSettings(false);
  // Unset fields are mentioned only if nothing else distinguishes the columns.
  const allSettings = listSettings(true);
  const joinParts = (...lists: string[][]): string[] =>
    columns.map((_, index) => lists.flatMap((list) => list[index] || []).join(', '));
  const nameLists = [
    ...(isOneModel ? [] : [models]),
    ...(isOneGateway ? [] : [gatewayNames, ...(isOneModel ? [] : [joinParts(models, gatewayNames)])]),
    ...(isOneModel ? [] : [joinParts(models, allSettings)]),
    settings,
    allSettings,
    ...(isOneGateway
      ? []
      : [isOneModel ? joinParts(gatewayNames, allSettings) : joinParts(models, gatewayNames, allSettings)]),
  ];
  const maxNameChars = 40;
  const names = nameLists.find(
    (candidate) =>
      new Set(candidate).size === columns.length &&
      candidate.every((name) => name !== '' && name.length <= maxNameChars),
  );
  return columns.map((_, index) => ({
    letter: getColumnLetter(index),
    name: names?.[index] ?? getColumnLetter(index),
  }));
}
