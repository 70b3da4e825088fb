import type { ParamRow, Params, ParamState } from '../../../conversation/params.ts';
import type { LaneValue } from './lane-values.ts';

/** What every control of a row is given. */
export interface RowControl {
  row: ParamRow;
  params: Params;
  /** What was typed, or nothing while it is not sent. */
  text: string;
  /** What was typed last, also while it is not sent. */
  lastText: string;
  isSent: boolean;
  state: ParamState;
  /** Ids of the sentences under the row. */
  describedBy: string | undefined;
  /** The lanes' values where they are not all the same. */
  differing: readonly LaneValue[] | undefined;
  onText: (text: string) => void;
  onUnset: () => void;
}
