import type { ParamRow, Params, ParamState } from '../../conversation/setup/params.ts';

/** Props of every row control. */
export interface RowControlProps {
  row: ParamRow;
  /** Accessible name: the name of the row or, for example, `Lane A temperature`. */
  label: string;
  /** True for the small box of one lane below the row, which edits only that lane. */
  isBoxed: boolean;
  params: Params;
  /** Current text; empty while the field is not sent. */
  text: string;
  /** Most recent text, even while the field is not sent. */
  lastText: string;
  isSent: boolean;
  state: ParamState;
  /**
   * Text shown instead of a value if the lanes in scope have different values. Stepping is disabled until the user
   * enters a value.
   */
  mixedText?: string;
  /** IDs of the descriptions below the row. */
  describedBy: string | undefined;
  onText: (text: string) => void;
  onUnset: () => void;
}
