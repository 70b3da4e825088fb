import { useEffect, useState } from 'react';

import type { SchemaCheck } from '../../../conversation/reply/json-check-schema.ts';
import {
  isDeeperThan,
  isJsonObject,
  mostJsonLevels,
  parseJson,
  type Json,
  type JsonObject,
} from '../../../lib/json.ts';

/**
 * The value against the schema; undefined where there is nothing to check, and until the validator has been
 * fetched. Equal values are checked once. The validator goes as deep as the value, so there is an end to that.
 */
export function useSchemaCheck(
  value: Json | undefined,
  schema: JsonObject | undefined,
): SchemaCheck | undefined {
  const [found, setFound] = useState<{ key: string; check: SchemaCheck }>();
  const isTooDeep = value !== undefined && isDeeperThan(mostJsonLevels, value);
  const key = value === undefined || schema === undefined || isTooDeep ? '' : JSON.stringify([value, schema]);

  useEffect(() => {
    const reading = parseJson(key);
    const [checked, against] = reading.ok && Array.isArray(reading.value) ? reading.value : [];
    if (checked === undefined || !isJsonObject(against)) return;
    let isGone = false;
    import('../../../conversation/reply/json-check-schema.ts').then(
      ({ checkAgainstSchema }) => !isGone && setFound({ key, check: checkAgainstSchema(checked, against) }),
      () => {
        const reason = 'the schema checker could not be loaded.';
        if (!isGone) setFound({ key, check: { state: 'unusable', reason } });
      },
    );
    return () => {
      isGone = true;
    };
  }, [key]);
  if (isTooDeep && schema) {
    return { state: 'unusable', reason: `the reply is nested more than ${mostJsonLevels} levels deep.` };
  }
  return found?.key === key ? found.check : undefined;
}
