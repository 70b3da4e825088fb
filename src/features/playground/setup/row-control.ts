import type { ParamRow, Params, ParamState } from '../../../conversation/setup/params.ts';

/** What every control of a row is given. */
export interface RowControlProps {
  row: ParamRow;
  /** Accessible name: that of the row, or `Lane A temperature`. */
  label: string;
  /** It is the small box of one lane, under the row, and writes to that. */
  isBoxed: boolean;
  params: Params;
  /** What was typed, or nothing while it is not sent. */
  text: string;
  /** What was typed last, also while it is not sent. */
  lastText: string;
  isSent: boolean;
  state: ParamState;
  /** The lanes that it writes to do not agree: what stands in place of a value. Nothing steps until one is given. */
  mixedText?: string;
  /** Ids of the sentences under the row. */
  describedBy: string | undefined;
  onText: (text: string) => void;
  onUnset: () => void;
}
