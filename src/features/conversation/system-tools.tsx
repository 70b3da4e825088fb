import { useState } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { getSystemKey, withSystemRole } from '../../conversation/setup/setup.ts';
import { useSession, useSessionServices, useSessionShallow } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { Clock, FoldHorizontal } from '../../ui/late-icons.tsx';
import { systemPrompt } from '../workspace/playground-focus-targets.ts';
import { SystemPromptHistory } from './system-prompt-history.tsx';

interface SystemToolsProps {
  /** Lanes that have the prompt. */
  laneIds: readonly LaneId[];
  /** Position of the only lane that has the prompt. */
  index: number | undefined;
  /** True if the prompt is not empty. */
  isSent: boolean;
}

/** Buttons beside a system prompt: its history, and whether each lane has its own. */
export function SystemTools({ laneIds, index, isSent }: SystemToolsProps) {
  const nameSuffix = index === undefined ? '' : `, lane ${getLaneLetter(index)}`;
  return (
    <>
      <HistoryButton laneIds={laneIds} label={`System prompt history${nameSuffix}`} isSent={isSent} />
      {index === undefined && laneIds.length > 1 && <SplitButton />}
      {index === 0 && <JoinButton />}
    </>
  );
}

/** Opens the history, once there is a prompt or an answer. */
function HistoryButton({
  laneIds,
  label,
  isSent,
}: {
  laneIds: readonly LaneId[];
  label: string;
  isSent: boolean;
}) {
  const hasAnswers = useSession((data) => Object.values(data.turns).some((turn) => turn.reply)) ?? false;
  const [isOpen, setIsOpen] = useState(false);
  if (!hasAnswers && !isSent) return null;
  return (
    <>
      <IconButton size="small" label={label} onClick={() => setIsOpen(true)}>
        <Clock className="icon-14" aria-hidden />
      </IconButton>
      {isOpen && <SystemPromptHistory laneIds={laneIds} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Shows a field for each lane. */
function SplitButton() {
  const { view } = useSessionServices();
  return (
    <Button
      variant="ghost"
      size="small"
      {...getNextFocusAttributes(systemPrompt)}
      onClick={() => view.setState({ splitsSystemPrompt: true })}
    >
      Different in each lane
    </Button>
  );
}

/** Uses the prompt of the first lane in all lanes, edited in one field. */
function JoinButton() {
  const { actions, view } = useSessionServices();
  const setups =
    useSessionShallow((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId]?.setup ?? [])) ??
    [];
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  const joinLanes = () => {
    const [first] = setups;
    view.setState({ splitsSystemPrompt: false, scope: undefined });
    if (!first || setups.every((setup) => getSystemKey(setup) === getSystemKey(first))) return;
    actions.replaceSetups(
      laneIds,
      (setup) => withSystemRole({ ...setup, system: first.system }, first.systemRole),
      'Used the system prompt of lane A in all lanes.',
    );
  };
  return (
    <IconButton
      size="small"
      label="Same in all lanes"
      {...getNextFocusAttributes(systemPrompt)}
      onClick={joinLanes}
    >
      <FoldHorizontal className="icon-14" aria-hidden />
    </IconButton>
  );
}
