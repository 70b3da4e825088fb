import { useEffect, useEffectEvent, useMemo, useRef } from 'react';

import { useAppServices, useLazyTrials } from '../../state/contexts.tsx';
import type { AppServices } from '../../state/create-playground.ts';
import { reportFailure, showToast } from '../../state/notices.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { isOverlayOpen } from '../../ui/overlays/is-overlay-open.ts';
import { useModelLists } from '../models/use-model-lists.ts';
import { listCaseRows, findNextDisagreement } from './grid/case-rows.ts';
import { getAnnouncement } from './progress/format-progress.ts';
import { caseFilters, casesGrid } from './trial-focus-targets.ts';
import { openAsLanes, retryCells, startOrResumeTrial } from './trial-handlers.ts';
import { registerTrialShortcuts, getTrialView, type TrialShortcuts, type TrialView } from './trial-view.ts';

/** Sets up the page of a trial: keys, announcements and cleanup on leaving. */
export function useTrialPage(trial: OpenTrial): void {
  const { router, notices } = useAppServices();
  const lazyTrials = useLazyTrials();
  const announce = useAnnounce();
  const shortcuts = useMemo(() => createTrialShortcuts(trial, { router, notices }), [trial, router, notices]);
  useEffect(() => registerTrialShortcuts(lazyTrials, shortcuts), [lazyTrials, shortcuts]);
  useEffect(() => () => trial.release(), [trial]);
  useEscape(trial);
  // Prices are read from the lists.
  useModelLists();

  const previousState = useRef(trial.state.getState());
  useEffect(
    () =>
      trial.state.subscribe((state) => {
        const text = getAnnouncement(previousState.current, state);
        previousState.current = state;
        if (text !== undefined) announce(text);
      }),
    [trial, announce],
  );
}

function useEscape(trial: OpenTrial): void {
  const { notices } = useAppServices();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isOverlayOpen()) return;
    const view = getTrialView(trial);
    const action = getEscapeAction(view.getState(), trial.state.getState());
    if (!action) return;
    event.preventDefault();
    if (action === 'pause') return reportFailure(notices, trial.pause());
    if (action === 'close disclosure') return view.setState({ disclosure: undefined });
    if (action === 'close checks') return view.setState({ pane: 'cases' });
    view.setState({ panel: undefined });
    casesGrid.focus();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function createTrialShortcuts(
  trial: OpenTrial,
  app: Pick<AppServices, 'router' | 'notices'>,
): TrialShortcuts {
  const view = getTrialView(trial);
  const getOpenCellKey = () => {
    const { panel } = view.getState();
    return panel?.name === 'cell' ? panel.key : undefined;
  };
  return {
    trial,
    view,
    run: () => startOrResumeTrial(trial),
    retryMissing: () => retryCells(trial),
    goToDisagreement: (step) => {
      const state = trial.state.getState();
      const viewState = view.getState();
      const row = findNextDisagreement(state, listCaseRows(state, viewState), viewState.cursor.caseId, step);
      if (!row) {
        showToast(app.notices, `No disagreements in ${step > 0 ? 'later' : 'earlier'} cases.`);
        return undefined;
      }
      const { caseId, number } = row;
      const { panel } = viewState;
      view.setState({
        cursor: { ...viewState.cursor, caseId },
        ...(panel?.name === 'cell'
          ? { panel: { name: 'cell', key: { ...panel.key, caseId, repeat: 1 } } }
          : {}),
      });
      casesGrid.focus();
      return number;
    },
    goToRepeat: (step) => {
      const key = getOpenCellKey();
      const { repeats } = trial.state.getState().trial;
      if (!key) return;
      const repeat = Math.max(1, Math.min(repeats, key.repeat + step));
      view.setState({ panel: { name: 'cell', key: { ...key, repeat } } });
    },
    setMark: (mark) => {
      const key = getOpenCellKey();
      if (key) trial.setMark(key, mark);
    },
    openAsLanes: async () => {
      const key = getOpenCellKey();
      const caseId = key?.caseId ?? view.getState().cursor.caseId;
      if (caseId !== undefined) await openAsLanes(app, trial, caseId, undefined, key?.repeat);
    },
    focusFilters: () => {
      caseFilters.focus();
    },
  };
}

/**
 * Returns the effect of Escape on a trial: it closes open panels first, and only then pauses the trial if it runs in
 * this tab.
 */
export function getEscapeAction(
  view: Pick<TrialView, 'disclosure' | 'panel' | 'pane'>,
  { trial, runnerStatus }: Pick<OpenTrialState, 'trial' | 'runnerStatus'>,
): 'close disclosure' | 'close panel' | 'close checks' | 'pause' | undefined {
  if (view.disclosure) return 'close disclosure';
  if (view.panel) return 'close panel';
  if (view.pane === 'checks') return 'close checks';
  const isRunningHere = runnerStatus.name === 'here' || runnerStatus.name === 'counting down';
  return trial.state.name === 'running' && isRunningHere ? 'pause' : undefined;
}
