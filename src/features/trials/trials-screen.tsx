import { useRoute } from '../../state/react.tsx';
import type { TrialId } from '../../trials/trial.ts';
import { buttonLook } from '../../ui/controls/button.tsx';
import { Loading } from '../../ui/hooks/lazy-view.tsx';
import { TrialsList } from './list/trials-list.tsx';
import { trialIdOf, trialsPath } from './trial-pages.ts';
import { TrialScreen } from './trial-screen.tsx';
import { useOpened } from './use-opened.ts';

/** The list of trials, or the one that the address names. */
export function TrialsScreen() {
  const id = trialIdOf(useRoute());
  return id === undefined ? <TrialsList /> : <OpenedTrial key={id} id={id} />;
}

function OpenedTrial({ id }: { id: TrialId }) {
  const opened = useOpened(id);
  if (opened.name === 'opening')
    return (
      <main className="screen" aria-busy data-region>
        <Loading />
      </main>
    );
  if (opened.name === 'missing') return <MissingTrial reason={opened.reason} />;
  return <TrialScreen trial={opened.trial} />;
}

function MissingTrial({ reason }: { reason: string | undefined }) {
  return (
    <main className="screen blank" data-region>
      <h1>{reason === undefined ? 'This trial is not in this browser' : 'Could not open this trial'}</h1>
      <p>
        {reason ??
          'It may have been deleted, or it was made in another browser. Import its file to see it here.'}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-1.5">
        <a className={buttonLook({ look: 'ink' })} href={trialsPath}>
          Open Trials
        </a>
      </div>
    </main>
  );
}
