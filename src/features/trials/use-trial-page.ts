import { useEffect, useEffectEvent, useMemo, useRef } from 'react';

import { orTellProblem, tellBriefly } from '../../state/notices.ts';
import type { OpenTrial } from '../../state/trials/open-trial.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { plainWords } from '../../trials/describe-verdict.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { isOverlayOpen } from '../../ui/overlays/is-overlay-open.ts';
import { escapeDeed } from './escape-action.ts';
import { caseRows, nextDisagreement } from './grid/case-rows.ts';
import { announcement } from './progress/format-progress.ts';
import { caseFilters, casesGrid } from './trial-focus-targets.ts';
import { openAsLanes } from './trial-handlers.ts';
import { showTrial, viewOf, type TrialMoves } from './trial-view.ts';

/** What holds for the page of a trial as a whole: its keys, its announcements, and leaving it. */
export function useTrialPage(trial: OpenTrial): void {
  const playground = usePlayground();
  const announce = useAnnounce();
  const moves = useMemo(() => movesOf(trial, playground), [trial, playground]);
  useEffect(() => showTrial(playground, moves), [playground, moves]);
  useEffect(() => () => trial.leave(), [trial]);
  useEscape(trial);

  const before = useRef(trial.state.getState());
  useEffect(
    () =>
      trial.state.subscribe((now) => {
        const said = announcement(before.current, now, plainWords);
        before.current = now;
        if (said !== undefined) announce(said);
      }),
    [trial, announce],
  );
}

function useEscape(trial: OpenTrial): void {
  const { notices } = usePlayground();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isOverlayOpen()) return;
    const view = viewOf(trial);
    const deed = escapeDeed(view.getState(), trial.state.getState());
    if (!deed) return;
    event.preventDefault();
    if (deed === 'pause') return orTellProblem(notices, trial.pause());
    if (deed === 'close figures') return view.setState({ isCounted: false });
    if (deed === 'close checks') return view.setState({ shows: 'cases' });
    view.setState({ panel: undefined });
    casesGrid.focus();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function movesOf(trial: OpenTrial, playground: ReturnType<typeof usePlayground>): TrialMoves {
  const view = viewOf(trial);
  const openKey = () => {
    const { panel } = view.getState();
    return panel?.name === 'cell' ? panel.key : undefined;
  };
  return {
    trial,
    view,
    toDisagreement: (step) => {
      const state = trial.state.getState();
      const shown = view.getState();
      const row = nextDisagreement(state, caseRows(state, shown), shown.cursor.caseId, step);
      if (!row) {
        tellBriefly(
          playground.notices,
          `No ${step > 0 ? 'later' : 'earlier'} case here has columns that disagree.`,
        );
        return undefined;
      }
      const { caseId, number } = row;
      const { panel } = shown;
      view.setState({
        cursor: { ...shown.cursor, caseId },
        ...(panel?.name === 'cell'
          ? { panel: { name: 'cell', key: { ...panel.key, caseId, repeat: 1 } } }
          : {}),
      });
      casesGrid.focus();
      return number;
    },
    toRepeat: (step) => {
      const key = openKey();
      const { repeats } = trial.state.getState().trial;
      if (!key) return;
      const repeat = Math.max(1, Math.min(repeats, key.repeat + step));
      view.setState({ panel: { name: 'cell', key: { ...key, repeat } } });
    },
    mark: (mark) => {
      const key = openKey();
      if (key) trial.mark(key, mark);
    },
    openAsLanes: async () => {
      const key = openKey();
      const caseId = key?.caseId ?? view.getState().cursor.caseId;
      if (caseId !== undefined) await openAsLanes(playground, trial, caseId, undefined, key?.repeat);
    },
    focusFilters: () => {
      caseFilters.focus();
    },
  };
}
