import { useEffect, useState } from 'react';

import { formatError } from '../../lib/format-error.ts';
import { useRoute } from '../../state/contexts.tsx';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { TrialId } from '../../trials/trial.ts';
import { buttonVariants } from '../../ui/controls/button.tsx';
import { EmptyState, ScreenMain } from '../../ui/display/empty-state.tsx';
import { Loading } from '../../ui/hooks/lazy-component.tsx';
import { TrialsList } from './list/trials-list.tsx';
import { getTrialId, trialsPath } from './trial-routes.ts';
import { TrialScreen } from './trial-screen.tsx';
import { useTrials } from './use-trial.ts';

/** List of trials, or the trial in the URL. */
export function TrialsScreen() {
  const id = getTrialId(useRoute());
  return id === undefined ? <TrialsList /> : <TrialLoader key={id} id={id} />;
}

function TrialLoader({ id }: { id: TrialId }) {
  const trialStatus = useOpenTrial(id);
  if (trialStatus.name === 'opening')
    return (
      <ScreenMain aria-busy data-region>
        <Loading />
      </ScreenMain>
    );
  if (trialStatus.name === 'missing') return <MissingTrial reason={trialStatus.reason} />;
  return <TrialScreen trial={trialStatus.trial} />;
}

function MissingTrial({ reason }: { reason: string | undefined }) {
  return (
    <EmptyState
      title={reason === undefined ? 'This trial is not in this browser' : 'Could not open this trial'}
      texts={[
        reason ?? 'It may have been deleted, or belong to another browser. Import its file to open it here.',
      ]}
    >
      <a className={buttonVariants({ variant: 'primary' })} href={trialsPath}>
        Open Trials
      </a>
    </EmptyState>
  );
}

type OpenTrialStatus =
  | { name: 'opening' }
  | { name: 'open'; trial: OpenTrial }
  | { name: 'missing'; reason: string | undefined };

/** Returns the trial with this ID once it has loaded. */
function useOpenTrial(id: TrialId): OpenTrialStatus {
  const trials = useTrials();
  const [trialStatus, setTrialStatus] = useState<OpenTrialStatus>({ name: 'opening' });
  useEffect(() => {
    let isUnmounted = false;
    trials.open(id).then(
      (trial) => {
        if (!isUnmounted)
          setTrialStatus(trial ? { name: 'open', trial } : { name: 'missing', reason: undefined });
      },
      (error: unknown) => {
        if (!isUnmounted) setTrialStatus({ name: 'missing', reason: formatError(error) });
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [trials, id]);
  return trialStatus;
}
