import type { Run, Setup } from '../../conversation/session/types.ts';
import { isUnset, type ParamName, type RefusedFields } from '../../conversation/setup/params.ts';
import { listFieldRefusals, getParamOfField } from '../../conversation/setup/refused-fields.ts';
import { isFieldUnlisted, type ModelRecord } from '../../gateway/models/model-record.ts';
import { formatList } from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';

/** Remark on whether the models of the lanes in scope accept a row's field. */
export interface FieldRemark {
  text: string;
  /** True if the last request failed because of the field and the next request would send it again. */
  isError: boolean;
  /** Label of the button that sends the omitted field again. */
  allowLabel?: string;
  /** True if the field is omitted although its row is enabled. */
  isOmitted: boolean;
}

export interface RemarkedLane {
  setup: Setup;
  /** Name of the lane's model, or of the lane if names are hidden. */
  modelLabel: string;
  record: ModelRecord | undefined;
  refusedFields: RefusedFields;
  /** Run at the end of the lane's path, if it failed. */
  failedRun: Run | undefined;
}

/** Describes how models treat a row's field; undefined if nothing is known. */
export function buildFieldRemark(name: ParamName, lanes: readonly RemarkedLane[]): FieldRemark | undefined {
  const refusals = lanes.flatMap((lane) =>
    Object.entries(lane.refusedFields)
      .filter(([field]) => getParamOfField(field) === name && (field === name || hasExtraField(lane, field)))
      .map(([field, sentName]) => ({ lane, field, sentName })),
  );
  const hasLearnedRefusal = (lane: RemarkedLane) => refusals.some((refusal) => refusal.lane === lane);
  const unlistedLanes = lanes.filter(
    (lane) => !hasLearnedRefusal(lane) && lane.record !== undefined && isUnlisted(lane.record, name),
  );
  const renamedFields = refusals.filter(({ sentName }) => sentName !== null);
  const omittedFields = refusals.filter(({ sentName }) => sentName === null);
  const sentNames = [
    ...new Set(renamedFields.map(({ sentName }) => sanitizeForSentence(sentName ?? '', 40))),
  ];
  const formatModels = (remarkedLanes: readonly RemarkedLane[]) =>
    formatList([...new Set(remarkedLanes.map(({ modelLabel }) => modelLabel))]);
  const omittedNames = formatList([
    ...new Set(omittedFields.map(({ field }) => sanitizeForSentence(field, 40))),
  ]);
  const appliesToAllLanes = new Set(renamedFields.map(({ lane }) => lane)).size === lanes.length;
  const notAcceptingLanes = [...omittedFields.map(({ lane }) => lane), ...unlistedLanes];
  const rejectingLanes = lanes.filter((lane) => !hasLearnedRefusal(lane) && wasRefusedInLastRun(lane, name));
  const phrases = [
    ...(sentNames.length > 0
      ? [
          `sent as ${formatList(sentNames)}${appliesToAllLanes ? '' : ` to ${formatModels(renamedFields.map(({ lane }) => lane))}`}`,
        ]
      : []),
    ...(notAcceptingLanes.length > 0
      ? [
          `${omittedNames === name || omittedNames === '' ? '' : `${omittedNames}: `}not accepted by ${formatModels(notAcceptingLanes)}`,
        ]
      : []),
    ...(rejectingLanes.length > 0 ? [`rejected by ${formatModels(rejectingLanes)} in the last request`] : []),
  ];
  if (phrases.length === 0) return undefined;
  return {
    text: phrases.join('; '),
    isError: rejectingLanes.length > 0,
    isOmitted: omittedFields.some(({ field }) => field === name),
    ...(omittedFields.length > 0
      ? { allowLabel: 'Send anyway' }
      : renamedFields.length > 0
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

function wasRefusedInLastRun({ setup, failedRun }: RemarkedLane, name: ParamName): boolean {
  if (failedRun === undefined || failedRun.setup.model !== setup.model || isUnset(setup.params, name))
    return false;
  const isSameValue = failedRun.setup.params[name]?.text === setup.params[name]?.text;
  return (
    isSameValue &&
    listFieldRefusals(failedRun).some(
      ({ field, kind }) => kind !== 'missing' && getParamOfField(field) === name,
    )
  );
}
