/**
 * Finds request fields that a model rejected, and omits them from later requests. `stream_options` is the only field
 * that Bench adds on its own, because streams have no token counts without it (§2.1), so it is also the only field
 * omitted without asking.
 */

import { isEqual, upperFirst } from 'es-toolkit';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { readFieldRefusals, type FieldRefusal } from '../../gateway/errors/field-refusal.ts';
import { formatList } from '../../lib/format.ts';
import { isRecord, parseJson } from '../../lib/json.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { getAnswerVersions, getRun } from '../session/turn-tree.ts';
import type { Run, SessionData, Setup, Turn } from '../session/types.ts';
import {
  buildRequestFields,
  messageFieldPrefix,
  PARAMS,
  withSent,
  type ParamName,
  type Params,
  type RefusedFields,
} from './params.ts';

/** Lists the fields named in the error of the run; message fields as `messages.NAME`. */
export function listFieldRefusals({ phase, setup, messageFields }: Run): FieldRefusal[] {
  return phase.name === 'failed' && phase.error
    ? listParamRefusals(phase.error, setup.params, messageFields)
    : [];
}

/** Lists the fields named in an error of a request with these parameters and message fields. */
export function listParamRefusals(
  error: ErrorReport,
  params: Params,
  messageFields: readonly string[] = [],
): FieldRefusal[] {
  const message = Object.fromEntries(messageFields.map((name) => [name, true]));
  return readFieldRefusals(error, { ...buildRequestFields(params), messages: [message] }).map((refusal) => ({
    ...refusal,
    field:
      refusal.in === 'message'
        ? messageFieldPrefix + refusal.field
        : findOriginalFieldName(params, refusal.field),
  }));
}

/** Returns the displayed name of the field, without its prefix. */
export function formatFieldName(field: string): string {
  return field.startsWith(messageFieldPrefix) ? field.slice(messageFieldPrefix.length) : field;
}

/** Returns the original name of a field that was sent under a replacement name. */
function findOriginalFieldName(params: Params, sentName: string): string {
  const renamedFields = PARAMS.flatMap(({ name }) => Object.entries(params[name]?.refused ?? {}));
  return renamedFields.find(([, name]) => name === sentName)?.[0] ?? sentName;
}

/** Returns true if a button can fix the problem. A missing field can be added only if it has a separate row. */
export function isFixable({ kind, field }: FieldRefusal): boolean {
  if (field.startsWith(messageFieldPrefix)) return kind === 'unsupported' || kind === 'value';
  return kind !== 'missing' || getParamOfField(field) === field;
}

/** Returns the row of a request field. */
export function getParamOfField(field: string): ParamName {
  return PARAMS.find(({ name }) => name === field)?.name ?? 'Extra provider fields';
}

/** Returns the fields that the model rejects regardless of their value, each with its replacement or null. */
export function toRefusedFields(refusals: readonly FieldRefusal[]): RefusedFields {
  return Object.fromEntries(
    refusals.flatMap((refusal): [string, string | null][] => {
      if (refusal.kind === 'replace') return [[refusal.field, refusal.replacement]];
      const isRefused =
        refusal.kind === 'unsupported' ||
        (refusal.kind === 'value' && (refusal.isFixed || getParamOfField(refusal.field) !== refusal.field));
      return isRefused ? [[refusal.field, null]] : [];
    }),
  );
}

/** Applies one-time fixes: unticks rows with invalid values and sends missing fields. */
export function withFixedParams(params: Params, refusals: readonly FieldRefusal[]): Params {
  return refusals.reduce((next, refusal) => {
    const name = getParamOfField(refusal.field);
    if (name !== refusal.field) return next;
    if (refusal.kind === 'missing') return withSent(next, name, true);
    return refusal.kind === 'value' && !refusal.isFixed && next[name]?.sent
      ? withSent(next, name, false)
      : next;
  }, params);
}

const maxNameChars = 40;

/** Returns the button label, such as `Send as max_completion_tokens` or `Leave temperature and top_p out`. */
export function describeFix(refusals: readonly FieldRefusal[]): string {
  const formatName = (field: string) => sanitizeForSentence(formatFieldName(field), maxNameChars);
  const replacements = refusals.flatMap((refusal) =>
    refusal.kind === 'replace' ? [`send as ${formatName(refusal.replacement)}`] : [],
  );
  const filterRefusals = (isMissing: boolean, isInMessage = false) =>
    refusals.filter(
      ({ kind, in: part }) =>
        kind !== 'replace' && (kind === 'missing') === isMissing && (part === 'message') === isInMessage,
    );
  const joinNames = (selected: readonly FieldRefusal[]) =>
    formatList(selected.map(({ field }) => formatName(field)));
  const omittedFields = filterRefusals(false);
  const missingFields = filterRefusals(true);
  const messageFields = filterRefusals(false, true);
  const parts = [
    ...replacements,
    ...(omittedFields.length > 0 ? [`leave ${joinNames(omittedFields)} out`] : []),
    ...(missingFields.length > 0 ? [`send ${joinNames(missingFields)}`] : []),
    ...(messageFields.length > 0 ? [`send without ${joinNames(messageFields)}`] : []),
  ];
  return upperFirst(formatList(parts));
}

/** Describes an applied fix, one sentence per field. */
export function describeAppliedFix(refusals: readonly FieldRefusal[], model: string): string {
  return refusals
    .map((refusal) => {
      const field = sanitizeForSentence(formatFieldName(refusal.field), maxNameChars);
      if (refusal.kind === 'replace')
        return `${field} is now sent to ${model} as ${sanitizeForSentence(refusal.replacement, maxNameChars)}.`;
      return refusal.kind === 'missing'
        ? `${field} is now sent to ${model}.`
        : `${field} is no longer sent to ${model}.`;
    })
    .join(' ');
}

/** Returns the setup for a model that rejected these fields, or the same object if nothing changes. */
export function withRefusedFields(setup: Setup, refusedFields: RefusedFields): Setup {
  const changes: Params = {};
  for (const { name } of PARAMS) {
    const setting = setup.params[name];
    if (!setting) continue;
    const { refused: previousRefusedFields = {}, ...rest } = setting;
    const fields = name === 'Extra provider fields' ? getExtraFieldNames(setting.text) : [name];
    const ownRefusedFields: RefusedFields = Object.fromEntries(
      fields.flatMap((field) => {
        const sentName = Object.hasOwn(refusedFields, field) ? refusedFields[field] : undefined;
        return sentName === undefined ? [] : [[field, sentName]];
      }),
    );
    // Earlier versions unticked a rejected default.
    const isSent = rest.sent || rest.byDefault === true;
    if (isEqual(ownRefusedFields, previousRefusedFields) && isSent === rest.sent) continue;
    const isRefused = Object.keys(ownRefusedFields).length > 0;
    changes[name] = { ...rest, sent: isSent, ...(isRefused ? { refused: ownRefusedFields } : {}) };
  }
  if (Object.keys(changes).length === 0) return setup;
  return { ...setup, params: { ...setup.params, ...changes } };
}

/**
 * Applies replacement names to a trial column. Other rejected fields are still sent until the column is edited, so that
 * a column never omits the field under test.
 */
export function withReplacedFields(setup: Setup, refusedFields: RefusedFields): Setup {
  const ownRefusedFields = Object.values(setup.params).flatMap((setting) =>
    Object.entries(setting.refused ?? {}),
  );
  const replacements = Object.entries(refusedFields).filter(([, name]) => name !== null);
  const usageReplacement =
    setup.params.stream_options?.byDefault === true ? refusedFields['stream_options'] : undefined;
  return withRefusedFields(setup, {
    ...Object.fromEntries([...ownRefusedFields, ...replacements]),
    ...(usageReplacement === undefined ? {} : { stream_options: usageReplacement }),
  });
}

function getExtraFieldNames(text: string): string[] {
  const parsed = parseJson(text);
  return parsed.ok && isRecord(parsed.value) ? Object.keys(parsed.value) : [];
}

/** Returns true if the gateway rejected the request because of stream_options, which Bench had added. */
export function isUsageRefused(run: Run): boolean {
  const { phase, setup } = run;
  if (setup.params.stream_options?.byDefault !== true || phase.name !== 'failed') return false;
  if (phase.error?.status !== 400 && phase.error?.status !== 422) return false;
  return listFieldRefusals(run).some(({ field, kind }) => field === 'stream_options' && kind !== 'missing');
}

/** Returns true if this answer was retried without stream_options after the previous version was rejected for it. */
export function isRetriedWithoutUsage(data: SessionData, turn: Turn): boolean {
  const usageSetting = getRun(data, turn)?.setup.params.stream_options;
  if (usageSetting?.byDefault !== true || (usageSetting.sent && usageSetting.refused === undefined))
    return false;
  const previousVersions = getAnswerVersions(data, turn).filter(({ seq }) => seq < turn.seq);
  const lastVersion = previousVersions.at(-1);
  const run = getRun(data, lastVersion);
  return run !== undefined && isUsageRefused(run);
}
