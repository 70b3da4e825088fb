import { useRef, useState } from 'react';

import { getDisplayTitle } from '../../../lib/text/trim.ts';
import { useInspector, usePlayground, useSession, useView } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { IconButton, iconButtonLook } from '../../../ui/controls/icon-button.tsx';
import { focusNext } from '../../../ui/focus/focus-target.ts';
import { lazyOverlay, lazyView } from '../../../ui/hooks/lazy-component.tsx';
import { Diff, Ellipsis, Eye, EyeOff, PanelRight, Plus, SquarePen, Table2 } from '../../../ui/icons.tsx';
import { TurnsButton } from '../find/turns-button.tsx';
import { InspectControls } from '../inspector/inspect-controls.tsx';
import { noMoreLanes } from '../lane/lane-menu-items.ts';
import { parametersHide, parametersShow } from '../playground-focus-targets.ts';
import { useOpened } from '../use-open-panel.ts';
import { useParametersOpen } from '../use-parameters-open.ts';
import { BarButton } from './bar-button.tsx';
import { SessionMenu } from './session-menu.tsx';
import { TitleField } from './title-field.tsx';

const ShareSetup = lazyOverlay('Sharing', async () => (await import('./share-setup.tsx')).ShareSetup);
const LaneRail = lazyView('The rail of lanes', async () => (await import('./lane-rail.tsx')).LaneRail, {
  waiting: null,
  fetch: 'first',
});
const CompareTexts = lazyOverlay(
  'The comparison',
  async () => (await import('../comparison/compare-texts.tsx')).CompareTexts,
);
const SummaryDialog = lazyOverlay(
  'The summary',
  async () => (await import('../comparison/summary-dialog.tsx')).SummaryDialog,
);

/** On phones it is part of the top bar, between its menu and how the gateway does. */
const barLook = classes(
  'group/bar @container isolate flex h-11 min-w-0 flex-none items-center gap-1 border-b border-line bg-bench',
  'pr-2.5 pl-2 max-phone:fixed max-phone:inset-[0_132px_auto_46px] max-phone:z-1 max-phone:h-12 flat:h-9',
  'max-phone:border-0 max-phone:bg-transparent max-phone:p-0',
  'max-phone:supports-[right:anchor(--top-r_left)]:right-[anchor(--top-r_left,132px)]',
);
const titleLook = classes(
  'min-w-0 truncate pl-2 text-13 font-600 normal-nums max-phone:text-[16px]/11 max-phone:tracking-[-0.006em]',
);
const toolsLook = classes(
  'overflow-visible bg-transparent text-inherit [&>*]:aria-disabled:opacity-55',
  'phone:static phone:flex phone:h-auto phone:w-auto phone:items-center phone:gap-1',
  'max-phone:inset-[48px_8px_auto_auto] max-phone:min-w-52 max-phone:flex-col max-phone:rounded-3 max-phone:border',
  'max-phone:border-line-2 max-phone:bg-raised max-phone:p-1 max-phone:shadow-e-2 max-phone:open:flex',
);

const onlyOneLane = 'Only one lane: add another first';

/** Title and menu of the session, where one is in it, and what can be added. */
export function SessionBar() {
  const { actions, view } = usePlayground();
  const title = useSession((data) => data.session.title) ?? '';
  const bar = useRef<HTMLDivElement>(null);
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 1;
  const namesHidden = useView((state) => state.namesHidden);
  const [parametersOpen, setParametersOpen] = useParametersOpen();
  const inspecting = useInspector((state) => state.isOpen);
  const [renaming, setRenaming] = useState(false);
  const [sharing, setSharing] = useOpened('share');
  const [comparing, setComparing] = useOpened('text difference');
  const [summed, setSummed] = useOpened('summary');
  const hasAnswers = useSession((data) => Object.values(data.turns).some((turn) => turn.reply)) ?? false;
  const noAnswers = hasAnswers ? undefined : 'No answers yet';

  return (
    <>
      <div className={barLook} data-region="session-bar" ref={bar}>
        {renaming ? (
          <TitleField
            title={title}
            onDone={(next) => {
              setRenaming(false);
              if (next !== undefined) void actions.renameSession(next);
            }}
          />
        ) : (
          <h1 className={titleLook} dir="auto" title={getDisplayTitle(title)}>
            {getDisplayTitle(title)}
          </h1>
        )}
        <SessionMenu onRename={() => setRenaming(true)} />
        <TurnsButton />
        {/* Where one lane is inspected, it is the only one in view, and the switch at the right leads to the others. */}
        {laneCount > 1 && !inspecting && <LaneRail bar={bar} />}
        <span className="flex-1 max-phone:hidden" />
        <button
          type="button"
          className={classes(iconButtonLook(), '-ml-1 phone:hidden')}
          aria-label="Session tools"
          popoverTarget="session-tools"
        >
          <Ellipsis className="icon-20" aria-hidden />
        </button>
        {/* A menu on phones, a plain row elsewhere, as the workspaces in the top bar. */}
        <div
          id="session-tools"
          popover="auto"
          className={toolsLook}
          onClick={(event) => event.currentTarget.hidePopover()}
        >
          {/* What comes and goes stands at the left: nothing moves a button that a pointer rests on. */}
          {!parametersOpen && !inspecting && (
            <IconButton
              label="Show parameters"
              className="max-phone:hidden"
              shortcut="Ctrl \"
              {...parametersShow.here}
              {...focusNext(parametersHide)}
              onClick={() => setParametersOpen(true)}
            >
              <PanelRight className="icon-16" aria-hidden />
            </IconButton>
          )}
          <BarButton
            icon={SquarePen}
            label="New session"
            wordsGo="first"
            onClick={() => void actions.createSession()}
          />
          <BarButton
            icon={namesHidden ? Eye : EyeOff}
            label={namesHidden ? 'Show names' : 'Hide names'}
            wordsGo="last"
            className="@min-[1001px]:min-w-29"
            onClick={() => view.setState({ namesHidden: !namesHidden })}
            disabledBecause={laneCount > 1 || namesHidden ? undefined : onlyOneLane}
          />
          <BarButton
            icon={Diff}
            label="Compare texts"
            wordsGo="next"
            onClick={() => setComparing(true)}
            disabledBecause={laneCount > 1 ? noAnswers : onlyOneLane}
          />
          <BarButton
            icon={Table2}
            label="Summary"
            onClick={() => setSummed(true)}
            disabledBecause={noAnswers}
          />
          <BarRule />
          <InspectControls />
          <BarRule />
          <BarButton
            icon={Plus}
            label="Add lane"
            wordsGo="last"
            onClick={() => actions.addLane()}
            disabledBecause={noMoreLanes({ count: laneCount })}
          />
        </div>
      </div>
      {sharing && <ShareSetup onClose={() => setSharing(false)} />}
      {comparing && <CompareTexts onClose={() => setComparing(false)} />}
      {summed && <SummaryDialog onClose={() => setSummed(false)} />}
    </>
  );
}

function BarRule() {
  return <i aria-hidden className="mx-1 h-5 w-px flex-none bg-line-2 max-phone:hidden @max-[700px]:hidden" />;
}
