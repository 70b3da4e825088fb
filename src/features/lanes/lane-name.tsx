import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useLane, useSessionServices } from '../../state/contexts.tsx';
import { RenameField } from '../../ui/controls/rename-field.tsx';
import { laneMenu } from '../workspace/playground-focus-targets.ts';
import { useOpenPanel } from '../workspace/use-open-panel.ts';
import { getLaneNamePanel } from './lane-menu-items.ts';

/** Name that the user gave to the lane, and the field to change it. */
export function LaneName({ laneId, letter }: { laneId: string; letter: string }) {
  const { actions } = useSessionServices();
  const name = useLane(laneId)?.name;
  const [isRenaming, setIsRenaming] = useOpenPanel(getLaneNamePanel(laneId));
  if (isRenaming)
    return (
      <RenameField
        label={`Name of lane ${letter}`}
        name={name ?? ''}
        isOptional
        nextFocus={laneMenu}
        className="mr-1 h-6 w-40 min-w-24 px-1.75 text-12 max-phone:order-1 max-phone:h-9 max-phone:text-[16px] low:order-1"
        onDone={(next) => {
          setIsRenaming(false);
          if (next !== undefined) actions.renameLane(laneId, next);
        }}
      />
    );
  if (name === undefined) return null;
  return (
    <b
      className="mr-1 max-w-1/2 min-w-12 truncate text-12 font-600 max-phone:order-1 low:order-1"
      dir="auto"
      title={getDisplayTitle(name)}
    >
      {getDisplayTitle(name)}
    </b>
  );
}
