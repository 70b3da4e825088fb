import { createContext, useMemo } from 'react';

import {
  contestOf,
  rivalState,
  type Choice,
  type Contest,
} from '../../../conversation/comparison/turn-vote.ts';
import type { Row } from '../../../conversation/session/prompt-rows.ts';
import { usePlayground, useSession, useSessionParts } from '../../../state/use-playground.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';

/** The row that a reply stands in. */
export const ContestRow = createContext<Row | undefined>(undefined);

const noRow: Row = { promptId: '', cells: [], number: 0 };

/** The answers of one row to choose between, and what chooses; undefined where there is one lane. */
export function useContest(row: Row = noRow): {
  contest: Contest | undefined;
  choose: (choice: Choice) => void;
} {
  const { actions } = usePlayground();
  const announce = useAnnounce();
  const states = useSessionParts((data) => row.cells.map(({ turnId }) => rivalState(data, turnId)));
  const laneIds = useSession((data) => data.session.laneIds);
  const votes = useSession((data) => data.prompts[row.promptId]?.better);
  const contest = useMemo(
    () => contestOf(row, laneIds ?? [], states ?? [], votes),
    [row, laneIds, states, votes],
  );
  return { contest, choose: (choice) => announce(actions.chooseBetter(row.promptId, choice)) };
}
