import { useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';

import type { SessionData, TurnId } from '../../conversation/session/types.ts';
import { formatSeconds } from '../../lib/format.ts';
import { ReplacedServices, useSessionServices, useSession } from '../../state/contexts.tsx';
import type { Replay } from '../../state/runs/replay.ts';
import { Loading } from '../../ui/hooks/lazy-component.tsx';
import { createReplayServices } from '../replay/replay-services.ts';
import { useReplay } from '../replay/use-replay.ts';

interface ReplayedSceneProps {
  turnIds: readonly TurnId[];
  /** Receives the player while it is on the stage. */
  onReplay: (replay: Replay | undefined) => void;
  children: (replay: Replay) => ReactNode;
}

/** Turn replayed from its recording with the original timing. No request is sent, and nothing is stored. */
export function ReplayedScene(props: ReplayedSceneProps) {
  const data = useSession((session) => session);
  return data && <SceneLoader {...props} data={data} />;
}

function SceneLoader({ data, turnIds, onReplay, children }: ReplayedSceneProps & { data: SessionData }) {
  // Does not change, because a different turn is a different scene with a different key.
  const [initialTurnIds] = useState(turnIds);
  const { replay, isMissing } = useReplay(data, initialTurnIds);
  if (isMissing)
    return (
      <main className="grid min-h-0 place-items-center text-24 text-ink-3">This turn has no recording.</main>
    );
  if (!replay)
    return (
      <main className="grid min-h-0 place-items-center text-24 text-ink-3" aria-busy>
        <Loading />
      </main>
    );
  return (
    <ScenePlayer replay={replay} onReplay={onReplay}>
      {children}
    </ScenePlayer>
  );
}

function ScenePlayer({
  replay,
  onReplay,
  children,
}: Omit<ReplayedSceneProps, 'turnIds'> & { replay: Replay }) {
  const { actions } = useSessionServices();
  const services = useMemo(() => createReplayServices(actions, replay), [actions, replay]);
  const atMs = useStore(replay.state, (state) => state.atMs);
  const endMs = useStore(replay.state, (state) => state.endMs);
  return (
    <>
      <ReplacedServices services={services}>{children(replay)}</ReplacedServices>
      <span
        className="fixed inset-x-0 top-0 h-0.75 origin-left bg-needle"
        role="progressbar"
        aria-label="Recording"
        aria-valuemin={0}
        aria-valuemax={Math.round(endMs)}
        aria-valuenow={Math.round(atMs)}
        aria-valuetext={`${formatSeconds(atMs)} of ${formatSeconds(endMs)}`}
        style={{ scale: `${endMs > 0 ? atMs / endMs : 1} 1` }}
        ref={(element) => {
          onReplay(element ? replay : undefined);
          return () => onReplay(undefined);
        }}
      />
    </>
  );
}
