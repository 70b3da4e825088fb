import { clsx } from 'clsx';

import { countNextImportedFields } from '../../conversation/request/request.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { pluralize } from '../../lib/format.ts';
import { useSession, useSessionServices, useSessionShallow, useView } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useRequestRules } from '../models/use-request-rules.ts';

/** Returns the lanes that receive the next message, in order: all except deselected ones. */
export function useTargetLanes(): LaneId[] {
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const notTo = useView((view) => view.notTo);
  return laneIds.length === 1 ? laneIds : laneIds.filter((laneId) => !notTo.includes(laneId));
}

/** Lanes that receive the next message, if there are several: one lettered checkbox per lane. */
export function TargetCheckboxes({ className }: { className: string }) {
  const { view } = useSessionServices();
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const notTo = useView((state) => state.notTo);
  if (laneIds.length < 2) return null;
  return (
    <span
      className={clsx(
        'ml-1 inline-flex items-center gap-1 border-l border-line-2 pl-3 text-12 text-ink-3 normal-nums',
        'max-phone:m-0 max-phone:border-0 max-phone:p-0',
        className,
      )}
      role="group"
      aria-label="Send to"
    >
      To
      {laneIds.map((laneId, index) => {
        const letter = getLaneLetter(index);
        const isTarget = !notTo.includes(laneId);
        return (
          <label
            key={laneId}
            className="relative inline-grid size-6 cursor-pointer place-items-center rounded-2 has-focus-visible:outline-2 has-focus-visible:outline-ink max-phone:size-11"
            title={`Lane ${letter}`}
          >
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={`To lane ${letter}`}
              checked={isTarget}
              onChange={() =>
                view.setState({ notTo: isTarget ? [...notTo, laneId] : notTo.filter((id) => id !== laneId) })
              }
            />
            <LaneTile letter={letter} isInactive={!isTarget} />
          </label>
        );
      })}
    </span>
  );
}

/** Note that the next request sends provider fields from an imported file, with a button to remove them. */
export function ImportedFields({ targets }: { targets: readonly LaneId[] }) {
  const { actions } = useSessionServices();
  const rules = useRequestRules();
  const count =
    useSession((data) => {
      if (data.session.importedFields !== 'new') return 0;
      const lanes = targets.flatMap((id) => data.lanes[id] ?? []);
      return lanes.reduce((sum, lane) => sum + countNextImportedFields(data, lane, rules), 0);
    }) ?? 0;
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-3.5 pt-2 text-12 text-warn-ink" role="status">
      Also sends {pluralize(count, 'extra field')} from the imported file.
      <Button size="small" onClick={() => actions.omitImportedFields()}>
        Leave out
      </Button>
    </p>
  );
}
