import { Square } from 'lucide-react';

import { plural } from '../../../lib/format.ts';
import type { EmbeddingJob } from '../../../state/embedding/embedding-job-types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useJobState, useLab, useLabState } from '../hooks/use-lab.ts';

/** The one button that spends; while a job is under way it stops it. */
export function EmbedButton() {
  const { embed } = useLab();
  const active = useLabState((state) => (state.active ? state.jobs[state.active] : undefined));
  const count = useLabState((state) => state.reading.items.length);
  const model = useLabState((state) => state.input.models.A);
  if (active) return <StopButton job={active} />;
  const why = count === 0 ? 'Enter at least one text.' : model === '' ? 'Choose a model.' : undefined;
  return (
    <span className="embed">
      {why !== undefined && (
        <span id="embed-why" className="vh">
          {why}
        </span>
      )}
      <Button
        look="ink"
        size="big"
        disabled={why !== undefined}
        title={why}
        aria-describedby={why === undefined ? undefined : 'embed-why'}
        onClick={() => void embed()}
      >
        Embed
        {count > 0 && ` ${plural(count, 'text')}`}
      </Button>
    </span>
  );
}

function StopButton({ job }: { job: EmbeddingJob }) {
  const { pause } = useLab();
  const isPausing = useJobState(job, (state) => state.phase.name === 'pausing');
  return (
    <span className="embed">
      <Button look="stop" size="big" onClick={() => void pause()}>
        <Square className="i s" aria-hidden />
        {isPausing ? 'Stop at once' : 'Pause'}
      </Button>
    </span>
  );
}
