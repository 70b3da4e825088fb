/**
 * Limits the size of opaque fields from a file and marks them, so that the user can be warned before the first request
 * sends them.
 */
import { maxOpaqueChars } from '../../gateway/opaque-fields.ts';
import type { Message, OpaqueFields } from '../../gateway/wire.ts';
import { isRecord } from '../../lib/json.ts';
import type { Part, Run } from '../session/types.ts';

/** Marks the opaque fields of the run as imported; a run without any is returned unchanged. */
export function markImportedRun(run: Run): Run {
  if (countOpaqueFields(run.choices) === 0) return run;
  const choices = run.choices.map((choice) => {
    const limitFields = createFieldLimiter();
    const { opaque, ...rest } = choice;
    const parts = choice.parts.map((part): Part => {
      if (part.type !== 'tool-call' || !part.opaque) return part;
      return { ...part, opaque: limitFields(part.opaque) };
    });
    return { ...rest, parts, ...(opaque ? { opaque: limitFields(opaque) } : {}) };
  });
  return { ...run, choices, isImported: true };
}

/** Marks the opaque fields of the messages as imported. */
export function markImportedMessages(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.opaque) return message;
    const limitFields = createFieldLimiter();
    const { fields, calls, ...rest } = message.opaque;
    const opaque = {
      ...rest,
      ...(calls ? { calls: calls.map(limitFields) } : {}),
      ...(fields ? { fields: limitFields(fields) } : {}),
      isImported: true as const,
    };
    return { ...message, opaque };
  });
}

/** Removes the import marks before an export, since an import sets them again. */
export function withoutImportMarks(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.opaque?.isImported) return message;
    const { isImported: _, ...opaque } = message.opaque;
    return { ...message, opaque };
  });
}

/** Removes opaque fields that were imported from a file. */
export function dropImportedFields(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.opaque?.isImported) return message;
    const { opaque: _, ...plain } = message;
    return plain;
  });
}

/** Counts the opaque fields in records, parsed or raw. */
export function countOpaqueFields(value: unknown): number {
  let count = 0;
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) for (const item of next) pending.push(item ?? null);
    if (!isRecord(next)) continue;
    for (const [key, member] of Object.entries(next)) {
      if (key === 'opaque' && isRecord(member)) count += countFields(member);
      else if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  return count;
}

/**
 * Counts the fields of an `opaque` record, which holds either fields by name or the fields of a message and its calls.
 */
function countFields(opaque: Record<string, unknown>): number {
  if (!isRecord(opaque['fields']) && !Array.isArray(opaque['calls'])) {
    return Object.keys(opaque).filter((name) => name !== 'model').length;
  }
  const calls: unknown[] = Array.isArray(opaque['calls']) ? opaque['calls'] : [];
  return [opaque['fields'], ...calls].reduce(
    (count: number, fields) => count + (isRecord(fields) ? Object.keys(fields).length : 0),
    0,
  );
}

/** Creates a filter that keeps a message's opaque fields up to the size limit; no provider sends more. */
function createFieldLimiter(): (fields: OpaqueFields) => OpaqueFields {
  let remainingChars = maxOpaqueChars;
  return (fields) =>
    Object.fromEntries(
      Object.entries(fields).filter(([, text]) => {
        if (text.length > remainingChars) return false;
        remainingChars -= text.length;
        return true;
      }),
    );
}
