/**
 * Counts the provider fields in a trial's case histories that a column omits, and the provider fields that come from a
 * file.
 */
import { useMemo } from 'react';

import { countRecordFields } from '../../gateway/opaque-fields.ts';
import type { Message, OpaqueRecord } from '../../gateway/wire.ts';
import type { Case, Column, Trial } from '../../trials/trial.ts';
import { useGatewayStatus } from '../health/use-status.ts';
import { useRequestRules } from '../models/use-request-rules.ts';
import { useFullTrialState } from './use-trial.ts';

/** Counts the provider fields that this column does not send, because they were written by another model or gateway. */
export function useOmittedFieldCount(column: Column): number {
  const records = useOpaqueRecords();
  const { messages, setup } = column;
  const gatewayId = useGatewayStatus(setup.gateway)?.id;
  return useMemo(
    () =>
      countFields(
        [...(messages ? listOpaqueRecords(messages) : records.trial), ...records.cases].filter(
          ({ model, gatewayId: writerId }) =>
            model !== setup.model || writerId === undefined || writerId !== gatewayId,
        ),
      ),
    [records, messages, setup.model, gatewayId],
  );
}

/** Counts the provider fields from a file that at least one column sends. */
export function useImportedFieldCount(): number {
  const { trial } = useFullTrialState();
  const records = useOpaqueRecords();
  const { findGateway } = useRequestRules();
  const columnRecords = trial.columns.flatMap(({ messages }) => listOpaqueRecords(messages ?? []));
  return countFields(
    [...records.trial, ...columnRecords, ...records.cases].filter(
      (record) =>
        record.isImported &&
        record.gatewayId !== undefined &&
        trial.columns.some(
          ({ setup }) => setup.model === record.model && findGateway?.(setup)?.id === record.gatewayId,
        ),
    ),
  );
}

function useOpaqueRecords(): { trial: OpaqueRecord[]; cases: OpaqueRecord[] } {
  const { trial, cases } = useFullTrialState();
  const { messages, updatedAt } = trial;
  // The map of cases is mutated in place, so the time of the last change indicates whether its content has changed.
  return useMemo(() => collectOpaqueRecords(messages, cases, updatedAt), [messages, cases, updatedAt]);
}

function collectOpaqueRecords(
  messages: Trial['messages'],
  cases: ReadonlyMap<string, Case>,
  _updatedAt: number,
): { trial: OpaqueRecord[]; cases: OpaqueRecord[] } {
  const caseRecords = [...cases.values()].flatMap(({ history }) =>
    history ? listOpaqueRecords(history) : [],
  );
  return { trial: listOpaqueRecords(messages), cases: caseRecords };
}

function listOpaqueRecords(messages: readonly Message[]): OpaqueRecord[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' && message.opaque ? [message.opaque] : [],
  );
}

function countFields(records: readonly OpaqueRecord[]): number {
  return records.reduce((sum, record) => sum + countRecordFields(record), 0);
}
