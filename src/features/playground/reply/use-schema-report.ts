import { useMemo } from 'react';

import type * as SchemaCheck from '../../../conversation/reply/json-check-schema.ts';
import type { SchemaReading } from '../../../conversation/reply/json-check-schema.ts';
import { mostLiveLetters } from '../../../conversation/reply/json-check.ts';
import {
  askedFormat,
  jsonReplyOf,
  shownJson,
  type ShownJson,
} from '../../../conversation/reply/json-reply-text.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import { candidateAt } from '../../../conversation/session/candidates.ts';
import type { Run } from '../../../conversation/session/types.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { preloadableImport } from '../../../lib/lazy-import.ts';
import { useLoaded, type LatePart } from '../../../ui/hooks/use-lazy-module.ts';

/** The validator comes with the first reply that has a schema. */
const checker: LatePart<typeof SchemaCheck> = {
  fetch: preloadableImport(
    async () => (checker.here = await import('../../../conversation/reply/json-check-schema.ts')),
  ),
};
const noChecker: LatePart<undefined> = { fetch: async () => undefined };

/** A reply against its schema, also while it streams; undefined where there is none, and until the checker is here. */
export function useSchemaReading(
  shown: ShownJson | undefined,
  schema: JsonObject | undefined,
  live: boolean,
): SchemaReading | undefined {
  const isAsked = shown !== undefined && schema !== undefined;
  const loaded = useLoaded<typeof SchemaCheck | undefined>(isAsked ? checker : noChecker);
  const isTooLong = live && (shown?.text.length ?? 0) > mostLiveLetters;
  const { text, json, from, isFenced } = shown ?? { text: '', json: '', from: 0, isFenced: false };
  return useMemo(
    () =>
      isAsked && loaded && !isTooLong
        ? loaded.readAgainstSchema({ text, json, from, isFenced }, schema, live)
        : undefined,
    [isAsked, loaded, isTooLong, text, json, from, isFenced, schema, live],
  );
}

/** The last answer of a lane against the schema that it was asked for. */
export function useRunReading(run: Run | undefined, choice: number | undefined): SchemaReading | undefined {
  const params = run?.setup.params;
  const schema = useMemo(() => params && askedFormat(params)?.schema, [params]);
  const live = run !== undefined && isLive(run);
  const parts = schema && run ? (run.choices[candidateAt(run, choice)]?.parts ?? []) : [];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [text] = texts;
  const reply = texts.length === 1 && text !== undefined ? jsonReplyOf(text, live, true) : undefined;
  return useSchemaReading(reply && shownJson(text ?? '', reply), schema, live);
}
