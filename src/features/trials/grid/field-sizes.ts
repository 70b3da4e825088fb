/** Measures the values of cases in a sample, so that no text has to be laid out. */
import { clamp, median } from 'es-toolkit';

import { findSentFields } from '../../../trials/cases.ts';
import { getCaseValue, type Case, type CaseId, type Trial } from '../../../trials/trial.ts';

export interface FieldSize {
  field: string;
  /** True if the field is sent to models, or if none is. */
  isSent: boolean;
  /** True if the values are unique, without spaces and not sent. */
  isId: boolean;
  medianChars: number;
  maxChars: number;
}

const maxSampledCases = 200;

/** Measures each field of the trial in its first cases. */
export function measureFields(
  { fields, messages, columns }: Pick<Trial, 'fields' | 'messages' | 'columns'>,
  cases: ReadonlyMap<CaseId, Case>,
): FieldSize[] {
  const sample = [...cases.values()].slice(0, maxSampledCases);
  const sentFields = new Set(findSentFields({ messages, columns }));
  const isAnySent = fields.some((field) => sentFields.has(field));
  return fields.map((field) => {
    const values = sample.map((testCase) => getCaseValue(testCase, field));
    const lengths = values.map((value) => value.length);
    const isSent = !isAnySent || sentFields.has(field);
    return {
      field,
      isSent,
      isId: !isSent && new Set(values).size === values.length && values.every((value) => !/\s/.test(value)),
      medianChars: values.length === 0 ? 0 : median(lengths),
      maxChars: Math.max(0, ...lengths),
    };
  });
}

/** Returns the field that identifies a case to readers: of those sent, the one with the longest texts. */
export function findMainField(sizes: readonly FieldSize[]): string {
  const [main] = sizes.filter(({ isSent }) => isSent).toSorted((a, b) => b.medianChars - a.medianChars);
  return main?.field ?? '';
}

const minFieldPx = 80;
const maxFieldPx = 420;
const maxNarrowFieldPx = 220;
const maxUnsentFieldPx = 200;
const maxIdPx = 120;
const maxFittedPx = 640;

/** Estimates the width of a cell that shows this many characters on one line, in px. */
function estimateTextPx(chars: number): number {
  return Math.ceil(30 + 7 * chars);
}

/**
 * Computes the widths of the fields, in px. The main field is the widest. `isNarrow`: there is not enough room for all
 * columns.
 */
export function computeFieldWidths(sizes: readonly FieldSize[], isNarrow: boolean): number[] {
  const widths = sizes.map(({ field, isSent, isId, medianChars }) => {
    const maxPx = isSent ? (isNarrow ? maxNarrowFieldPx : maxFieldPx) : isId ? maxIdPx : maxUnsentFieldPx;
    // The names are in a smaller font, and a long one is cut.
    const namePx = Math.min(140, 30 + 6 * field.length);
    return clamp(Math.max(namePx, estimateTextPx(medianChars)), minFieldPx, maxPx);
  });
  const mainField = findMainField(sizes);
  return widths.map((width, index) => (sizes[index]?.field === mainField ? Math.max(...widths) : width));
}

/** Returns the width that shows the longest value of the field on one line, in px. */
export function computeFittedWidth({ maxChars }: FieldSize): number {
  return clamp(estimateTextPx(maxChars), minFieldPx, maxFittedPx);
}

/** Returns true if typical values of a field do not fit on one line of its width. */
export function needsSecondLine(sizes: readonly FieldSize[], widths: readonly number[]): boolean {
  return sizes.some(({ medianChars }, index) => estimateTextPx(medianChars) > (widths[index] ?? 0));
}
