import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { getComparisonBlocker } from '../../conversation/comparison/comparison-blocker.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import {
  useInspector,
  useSession,
  useView,
  useSessionServices,
  useSessionShallow,
  useAppServices,
} from '../../state/contexts.tsx';
import { runAndReport } from '../../state/notices.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { IconButton, iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { lazyOverlay, lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import {
  Diff,
  Ellipsis,
  Eye,
  EyeOff,
  PanelRight,
  Plus,
  SquarePen,
  Table2,
  ChevronDown,
} from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { TurnsButton } from '../find/turns-button.tsx';
import { InspectControls } from '../inspector/inspect-controls.tsx';
import { getLaneLimitReason } from '../lanes/lane-menu-items.ts';
import { importFromDialog, useSessionFileServices } from '../session-files/session-file-actions.ts';
import { BarButton } from '../workspace/bar-button.tsx';
import { openModelPicker } from '../workspace/playground-focus-targets.ts';
import {
  hideParametersButton,
  showParametersButton,
  sessionMenu,
} from '../workspace/playground-focus-targets.ts';
import { useOpenPanel } from '../workspace/use-open-panel.ts';
import { useParametersOpen } from '../workspace/use-parameters-open.ts';
import { SessionCost } from './session-cost.tsx';
import { sessionMenuItems } from './session-menu-items.ts';

const ShareSetup = lazyOverlay(
  'The share dialog',
  async () => (await import('./share-setup.tsx')).ShareSetup,
);
const RenameField = lazyComponent(
  'The title field',
  async () => (await import('../../ui/controls/rename-field.tsx')).RenameField,
  { fallback: null, loadTiming: 'first' },
);
const LaneRail = lazyComponent('The lane toolbar', async () => (await import('./lane-rail.tsx')).LaneRail, {
  fallback: null,
  loadTiming: 'first',
});
const CompareTexts = lazyOverlay(
  'The comparison',
  async () => (await import('../compare/compare-texts.tsx')).CompareTexts,
);
const SummaryDialog = lazyOverlay(
  'The summary',
  async () => (await import('../compare/summary-dialog.tsx')).SummaryDialog,
);

const onlyOneLaneReason = 'Add another lane first';

/** Title and menu of the session, the position in the session, and tools. */
export function SessionBar() {
  const { actions, view } = useSessionServices();
  const title = useSession((data) => data.session.title) ?? '';
  const bar = useRef<HTMLDivElement>(null);
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 1;
  const namesHidden = useView((state) => state.namesHidden);
  const [areParametersOpen, setParametersOpen] = useParametersOpen();
  const isInspecting = useInspector((state) => state.isOpen);
  const [isRenaming, setIsRenaming] = useState(false);
  const [isSharing, setIsSharing] = useOpenPanel('share');
  const [isComparing, setIsComparing] = useOpenPanel('text difference');
  const [isSummaryOpen, setIsSummaryOpen] = useOpenPanel('summary');
  const hasAnswers = useSession((data) => Object.values(data.turns).some((turn) => turn.reply)) ?? false;
  const comparisonBlocker = useSession(getComparisonBlocker);
  const noAnswersReason = hasAnswers ? undefined : 'No answers yet';
  const addLane = () => {
    // Rendered now, so that the picker of the new lane exists.
    flushSync(() => actions.addLane());
    // On phones the list would cover the conversation.
    if (matchMedia('(width >= 600px)').matches) openModelPicker(getLaneLetter(laneCount));
  };

  return (
    <>
      {/* On phones the bar is part of the top bar, between its menu and the health badge. */}
      <div
        className={clsx(
          'group/bar @container/session-bar isolate flex h-11 min-w-0 flex-none items-center gap-1 border-b border-line',
          'bg-bench pr-2.5 pl-2 max-phone:fixed max-phone:inset-[0_132px_auto_46px] max-phone:z-1 max-phone:h-12',
          'max-phone:border-0 max-phone:bg-transparent max-phone:p-0 flat:h-9',
          'max-phone:supports-[right:anchor(--top-r_left)]:right-[anchor(--top-r_left,132px)]',
        )}
        data-region="session-bar"
        ref={bar}
      >
        {isRenaming ? (
          <RenameField
            label="Session title"
            name={title}
            nextFocus={sessionMenu}
            className="h-7 w-[min(360px,60%)] px-1.75 text-13 font-600 normal-nums max-phone:h-11 max-phone:w-full max-phone:text-[16px]/6"
            onDone={(next) => {
              setIsRenaming(false);
              if (next !== undefined) void actions.renameSession(next);
            }}
          />
        ) : (
          <h1
            className="min-w-0 truncate pl-2 text-13 font-600 normal-nums max-phone:text-[16px]/11 max-phone:tracking-[-0.006em]"
            dir="auto"
            title={getDisplayTitle(title)}
          >
            {getDisplayTitle(title)}
          </h1>
        )}
        <SessionMenu onRename={() => setIsRenaming(true)} />
        <TurnsButton />
        <SessionCost className="ml-1 max-phone:hidden" />
        {/* An inspected lane is the only visible lane; the switch on the right selects a different one. */}
        {laneCount > 1 && !isInspecting && <LaneRail bar={bar} />}
        <span className="flex-1 max-phone:hidden" />
        <button
          type="button"
          className={clsx(iconButtonVariants(), '-ml-1 phone:hidden')}
          aria-label="Session tools"
          popoverTarget="session-tools"
        >
          <Ellipsis className="icon-20" aria-hidden />
        </button>
        {/* A menu on phones, otherwise a plain row, as with the workspaces in the top bar. */}
        <div
          id="session-tools"
          popover="auto"
          className={clsx(
            'overflow-visible bg-transparent text-inherit',
            'phone:static phone:flex phone:h-auto phone:w-auto phone:items-center phone:gap-1',
            'max-phone:inset-[48px_8px_auto_auto] max-phone:min-w-52 max-phone:flex-col max-phone:rounded-3',
            'max-phone:border max-phone:border-line-2 max-phone:bg-raised max-phone:p-1 max-phone:shadow-e-2',
            'max-phone:open:flex',
          )}
        >
          <SessionCost hasLabel className="px-3 py-2 phone:hidden" />
          {/* Temporary buttons are on the left, so that no button moves under the pointer. */}
          {!areParametersOpen && !isInspecting && (
            <IconButton
              label="Show parameters"
              className="max-phone:hidden"
              shortcut="Ctrl \"
              {...showParametersButton.attributes}
              {...getNextFocusAttributes(hideParametersButton)}
              onClick={() => setParametersOpen(true)}
            >
              <PanelRight className="icon-16" aria-hidden />
            </IconButton>
          )}
          <BarButton
            icon={SquarePen}
            label="New session"
            labelPriority="first"
            onClick={() => void actions.createSession()}
          />
          <BarButton
            icon={namesHidden ? Eye : EyeOff}
            label={namesHidden ? 'Show names' : 'Hide names'}
            labelPriority="last"
            className="@min-[1001px]/session-bar:min-w-29"
            onClick={() => view.setState({ namesHidden: !namesHidden })}
            disabledReason={laneCount > 1 || namesHidden ? undefined : onlyOneLaneReason}
          />
          <BarButton
            icon={Diff}
            label="Compare texts"
            labelPriority="next"
            onClick={() => setIsComparing(true)}
            disabledReason={comparisonBlocker}
          />
          <BarButton
            icon={Table2}
            label="Summary"
            onClick={() => setIsSummaryOpen(true)}
            disabledReason={noAnswersReason}
          />
          <BarRule />
          <InspectControls />
          <BarRule />
          <BarButton
            icon={Plus}
            label="Add lane"
            labelPriority="last"
            onClick={addLane}
            disabledReason={getLaneLimitReason({ count: laneCount })}
          />
        </div>
      </div>
      {isSharing && <ShareSetup onClose={() => setIsSharing(false)} />}
      {isComparing && <CompareTexts onClose={() => setIsComparing(false)} />}
      {isSummaryOpen && <SummaryDialog onClose={() => setIsSummaryOpen(false)} />}
    </>
  );
}

function BarRule() {
  return (
    <i
      aria-hidden
      className="mx-1 h-5 w-px flex-none bg-line-2 max-phone:hidden @max-[700px]/session-bar:hidden"
    />
  );
}

/** Menu of the session beside its title. */
function SessionMenu({ onRename }: { onRename: () => void }) {
  const { session, actions } = useSessionServices();
  const { notices } = useAppServices();
  const fileServices = useSessionFileServices();
  const reasons = useSessionShallow((data) =>
    sessionMenuItems.map(({ getDisabledReason }) => getDisabledReason?.(data)),
  );
  const items = sessionMenuItems.map(({ label, hint, startsGroup, isDestructive, run }, index): MenuItem => {
    const reason = reasons?.[index];
    return {
      label,
      onPick: () => {
        const data = getCurrentSession(session.getState());
        if (data) void runAndReport(notices, () => run({ ...fileServices, actions }, data));
      },
      ...(hint === undefined ? {} : { hint }),
      ...(startsGroup ? { startsGroup } : {}),
      ...(isDestructive ? { isDestructive: true } : {}),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  });
  // Import opens a file dialog and does not need an open session.
  items.splice(-1, 0, { label: 'Import', onPick: () => importFromDialog(fileServices) });
  items.unshift({ label: 'Rename', onPick: onRename });

  return (
    <Menu
      label="Session menu"
      focusTarget={sessionMenu}
      placement="start"
      className={iconButtonVariants()}
      items={items}
    >
      <ChevronDown className="icon-14" aria-hidden />
    </Menu>
  );
}
