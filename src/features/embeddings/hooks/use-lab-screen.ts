import { useEffect } from 'react';

import { createModelChoice } from '../../../conversation/setup/model-key.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { JobState } from '../../../state/embedding/embedding-job-types.ts';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { useGatewayStatuses } from '../../health/use-status.ts';
import { useModelLists } from '../../models/use-model-lists.ts';
import { useLab } from './use-lab.ts';

/** Announces the start and end of a job, but not each step. */
export function useJobAnnouncements(): void {
  const { state } = useLab();
  const announce = useAnnounce();
  useEffect(() => {
    let unsubscribeFromJob: () => void = () => undefined;
    const subscribeToJob = () => {
      unsubscribeFromJob();
      const { activeSlot, jobs } = state.getState();
      const job = activeSlot && jobs[activeSlot];
      if (!job) return;
      unsubscribeFromJob = job.state.subscribe((current, previous) => {
        if (current.phase.name === previous.phase.name) return;
        const message = describeJobState(current, job.inputs.length);
        if (message !== undefined) announce(message);
      });
    };
    subscribeToJob();
    const unsubscribe = state.subscribe((current, previous) => {
      if (current.activeSlot !== previous.activeSlot || current.jobs !== previous.jobs) subscribeToJob();
    });
    return () => {
      unsubscribe();
      unsubscribeFromJob();
    };
  }, [state, announce]);
}

function describeJobState({ phase, counts }: JobState, total: number): string | undefined {
  const embeddedCount = counts.known + counts.embedded;
  switch (phase.name) {
    case 'waiting':
      return 'Rate limited by the gateway.';
    case 'paused':
      return phase.report
        ? `Stopped after ${formatCount(embeddedCount)} of ${pluralize(total, 'text')}. ${phase.report.message}`
        : `Paused after ${formatCount(embeddedCount)} of ${pluralize(total, 'text')}.`;
    case 'done':
      return counts.failed > 0
        ? `${pluralize(embeddedCount, 'text')} embedded, ${formatCount(counts.failed)} failed.`
        : `${pluralize(embeddedCount, 'text')} embedded.`;
    default:
      return undefined;
  }
}

/** Opens the set selected in the history. */
export function useRequestedSet(): void {
  const { openRequestedSet, reportFailure } = useLab();
  useEffect(() => reportFailure(openRequestedSet()), [openRequestedSet, reportFailure]);
}

/** Makes Escape stop the job wherever the focus is, unless it closes something first. */
export function useEscapeStopsJob(): void {
  const { state, stop } = useLab();
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || state.getState().activeSlot === undefined)
        return;
      void stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [state, stop]);
}

/** Selects the first listed embedding model of all gateways, in their order, if none is chosen. */
export function useDefaultEmbeddingModel(): void {
  const { state, edit } = useLab();
  const statuses = useGatewayStatuses();
  const defaultModels = useModelLists().map(({ isPending, data }) => ({
    isPending,
    model: data?.models.find(({ kind }) => kind === 'embedding')?.id,
  }));
  // An earlier gateway may still list one.
  const index = defaultModels.findIndex(({ isPending, model }) => isPending || model !== undefined);
  const model = defaultModels[index]?.model;
  const gateway = statuses.length > 1 ? statuses[index]?.name : undefined;
  useEffect(() => {
    const { models } = state.getState().input;
    if (model !== undefined && models.A.model === '')
      edit({ models: { ...models, A: createModelChoice(model, gateway) } });
  }, [model, gateway, state, edit]);
}
