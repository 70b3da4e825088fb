import { useMemo } from 'react';

import {
  summarizeSession,
  hasSchema,
  type SchemaValidator,
  type SessionSummary,
  type SummaryOptions,
} from '../../conversation/comparison/summary.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useSessionByPhases, useView } from '../../state/contexts.tsx';
import { useLazyModule, type LazyModule } from '../../ui/hooks/use-lazy-module.ts';
import { useGatewayStatuses } from '../health/use-status.ts';
import { usePrices } from '../models/use-model-price.ts';

const lazySchemaCheck: LazyModule<{ validateSchema: SchemaValidator }> = {
  load: createPreloadableImport(async () => {
    const { validateValue } = await import('../../conversation/reply/json-check-schema.ts');
    return (lazySchemaCheck.loaded = {
      validateSchema: (value, schema) => validateValue(value, schema).state === 'fits',
    });
  }),
};

/** Returns the summary of the ended answers in the current session. */
export function useSummary(): SessionSummary | undefined {
  const data = useSessionByPhases();
  const namesHidden = useView((view) => view.namesHidden);
  const schemaCheck = useLazyModule(lazySchemaCheck);
  const getModelPrice = usePrices()?.getModelPrice;
  const gateways = useGatewayStatuses();
  return useMemo(() => {
    const options = { namesHidden, gateways, ...(getModelPrice && { getModelPrice }), ...schemaCheck };
    return data && buildSummary(data, options);
  }, [data, namesHidden, gateways, schemaCheck, getModelPrice]);
}

function buildSummary(data: SessionData, { validateSchema, ...options }: SummaryOptions): SessionSummary {
  return summarizeSession(data, {
    ...options,
    ...(validateSchema && hasSchema(data) ? { validateSchema } : {}),
  });
}
