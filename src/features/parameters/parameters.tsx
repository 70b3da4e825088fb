import { clsx } from 'clsx';
import { useEffect, useEffectEvent } from 'react';

import { getLaneLetter, getRun } from '../../conversation/session/turn-tree.ts';
import type { LaneId, Run, SessionData, TurnId, Setup } from '../../conversation/session/types.ts';
import type { Params } from '../../conversation/setup/params.ts';
import {
  useLearnedRecords,
  useSessionShallow,
  useView,
  useSessionServices,
  useAppServices,
} from '../../state/contexts.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { useGatewayStatuses } from '../health/use-status.ts';
import { useFindModel } from '../models/use-model-lists.ts';
import { SetupUndo } from '../workspace/undo.tsx';
import { useCloseOnEscape } from '../workspace/use-close-on-escape.ts';
import { useParametersOpen } from '../workspace/use-parameters-open.ts';
import { buildFieldRemark, type RemarkedLane } from './field-remarks.ts';
import { ParameterSidebar } from './parameter-sidebar.tsx';
import { PresetsMenu } from './presets-menu.tsx';
import { editParameters, resetParameters } from './setup-actions.ts';

/**
 * Sidebar with the parameters of the lanes in scope. If all lanes are in scope, an edit sets the edited parameter in
 * every lane.
 */
export function Parameters() {
  const { actions, view } = useSessionServices();
  const { gateways, learnedModels } = useAppServices();
  const findListedModel = useFindModel();
  const namesHidden = useView((state) => state.namesHidden);
  useLearnedRecords();
  useGatewayStatuses();
  const [isOpen, setIsOpen, isOverlay] = useParametersOpen();
  useCloseOnEscape(isOpen && isOverlay, () => setIsOpen(false));
  // Called here because this component may load after the screen, and a sheet takes the focus when it is mounted.
  useSheet(useMediaQuery('(width < 600px)') && isOpen, () => setIsOpen(false));
  const lanes = useSessionShallow((data) =>
    data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? []),
  );
  const failedRuns = useSessionShallow((data) =>
    data.session.laneIds.map((laneId) => findFailedRun(data, data.lanes[laneId]?.tip)),
  );
  const scope = useView((state) => state.scope);
  const activeLane = lanes?.find((lane) => lane.id === scope) ?? lanes?.[0];
  if (!isOpen || !lanes || !activeLane) return null;
  const scopedLanes = lanes.filter((lane) => scope === undefined || lane.id === scope);

  const targetLaneIds = scopedLanes.map((lane) => lane.id);

  const onEdit = (edit: (params: Params) => Params, letter?: string) =>
    editParameters(
      actions,
      letter === undefined
        ? targetLaneIds
        : lanes.filter((_, index) => getLaneLetter(index) === letter).map(({ id }) => id),
      edit,
    );

  const remarkedLanes = scopedLanes.map((lane): RemarkedLane => ({
    setup: lane.setup,
    modelLabel: namesHidden ? `the model of lane ${getLaneLetter(lanes.indexOf(lane))}` : lane.setup.model,
    record: findListedModel(lane.setup),
    refusedFields: learnedModels.getRefusedFields(lane.setup),
    failedRun: failedRuns?.[lanes.indexOf(lane)],
  }));

  return (
    <ParameterSidebar
      // On phones it is a sheet that covers the lanes.
      className={clsx(
        'max-phone:fixed max-phone:inset-[max(56px,min(92px,12dvh))_0_0] max-phone:z-21 max-phone:animate-sheet',
        'max-phone:overflow-hidden max-phone:rounded-t-[16px] max-phone:shadow-e-3',
      )}
      params={activeLane.setup.params}
      lanes={lanes.map((lane, index) => ({ letter: getLaneLetter(index), params: lane.setup.params }))}
      scopeLetters={scopedLanes.map((lane) => getLaneLetter(lanes.indexOf(lane)))}
      model={activeLane.setup.model}
      onEdit={onEdit}
      isDemo={scopedLanes.every(({ setup }) => gateways.getStatus(setup.gateway)?.demo === true)}
      getRemark={(name) => buildFieldRemark(name, remarkedLanes)}
      onAllow={(name) => actions.clearRefusedField(targetLaneIds, name)}
      onReset={() => resetParameters(actions, targetLaneIds)}
      onClose={() => setIsOpen(false)}
      presets={
        <PresetsMenu
          setup={activeLane.setup}
          sourceLabel={lanes.length > 1 ? `lane ${getLaneLetter(lanes.indexOf(activeLane))}` : 'this lane'}
          targets={scopedLanes}
        />
      }
      afterReasoning={
        <SendReasoning
          setups={scopedLanes.map(({ setup }) => setup)}
          onChange={(edit) => actions.changeSetups(targetLaneIds, edit)}
        />
      }
      footer={<SetupUndo />}
      scope={
        lanes.length > 1 && (
          <ScopeChoice
            laneIds={lanes.map((lane) => lane.id)}
            scope={scope}
            onChange={(next) => view.setState({ scope: next })}
          />
        )
      }
    />
  );
}

/**
 * Returns the run of this turn if it failed. Other runs provide no information about fields, and they change while
 * streaming.
 */
function findFailedRun(data: SessionData, turnId: TurnId | undefined): Run | undefined {
  const run = getRun(data, turnId === undefined ? undefined : data.turns[turnId]);
  return run?.phase.name === 'failed' ? run : undefined;
}

interface ScopeProps {
  laneIds: readonly LaneId[];
  scope: LaneId | undefined;
  onChange: (scope: LaneId | undefined) => void;
}

const allLanes = 'all';

function ScopeChoice({ laneIds, scope, onChange }: ScopeProps) {
  const choices = [
    { value: allLanes, label: 'All lanes' },
    ...laneIds.map((laneId, index) => ({
      value: laneId,
      label: `Lane ${getLaneLetter(index)}`,
      content: <LaneTile letter={getLaneLetter(index)} />,
    })),
  ];
  return (
    <div className="grid flex-none max-phone:flex-auto">
      <Segmented
        label="Scope"
        value={scope ?? allLanes}
        choices={choices}
        onChange={(value) => onChange(value === allLanes ? undefined : value)}
      />
    </div>
  );
}

/** Distance in px that the sheet must be dragged down to close it. */
const minCloseDragPx = 80;

/**
 * Turns a part of the page (`data-sheet`) into a modal sheet while it is open. The rest of the page
 * (`data-behind-sheet`) is inert. Pressing Escape or dragging the sheet's handle (`data-sheet-grip`) down closes it. Focus moves in
 * (`data-sheet-start`) and returns on close.
 */
function useSheet(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const sheet = document.querySelector<HTMLElement>('[data-sheet]');
    const elementsBehind = document.querySelectorAll<HTMLElement>('[data-behind-sheet]');
    const opener = document.activeElement;
    for (const element of elementsBehind) element.inert = true;
    sheet?.querySelector<HTMLElement>('[data-sheet-start]')?.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    let startY: number | undefined;
    const onDragMove = (event: PointerEvent) => {
      if (!sheet || startY === undefined) return;
      sheet.style.translate = `0 ${Math.max(0, event.clientY - startY)}px`;
    };
    const onDragStart = (event: PointerEvent) => {
      const isHead =
        event.target instanceof Element &&
        event.target.closest('[data-sheet-grip]') &&
        !event.target.closest('button');
      if (isHead) startY = event.clientY;
    };
    const onDragEnd = (event: PointerEvent) => {
      if (!sheet || startY === undefined) return;
      const isPastThreshold = event.type === 'pointerup' && event.clientY - startY > minCloseDragPx;
      startY = undefined;
      sheet.style.translate = '';
      if (isPastThreshold) close();
    };
    const abortController = new AbortController();
    const { signal } = abortController;
    document.addEventListener('keydown', onKeyDown, { signal });
    sheet?.addEventListener('pointerdown', onDragStart, { signal });
    document.addEventListener('pointermove', onDragMove, { signal });
    document.addEventListener('pointerup', onDragEnd, { signal });
    document.addEventListener('pointercancel', onDragEnd, { signal });
    return () => {
      abortController.abort();
      for (const element of elementsBehind) element.inert = false;
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [isOpen]);
}

type ReasoningChoice = 'with calls' | NonNullable<Setup['sendReasoning']>;

const choices: readonly { value: ReasoningChoice; label: string }[] = [
  { value: 'with calls', label: 'With tool calls' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
];

interface SendReasoningProps {
  /** Setups of the lanes in scope; the first one is shown. */
  setups: readonly Setup[];
  onChange: (edit: (setup: Setup) => Setup) => void;
}

/** Setting for when the reasoning of earlier answers is sent back to the model. */
function SendReasoning({ setups, onChange }: SendReasoningProps) {
  const values = setups.map(({ sendReasoning }): ReasoningChoice => sendReasoning ?? 'with calls');
  const [value = 'with calls'] = values;
  return (
    <div className="grid gap-1 py-1.5 max-phone:px-4">
      <span className="text-12 text-ink-2">
        Send reasoning back
        {values.some((item) => item !== value) && <span className="text-ink-3"> (lanes differ)</span>}
      </span>
      <div className="grid justify-start max-phone:justify-stretch">
        <Segmented
          label="Send reasoning back"
          value={value}
          choices={choices}
          onChange={(next) =>
            onChange(({ sendReasoning: _, ...setup }) =>
              next === 'with calls' ? setup : { ...setup, sendReasoning: next },
            )
          }
        />
      </div>
    </div>
  );
}
