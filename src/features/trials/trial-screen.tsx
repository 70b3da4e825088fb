import { useLayoutEffect, useRef } from 'react';

import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { NoticeStrip } from '../../ui/overlays/notice-strip.tsx';
import { CaseDialog } from './cases/case-dialog.tsx';
import { CaseDrop } from './cases/case-drop.tsx';
import { ImportDialog } from './cases/import-dialog.tsx';
import { RetiredDialog } from './cases/retired-dialog.tsx';
import { CellPanel } from './cell/cell-panel.tsx';
import { CheckEditor } from './checks/check-editor.tsx';
import { ChecksView } from './checks/checks-view.tsx';
import { CaseFilters } from './grid/case-filters.tsx';
import { CasesGrid } from './grid/cases-grid.tsx';
import { useCaseRows } from './grid/use-case-rows.ts';
import { PhoneCases } from './phone/phone-cases.tsx';
import { PhoneSteps } from './phone/phone-steps.tsx';
import { PauseCards } from './progress/pause-cards.tsx';
import { ColumnEditor } from './setup/column-editor.tsx';
import { CopiedBaselineDialog } from './setup/copied-baseline-dialog.tsx';
import { SetupPanel } from './setup/setup-panel.tsx';
import { ValuesDialog } from './setup/values-dialog.tsx';
import { TrialBar } from './trial-bar.tsx';
import { useTrialPage } from './use-trial-page.ts';
import { TrialContext, useTrial, useTrialState, useTrialView, useTrialViewStore } from './use-trial.ts';
import { PlanRegion } from './verdict/plan-region.tsx';
import { VerdictRegion } from './verdict/verdict-region.tsx';

import './trials.css';

const TrialScene = lazyOverlay(
  'The presentation',
  async () => (await import('./scene/trial-scene.tsx')).TrialScene,
);

/** Screen of a trial: the plan or the verdict, with the cases below, even in a draft. */
export function TrialScreen({ trial }: { trial: OpenTrial }) {
  useTrialPage(trial);
  return (
    <TrialContext value={trial}>
      <TrialContent />
    </TrialContext>
  );
}

function TrialContent() {
  const isPhone = useMediaQuery('(width < 600px)');
  const stateName = useTrialState(({ trial }) => trial.state.name);
  const isDraft = stateName === 'draft';
  const isSetupOpen = useTrialView((view) => view.isSetupOpen);
  const pane = useTrialView((view) => view.pane);
  const main = useRef<HTMLElement>(null);
  // The verdict is at the top, wherever in the draft Run was pressed.
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [isDraft]);
  return (
    <main
      ref={main}
      className="flex min-h-0 flex-col overflow-x-hidden overflow-y-auto bg-paper [--lane:var(--ink)] [--wash:var(--sunken)] max-phone:scroll-pb-24"
      data-region
    >
      <TrialBar />
      <Notices />
      <div className="flex min-h-0 flex-1 max-phone:min-h-max">
        {isPhone && isDraft ? (
          <PhoneSteps />
        ) : (
          <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
            {pane === 'checks' ? (
              <ChecksView />
            ) : isPhone && isSetupOpen === true ? (
              <SetupPanel />
            ) : (
              <>
                {isDraft ? <PlanRegion /> : <VerdictRegion />}
                {isPhone && <PauseCards />}
                {/* Minimum height for a few rows; in a short window the page scrolls. On phones the height is fixed,
                    because the list would otherwise be as tall as all its cases. */}
                <div className="flex min-h-75 flex-1 max-phone:h-[calc(100dvh-6rem)] max-phone:min-h-100 max-phone:flex-none flat:min-h-100">
                  {!isPhone && (isSetupOpen ?? isDraft) && <SetupPanel />}
                  {isPhone ? <PhoneCases /> : <Cases />}
                </div>
                {/* Below the cases, which would otherwise move whenever a card appears. */}
                {!isPhone && <PauseCards />}
              </>
            )}
          </div>
        )}
        <SidePanel />
      </div>
      <Dialogs />
    </main>
  );
}

function Cases() {
  const rows = useCaseRows();
  const count = useTrialState(({ order }) => order.length);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <CaseFilters visibleCount={rows.length} />
      <CasesGrid rows={rows} />
      {rows.length === 0 && (
        <p className="absolute top-2/3 left-1/2 -translate-x-1/2 text-13 text-ink-3">
          {count === 0 ? 'No cases yet. Import or add some.' : 'No cases match this filter.'}
        </p>
      )}
    </div>
  );
}

function SidePanel() {
  const panel = useTrialView((view) => view.panel);
  if (!panel) return null;
  if (panel.name === 'cell') return <CellPanel cellKey={panel.key} />;
  if (panel.name === 'check') return <CheckEditor key={panel.id} checkId={panel.id} />;
  return <ColumnEditor key={panel.id} columnId={panel.id} />;
}

function Dialogs() {
  const view = useTrialViewStore();
  const dialog = useTrialView((view) => view.dialog);
  switch (dialog?.name) {
    case 'import cases':
      return <ImportDialog source={dialog.source} />;
    case 'values':
      return <ValuesDialog />;
    case 'copied baseline':
      return <CopiedBaselineDialog />;
    case 'retired':
      return <RetiredDialog />;
    case 'presentation':
      return <TrialScene onClose={() => view.setState({ dialog: undefined })} />;
    case 'case':
      return <CaseDialog key={dialog.caseId ?? 'new'} caseId={dialog.caseId} />;
    default:
      return <CaseDrop onSource={(source) => view.setState({ dialog: { name: 'import cases', source } })} />;
  }
}

function Notices() {
  const trial = useTrial();
  const notices = useTrialState((state) => state.notices);
  return notices.map(({ id, tone, text }) => (
    <NoticeStrip key={id} severity={tone} text={text} onClose={() => trial.dismissNotice(id)} />
  ));
}
