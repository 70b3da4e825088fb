import type { Run, Setup } from '../../../conversation/session/types.ts';
import { isUnset, type ParamName, type RefusedFields } from '../../../conversation/setup/params.ts';
import { listFieldRefusals, getParamOfField } from '../../../conversation/setup/refused-fields.ts';
import { isFieldUnlisted, type ModelRecord } from '../../../gateway/models/model-record.ts';
import { formatList } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';

/** Remark on whether the models of the lanes in scope accept the field of a row. */
export interface FieldRemark {
  text: string;
  /** True if the last request failed for it and the next one would send it again. */
  isError: boolean;
  /** Label of the button that sends the field again as it was set. */
  allowLabel?: string;
  /** The field is left out, also where its row is ticked. */
  isOmitted: boolean;
}

export interface RemarkedLane {
  setup: Setup;
  /** Name of its model, or the lane if names are hidden. */
  modelLabel: string;
  record: ModelRecord | undefined;
  refusedFields: RefusedFields;
  /** Run at the end of its path, if it failed. */
  lastRun: Run | undefined;
}

/** Describes how models treat a row's field; undefined if nothing is known. */
export function describeField(name: ParamName, lanes: readonly RemarkedLane[]): FieldRemark | undefined {
  const refusals = lanes.flatMap((lane) =>
    Object.entries(lane.refusedFields)
      .filter(([field]) => getParamOfField(field) === name && (field === name || hasExtraField(lane, field)))
      .map(([field, sentName]) => ({ lane, field, sentName })),
  );
  const isRefused = (lane: RemarkedLane) => refusals.some((refusal) => refusal.lane === lane);
  const unlisted = lanes.filter(
    (lane) => !isRefused(lane) && lane.record !== undefined && isUnlisted(lane.record, name),
  );
  const replaced = refusals.filter(({ sentName }) => sentName !== null);
  const omitted = refusals.filter(({ sentName }) => sentName === null);
  const renames = [...new Set(replaced.map(({ sentName }) => sanitizeForSentence(sentName ?? '', 40)))];
  const formatModels = (remarkedLanes: readonly RemarkedLane[]) =>
    formatList([...new Set(remarkedLanes.map(({ modelLabel }) => modelLabel))]);
  const fields = formatList([...new Set(omitted.map(({ field }) => sanitizeForSentence(field, 40)))]);
  const appliesToAllLanes = new Set(replaced.map(({ lane }) => lane)).size === lanes.length;
  const notAccepted = [...omitted.map(({ lane }) => lane), ...unlisted];
  const rejectingLanes = lanes.filter((lane) => !isRefused(lane) && wasRefused(lane, name));
  const phrases = [
    ...(renames.length > 0
      ? [
          `sent as ${formatList(renames)}${appliesToAllLanes ? '' : ` to ${formatModels(replaced.map(({ lane }) => lane))}`}`,
        ]
      : []),
    ...(notAccepted.length > 0
      ? [
          `${fields === name || fields === '' ? '' : `${fields}: `}not accepted by ${formatModels(notAccepted)}`,
        ]
      : []),
    ...(rejectingLanes.length > 0 ? [`refused by ${formatModels(rejectingLanes)} in the last answer`] : []),
  ];
  if (phrases.length === 0) return undefined;
  return {
    text: phrases.join('; '),
    isError: rejectingLanes.length > 0,
    isOmitted: omitted.some(({ field }) => field === name),
    ...(omitted.length > 0
      ? { allowLabel: 'Send anyway' }
      : replaced.length > 0
        ? { allowLabel: `Send as ${name}` }
        : {}),
  };
}

function isUnlisted(record: ModelRecord, name: ParamName): boolean {
  return name !== 'Extra provider fields' && isFieldUnlisted(record, name);
}

function hasExtraField({ setup }: RemarkedLane, field: string): boolean {
  return Object.hasOwn(setup.params['Extra provider fields']?.refused ?? {}, field);
}

function wasRefused({ setup, lastRun }: RemarkedLane, name: ParamName): boolean {
  if (lastRun === undefined || lastRun.setup.model !== setup.model || isUnset(setup.params, name))
    return false;
  const isSameValue = lastRun.setup.params[name]?.text === setup.params[name]?.text;
  return (
    isSameValue &&
    listFieldRefusals(lastRun).some(
      ({ field, kind }) => kind !== 'missing' && getParamOfField(field) === name,
    )
  );
}
