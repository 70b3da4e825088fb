import { useMemo } from 'react';

import type * as SchemaCheck from '../../conversation/reply/json-check-schema.ts';
import type { SchemaReport } from '../../conversation/reply/json-check-schema.ts';
import { maxLiveChars } from '../../conversation/reply/json-check.ts';
import {
  getRequestedFormat,
  parseJsonReply,
  formatJsonReply,
  type FormattedJson,
} from '../../conversation/reply/json-reply-text.ts';
import { isLive } from '../../conversation/reply/run.ts';
import { getCandidateIndex } from '../../conversation/session/candidates.ts';
import type { Run } from '../../conversation/session/types.ts';
import type { JsonObject } from '../../lib/json.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useLazyModule, type LazyModule } from '../../ui/hooks/use-lazy-module.ts';

/** Validator, loaded with the first reply that has a schema. */
const lazyChecker: LazyModule<typeof SchemaCheck> = {
  load: createPreloadableImport(
    async () => (lazyChecker.loaded = await import('../../conversation/reply/json-check-schema.ts')),
  ),
};
const noChecker: LazyModule<undefined> = { load: async () => undefined };

/**
 * Returns the schema report of a reply, even while the reply streams; `undefined` without a schema or until the
 * validator has loaded.
 */
export function useSchemaReport(
  formattedJson: FormattedJson | undefined,
  schema: JsonObject | undefined,
  live: boolean,
): SchemaReport | undefined {
  const isEnabled = formattedJson !== undefined && schema !== undefined;
  const checker = useLazyModule<typeof SchemaCheck | undefined>(isEnabled ? lazyChecker : noChecker);
  const isTooLong = live && (formattedJson?.text.length ?? 0) > maxLiveChars;
  const { text, json, jsonOffset, hasCodeFence } = formattedJson ?? {
    text: '',
    json: '',
    jsonOffset: 0,
    hasCodeFence: false,
  };
  return useMemo(
    () =>
      isEnabled && checker && !isTooLong
        ? checker.validateReply({ text, json, jsonOffset, hasCodeFence }, schema, live)
        : undefined,
    [isEnabled, checker, isTooLong, text, json, jsonOffset, hasCodeFence, schema, live],
  );
}

/** Returns the report of a lane's last answer against its requested schema. */
export function useRunSchemaReport(
  run: Run | undefined,
  candidateIndex: number | undefined,
): SchemaReport | undefined {
  const params = run?.setup.params;
  const schema = useMemo(() => params && getRequestedFormat(params)?.schema, [params]);
  const live = run !== undefined && isLive(run);
  const parts = schema && run ? (run.choices[getCandidateIndex(run, candidateIndex)]?.parts ?? []) : [];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [text] = texts;
  const reply = texts.length === 1 && text !== undefined ? parseJsonReply(text, live, true) : undefined;
  return useSchemaReport(reply && formatJsonReply(text ?? '', reply), schema, live);
}
