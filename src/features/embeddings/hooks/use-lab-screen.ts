import { useEffect } from 'react';

import { formatCount, pluralize } from '../../../lib/format.ts';
import type { JobState } from '../../../state/embedding/embedding-job-types.ts';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { useModels } from '../../models/use-models.ts';
import { useLab } from './use-lab.ts';

/** Says how a job begins and ends, not each of its steps. */
export function useAnnouncedJob(): void {
  const { state } = useLab();
  const announce = useAnnounce();
  useEffect(() => {
    let unfollow: () => void = () => undefined;
    const follow = () => {
      unfollow();
      const { active, jobs } = state.getState();
      const job = active && jobs[active];
      if (!job) return;
      unfollow = job.state.subscribe((now, before) => {
        if (now.phase.name === before.phase.name) return;
        const words = inWords(now, job.inputs.length);
        if (words !== undefined) announce(words);
      });
    };
    follow();
    const unwatch = state.subscribe((now, before) => {
      if (now.active !== before.active || now.jobs !== before.jobs) follow();
    });
    return () => {
      unwatch();
      unfollow();
    };
  }, [state, announce]);
}

function inWords({ phase, counts }: JobState, total: number): string | undefined {
  const there = counts.known + counts.embedded;
  switch (phase.name) {
    case 'waiting':
      return 'Rate limited by the gateway.';
    case 'paused':
      return phase.report
        ? `Stopped after ${formatCount(there)} of ${pluralize(total, 'text')}. ${phase.report.message}`
        : `Paused after ${formatCount(there)} of ${pluralize(total, 'text')}.`;
    case 'done':
      return counts.failed > 0
        ? `${pluralize(there, 'text')} embedded, ${formatCount(counts.failed)} failed.`
        : `${pluralize(there, 'text')} embedded.`;
    default:
      return undefined;
  }
}

/** Opens the set that was chosen in the history. */
export function useWantedSet(): void {
  const { openWanted, tell } = useLab();
  useEffect(() => tell(openWanted()), [openWanted, tell]);
}

/** Escape stops the job wherever the focus is, unless it closes something first. */
export function useEscapeStopsJob(): void {
  const { state, stop } = useLab();
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || state.getState().active === undefined) return;
      void stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [state, stop]);
}

/** Begins with the first embedding model that is listed, where none has been picked. */
export function useFirstEmbeddingModel(): void {
  const { state, edit } = useLab();
  const { data: list } = useModels();
  const first = list?.models.find((model) => model.kind === 'embedding')?.id;
  useEffect(() => {
    const { models } = state.getState().input;
    if (first !== undefined && models.A === '') edit({ models: { ...models, A: first } });
  }, [first, state, edit]);
}
