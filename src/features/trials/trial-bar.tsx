import { clsx } from 'clsx';
import { useState } from 'react';

import { toFileName } from '../../conversation/files/session-export.ts';
import { pluralize } from '../../lib/format.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useAppServices } from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import type { TrialFile } from '../../state/trials/repository/trial-files.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { ButtonElement } from '../../ui/controls/button-element.tsx';
import { Button, buttonVariants } from '../../ui/controls/button.tsx';
import { RenameField } from '../../ui/controls/rename-field.tsx';
import { ignoreRepeatedPresses } from '../../ui/controls/repeated-presses.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { KeyboardShortcut } from '../../ui/display/keyboard-shortcut.tsx';
import { Plus, Square } from '../../ui/icons.tsx';
import { Download, ListChecks, PanelLeft, Pause, Play } from '../../ui/late-icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { describeTrialState } from './progress/format-progress.ts';
import { useVisiblePauseCards } from './progress/pause-cards.tsx';
import { trialTitle } from './trial-focus-targets.ts';
import { confirmWinner, createTrialVersion, runTrial, saveTrialFile } from './trial-handlers.ts';
import { openTrialList } from './trial-routes.ts';
import { useTrial, useTrials, useTrialView, useTrialViewStore, useFullTrialState } from './use-trial.ts';
import { getRunBlocker } from './verdict/format-plan.ts';
import { summarizeVerdict } from './verdict/format-verdict.ts';

/** Title, state and actions of a trial. */
export function TrialBar() {
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const setupOverride = useTrialView((viewState) => viewState.isSetupOpen);
  const pane = useTrialView((viewState) => viewState.pane);
  const { trial, hasAnswers } = state;
  const isDraft = trial.state.name === 'draft';
  const isSetupOpen = setupOverride ?? isDraft;
  return (
    <div className="flex min-h-11 flex-none flex-wrap items-center gap-1.5 border-b border-line bg-bench px-4 py-1.5 max-phone:px-2">
      <Title />
      <span role="status" className="ml-2 min-w-0 truncate text-12 text-ink-3 max-phone:basis-full">
        {describeTrialState(state)}
      </span>
      <span className="grow" />
      {trial.state.name === 'running' && <StopWhenDecided />}
      <Button
        variant="ghost"
        // The draft on phones has the setup as one of its steps.
        className={clsx(isDraft && 'max-phone:hidden', isSetupOpen && 'bg-hover! text-ink!')}
        aria-expanded={isSetupOpen}
        onClick={() => view.setState({ isSetupOpen: !isSetupOpen })}
      >
        <PanelLeft className="icon-14" aria-hidden />
        <span className="max-phone:sr-only">Setup</span>
      </Button>
      <Button
        variant="ghost"
        className={pane === 'checks' ? 'bg-hover! text-ink!' : ''}
        aria-pressed={pane === 'checks'}
        onClick={() => view.setState({ pane: pane === 'checks' ? 'cases' : 'checks', panel: undefined })}
      >
        <ListChecks className="icon-14" aria-hidden />
        <span className="max-phone:sr-only">Checks</span>
        <small className="text-12 text-ink-3" aria-hidden>
          {trial.checks.length}
        </small>
      </Button>
      {hasAnswers && <ExportMenu />}
      <MoreMenu />
      <MainButtons />
    </div>
  );
}

function Title() {
  const { notices } = useAppServices();
  const trial = useTrial();
  const trials = useTrials();
  const { trial: data } = useFullTrialState();
  const [isRenaming, setIsRenaming] = useState(false);
  if (!isRenaming)
    return (
      <h1 className="min-w-0 text-13 font-[600]">
        <ButtonElement
          type="button"
          className="min-h-6 max-w-80 truncate rounded-1 px-1 hover:bg-hover max-phone:max-w-50"
          title="Rename"
          {...trialTitle.attributes}
          onClick={() => setIsRenaming(true)}
        >
          {getDisplayTitle(data.title)}
        </ButtonElement>
      </h1>
    );
  return (
    <>
      <h1 className="sr-only">{getDisplayTitle(data.title)}</h1>
      <RenameField
        label="Title"
        name={data.title}
        nextFocus={trialTitle}
        className="field-sizing-content h-6 w-70 min-w-14 px-1.75 text-left font-sans text-13 normal-nums max-phone:h-9 max-phone:min-w-17.5"
        onDone={(title = data.title) => {
          setIsRenaming(false);
          if (title !== data.title) reportFailure(notices, trials.rename(trial.id, title));
        }}
      />
    </>
  );
}

function StopWhenDecided() {
  const trial = useTrial();
  const { stopWhenDecided } = useFullTrialState().trial;
  return (
    <label className="mr-1 flex items-center gap-2 text-12 text-ink-2">
      <Switch
        label="Stop when decided"
        checked={stopWhenDecided}
        onChange={(checked) => trial.edit({ stopWhenDecided: checked })}
      />
      <span className="max-phone:hidden">Stop when decided</span>
    </label>
  );
}

const loadHtmlReport = createPreloadableImport(() => import('./report/write-trial-report.ts'));
const loadMarkdownReport = createPreloadableImport(() => import('./report/markdown-report.ts'));

const loadPromptfooWriter = createPreloadableImport(
  () => import('../../trials/files/promptfoo/build-promptfoo-config.ts'),
);

async function buildPromptfooFile({ trial, cases }: OpenTrialState): Promise<TrialFile> {
  const { buildPromptfooConfig } = await loadPromptfooWriter();
  const { text } = buildPromptfooConfig(trial, [...cases.values()]);
  return { name: toFileName(trial.title, 'yaml'), type: 'application/yaml', pieces: [text] };
}

function ExportMenu() {
  const { notices } = useAppServices();
  const trial = useTrial();
  const view = useTrialViewStore();
  const getReportState = () => ({
    ...trial.state.getState(),
    breakdownField: view.getState().breakdownField,
  });
  const exportFile = (pendingFile: ReturnType<typeof trial.exportCsv>) =>
    reportFailure(notices, saveTrialFile({ notices }, pendingFile));
  const items: MenuItem[] = [
    { label: 'CSV', hint: 'One row per answer', onPick: () => exportFile(trial.exportCsv()) },
    {
      label: 'CSV without escaping, for scripts',
      hint: 'Spreadsheets may evaluate formulas',
      onPick: () => exportFile(trial.exportCsv(false)),
    },
    {
      label: 'JSON Lines',
      hint: 'Lossless, can be imported again',
      startsGroup: true,
      onPick: () => exportFile(trial.exportJsonLines(summarizeVerdict)),
    },
    {
      label: 'Answers with recordings',
      hint: 'JSON Lines with every event',
      onPick: () => exportFile(trial.exportJsonLines(summarizeVerdict, true)),
    },
    {
      label: 'Report (HTML)',
      hint: 'A page to read, without recordings',
      startsGroup: true,
      onPick: () =>
        exportFile(loadHtmlReport().then(({ buildHtmlReport }) => buildHtmlReport(getReportState()))),
    },
    {
      label: 'Report (Markdown)',
      onPick: () =>
        exportFile(
          loadMarkdownReport().then(({ buildMarkdownReport }) => buildMarkdownReport(getReportState())),
        ),
    },
    {
      label: 'promptfoo',
      hint: 'Cases and checks as YAML, without answers',
      startsGroup: true,
      onPick: () => exportFile(buildPromptfooFile(trial.state.getState())),
    },
  ];
  return (
    <Menu label="Export" className={buttonVariants({ variant: 'ghost' })} items={items}>
      <Download className="icon-14" aria-hidden />
      <span className="max-phone:sr-only">Export</span>
    </Menu>
  );
}

function MoreMenu() {
  const { notices, router } = useAppServices();
  const trial = useTrial();
  const trials = useTrials();
  const view = useTrialViewStore();
  const { verdict, trial: data, hasAnswers } = useFullTrialState();
  const [bestComparison] = (verdict?.comparisons ?? [])
    .filter(({ outcome }) => outcome === 'better')
    .toSorted((a, b) => b.difference - a.difference);
  const winner = bestComparison && data.columns[bestComparison.column]?.id;
  const retiredCount = data.retired.caseIds.length + data.retired.columns.length;
  const items: MenuItem[] = [
    {
      label: 'Confirm on new cases',
      onPick: () => winner !== undefined && reportFailure(notices, confirmWinner(router, trial, winner)),
      ...(winner === undefined ? { disabledReason: 'No column is better yet' } : {}),
    },
    {
      label: 'Create version 2',
      hint: 'Same cases, no answers',
      onPick: () => reportFailure(notices, createTrialVersion(router, trial)),
      ...(hasAnswers ? {} : { disabledReason: 'No answers yet' }),
    },
    {
      label: 'Retired columns and cases',
      onPick: () => view.setState({ dialog: { name: 'retired' } }),
      ...(retiredCount === 0 ? { disabledReason: 'Nothing retired' } : {}),
    },
    {
      label: 'Delete trial',
      isDestructive: true,
      startsGroup: true,
      onPick: () => {
        openTrialList(router);
        reportFailure(notices, trials.remove(trial.id));
      },
    },
  ];
  return <Menu label="Trial menu" items={items} />;
}

/** Main buttons for the current state: Run, Pause, Resume, Stop, or adding cases. */
function MainButtons() {
  const { notices } = useAppServices();
  const trial = useTrial();
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const { trial: data, plan, progress, runnerStatus, loading } = state;
  const isResumeInCard = useVisiblePauseCards().some(({ actions }) =>
    actions.some(({ name }) => name === 'resume'),
  );
  const report = (action: Promise<unknown>) => reportFailure(notices, action);
  const stopButton = (
    <Button variant="stop" {...ignoreRepeatedPresses} onClick={() => report(trial.stop())}>
      <Square className="icon-14" aria-hidden />
      Stop
    </Button>
  );
  // The next action depends on the number of answers, which is unknown while the trial is loading.
  if (loading) return null;
  switch (data.state.name) {
    case 'draft': {
      const disabledReason = getRunBlocker(state);
      return (
        <Button
          variant="primary"
          className="max-phone:hidden"
          disabled={disabledReason !== undefined}
          title={disabledReason}
          onClick={() => runTrial({ notices }, trial)}
        >
          <Play className="icon-14" aria-hidden />
          Run {pluralize(plan.requests, 'request')}
          <span aria-hidden>
            <KeyboardShortcut keys={[['Mod', 'Enter']]} />
          </span>
        </Button>
      );
    }
    case 'running':
      if (runnerStatus.name === 'another tab') return null;
      return (
        <>
          <Button {...ignoreRepeatedPresses} onClick={() => report(trial.pause())}>
            <Pause className="icon-14" aria-hidden />
            <span className="max-phone:sr-only">Pause</span>
          </Button>
          {stopButton}
        </>
      );
    case 'paused':
    case 'stopped':
      return (
        <>
          {data.state.name === 'paused' && stopButton}
          {!isResumeInCard && (
            <Button variant="primary" {...ignoreRepeatedPresses} onClick={() => runTrial({ notices }, trial)}>
              <Play className="icon-14" aria-hidden />
              Resume
            </Button>
          )}
        </>
      );
    case 'finished': {
      const remaining = progress.cells - progress.ended;
      return remaining > 0 ? (
        <Button variant="primary" onClick={() => runTrial({ notices }, trial)}>
          <Play className="icon-14" aria-hidden />
          Run {pluralize(remaining, 'request')}
        </Button>
      ) : (
        <Button onClick={() => view.setState({ dialog: { name: 'import cases' } })}>
          <Plus className="icon-14" aria-hidden />
          Add cases
        </Button>
      );
    }
  }
}
