import { clsx } from 'clsx';
import { use, type DragEvent, type HTMLAttributes, type KeyboardEvent } from 'react';

import { getRequestedFormat } from '../../conversation/reply/json-reply-text.ts';
import { isLive } from '../../conversation/reply/run.ts';
import { getCopiedTurn, getLaneLetter, getRunId } from '../../conversation/session/turn-tree.ts';
import { withModelChoice } from '../../conversation/setup/model-key.ts';
import {
  useLane,
  useSession,
  useStableRun,
  useTurn,
  useView,
  useSessionServices,
  useAppServices,
} from '../../state/contexts.tsx';
import { runAndReport } from '../../state/notices.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { getNextFocusAttributes, canHaveFocus } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { Plus } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { LaneWins } from '../compare/lane-wins.tsx';
import { GatewayLabel } from '../health/gateway-label.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { ModelStatus } from '../models/model-status.tsx';
import { OnlyLaneContext, useIsLaneHidden } from '../workspace/only-lane-context.ts';
import {
  getLaneHeaderTarget,
  laneMenu,
  getModelPickerTarget,
  messageField,
  systemPrompt,
} from '../workspace/playground-focus-targets.ts';
import { LaneChips } from './lane-chips.tsx';
import { LaneCost } from './lane-cost.tsx';
import { laneMenuItems } from './lane-menu-items.ts';
import { LaneStatus } from './lane-status.tsx';

const SchemaStatus = lazyComponent(
  'The schema result',
  async () => (await import('./schema-status.tsx')).SchemaStatus,
  { fallback: null, loadTiming: 'first' },
);
const LaneName = lazyComponent(
  ({ letter }) => `The name of lane ${letter}`,
  async () => (await import('./lane-name.tsx')).LaneName,
  { fallback: null, loadTiming: 'first' },
);

/** Header of a lane: model, differences from other lanes, status of the last run, menu. */
export function LaneHeader({ laneId, index }: { laneId: string; index: number }) {
  const { actions } = useSessionServices();
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const isCopy = useSession((data) => getCopiedTurn(data, turn) !== undefined) ?? false;
  const run = useStableRun(isCopy ? undefined : getRunId(turn));
  const isOnlyLane = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const namesHidden = useView((view) => view.namesHidden);
  const drag = useLaneDrag(laneId, !isOnlyLane);
  const onlyLaneId = use(OnlyLaneContext);
  const isHidden = useIsLaneHidden(laneId);
  if (!lane) return null;
  const letter = getLaneLetter(index);
  const live = run !== undefined && isLive(run);
  const status = <LaneStatus key={run?.phase.name} laneId={laneId} run={run} live={live} />;
  // Replaces the chips, because the schema result is more important.
  const hasSchema = run !== undefined && getRequestedFormat(run.setup.params)?.schema !== undefined;
  const schemaStatus = hasSchema && <SchemaStatus run={run} candidateIndex={turn?.shownChoice} />;
  const stop = live && !isOnlyLane && (
    <Button
      variant="stop"
      size="small"
      aria-label={`Stop lane ${letter}`}
      title={`Stop lane ${letter}`}
      className="w-6 max-phone:w-11"
      onClick={() => void actions.stop(run.id)}
    >
      <span className="size-2.5 rounded-[2px] bg-needle" aria-hidden />
    </Button>
  );
  return (
    <section
      ref={moveFocusOnRemoval}
      className={clsx(
        `lane-header @container/lane min-w-0 border-line lane-${letter.toLowerCase()}`,
        // The note on the model has a separate line below.
        'max-phone:relative max-phone:has-[.model-note]:pb-5',
        !isOnlyLane && 'phone:relative phone:has-[.model-note]:pb-4.5 low:has-[.model-note]:pb-0',
        index > 0 && onlyLaneId === undefined && 'max-phone:border-t phone:border-l',
        isHidden && 'hidden',
      )}
      aria-label={`Lane ${letter}`}
      data-lane={letter}
      onKeyDown={focusNeighbourButton}
      {...getLaneHeaderTarget(letter).attributes}
      {...getNextFocusAttributes(laneMenu)}
      {...drag}
    >
      <div
        className={
          isOnlyLane
            ? // The text of the model, not its box, is aligned with the messages.
              'mx-auto flex h-11 w-full max-w-228 items-center gap-1.5 pr-4 pl-22 max-phone:pl-4 low:h-10 flat:h-9 phone:[&_.model-picker:first-child]:-ml-1.75'
            : 'flex flex-col py-2 pr-2.5 pl-4 max-phone:min-h-11 max-phone:flex-row max-phone:items-center max-phone:gap-2 max-phone:py-0 low:h-10 low:flex-row low:items-center low:gap-2 low:py-0 flat:h-9'
        }
      >
        <div
          className={
            isOnlyLane ? 'contents' : 'flex h-7 min-w-0 items-center gap-2 max-phone:contents low:contents'
          }
        >
          {!isOnlyLane && (
            <LaneTile
              letter={letter}
              isSmall={false}
              className={clsx(onlyLaneId !== undefined && 'max-phone:hidden')}
            />
          )}
          {namesHidden ? (
            <span className="text-14/7 text-ink">Model {letter}</span>
          ) : (
            <>
              <GatewayLabel name={lane.setup.gateway} />
              <ModelPicker
                value={lane.setup}
                kind="chat"
                focusTarget={getModelPickerTarget(letter)}
                listBeside=".lane-header"
                onPick={(choice, inNewLane) => {
                  if (inNewLane) actions.addLane(laneId, (setup) => withModelChoice(setup, choice), 'end');
                  else actions.changeSetups([laneId], (setup) => withModelChoice(setup, choice));
                  // Not on touch screens, where the focus would open the keyboard.
                  if (!inNewLane && matchMedia('(hover: hover)').matches) messageField.focus();
                }}
              />
              <ModelStatus choice={lane.setup} />
            </>
          )}
          <span className="grow max-phone:order-2 low:order-2" />
          {isOnlyLane && schemaStatus}
          {isOnlyLane && <span className="contents low:hidden">{status}</span>}
          <span className="flex flex-none max-phone:order-6 low:order-6">
            <LaneMenu laneId={laneId} letter={letter} index={index} />
          </span>
        </div>
        <div
          className={
            isOnlyLane
              ? 'hidden low:contents'
              : 'flex min-h-6 min-w-0 items-center gap-1 pr-1.5 max-phone:contents max-phone:pr-0 low:contents low:pr-0'
          }
        >
          {!isOnlyLane && !namesHidden && <LaneName laneId={laneId} letter={letter} />}
          {!isOnlyLane && hasSchema && (
            <span className="flex flex-none max-phone:order-1 low:order-1">{schemaStatus}</span>
          )}
          {!isOnlyLane && !hasSchema && (
            <span
              className={clsx(
                'flex h-5 min-w-0 flex-wrap gap-1 overflow-hidden max-phone:order-1 max-phone:hidden low:order-1',
                // In the single row of a short window, the name stands for the differences.
                !namesHidden && lane.name !== undefined && 'low:hidden',
              )}
            >
              {namesHidden ? (
                <span className="truncate text-12 text-ink-3">model and settings hidden</span>
              ) : (
                <LaneChips laneId={laneId} isTruncated />
              )}
            </span>
          )}
          {/* Placed left of the flexible space, so that it does not move when the status and its button disappear. */}
          {!isOnlyLane && (
            <span className="flex flex-none max-phone:order-3 max-phone:@max-[420px]/lane:sr-only low:order-3 low:@max-[420px]/lane:sr-only">
              <LaneWins laneId={laneId} />
            </span>
          )}
          <span className="grow max-phone:hidden low:hidden" />
          {!isOnlyLane && (
            <LaneCost
              laneId={laneId}
              className="mr-1.5 max-phone:order-3 max-phone:@max-[420px]/lane:sr-only low:order-3 low:@max-[420px]/lane:sr-only"
            />
          )}
          <AddSystemPrompt />
          {/* Keyed by phase: a reused element would shift when its width changes. */}
          <span
            key={run?.phase.name ?? 'none'}
            className="flex flex-none items-center max-phone:order-4 low:order-4"
          >
            {status}
          </span>
          {stop && <span className="flex flex-none max-phone:order-5 low:order-5">{stop}</span>}
        </div>
      </div>
    </section>
  );
}

/** Button that opens the system prompt in a short window, in which an empty system prompt has no band. */
function AddSystemPrompt() {
  const isEmpty = useSession((data) =>
    data.session.laneIds.every((id) => (data.lanes[id]?.setup.system ?? '') === ''),
  );
  if (isEmpty !== true) return null;
  return (
    <button
      type="button"
      aria-label="Add a system prompt"
      title="Add a system prompt"
      className="hidden h-6 flex-none items-center gap-1.5 rounded-2 px-1.5 text-12 font-medium text-ink-2 hover:bg-hover hover:text-ink low:order-3 low:flex"
      onClick={() => systemPrompt.focus()}
    >
      <Plus className="icon-14" aria-hidden />
      <span className="@max-[420px]/lane:hidden">System</span>
    </button>
  );
}

/** Menu with the actions of a lane. */
function LaneMenu({ laneId, letter, index }: { laneId: string; letter: string; index: number }) {
  const { actions, session, view } = useSessionServices();
  const { notices, gateways } = useAppServices();
  const namesHidden = useView((state) => state.namesHidden);
  const gatewayCount = useGatewayStatuses().length;
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 1;
  const items = laneMenuItems.map(({ label, isDestructive, getDisabledReason, run }): MenuItem => {
    const reason = getDisabledReason({ index, count: laneCount, gatewayCount, namesHidden });
    return {
      label,
      onPick: () => void runAndReport(notices, () => run({ actions, session, view, gateways }, laneId)),
      ...(isDestructive ? { isDestructive: true, startsGroup: true } : {}),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  });
  return <Menu label={`Lane ${letter} menu`} items={items} focusTarget={laneMenu} />;
}

const laneMimeType = 'application/x-bench-lane';

/**
 * Makes a lane header draggable onto another header, whose position the lane takes. The lane menu offers the same by
 * keyboard.
 */
function useLaneDrag(laneId: string, enabled: boolean): HTMLAttributes<HTMLElement> {
  const { actions } = useSessionServices();
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  if (!enabled) return {};
  const isLaneDrag = (event: DragEvent) => event.dataTransfer.types.includes(laneMimeType);
  return {
    draggable: true,
    onDragStart: (event) => {
      // Dragging in the header's fields selects text; only the header itself can be dragged.
      if (event.target !== event.currentTarget) return event.preventDefault();
      event.dataTransfer.setData(laneMimeType, laneId);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event) => {
      if (isLaneDrag(event)) event.preventDefault();
    },
    onDrop: (event) => {
      if (!isLaneDrag(event)) return;
      event.preventDefault();
      const draggedLaneId = event.dataTransfer.getData(laneMimeType);
      const step = laneIds.indexOf(laneId) - laneIds.indexOf(draggedLaneId);
      if (step !== 0) actions.moveLane(draggedLaneId, step);
    },
  };
}

/** For side-by-side parts: Left and Right on a button move to the same button of the neighbouring part. */
function focusNeighbourButton(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: part, target } = event;
  const neighbours: Record<string, Element | null> = {
    ArrowLeft: part.previousElementSibling,
    ArrowRight: part.nextElementSibling,
  };
  const next = neighbours[event.key];
  if (!next || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(target instanceof HTMLButtonElement) || target.closest('[role=menu], [role=toolbar]')) return;
  const listButtons = (container: Element) =>
    [...container.querySelectorAll('button:not([role=menuitem])')].filter(canHaveFocus);
  // Buttons are counted from the end, since a running lane has one more button before its menu.
  const indexFromEnd = listButtons(part).toReversed().indexOf(target);
  const targetButton = listButtons(next).toReversed()[indexFromEnd] ?? listButtons(next).at(-1);
  if (!targetButton) return;
  event.preventDefault();
  targetButton.focus();
}
