import { useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';

import type { SessionData, TurnId } from '../../../conversation/session/types.ts';
import { formatSeconds } from '../../../lib/format.ts';
import type { Replay } from '../../../state/runs/replay.ts';
import { PlaygroundProvider, usePlayground, useSession } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { Loading } from '../../../ui/hooks/lazy-component.tsx';
import { recordedPlayground } from '../replay/replay-playground.ts';
import { useReplay } from '../replay/use-replay.ts';

interface RecordedSceneProps {
  turnIds: readonly TurnId[];
  /** Told of what plays it while it is on the stage. */
  onReplay: (replay: Replay | undefined) => void;
  children: (replay: Replay) => ReactNode;
}

/** A turn played from its recording with the timing it had. Nothing is sent, nothing is stored. */
export function RecordedScene(props: RecordedSceneProps) {
  const data = useSession((now) => now);
  return data && <Recorded {...props} data={data} />;
}

const blankLook = classes('grid min-h-0 place-items-center text-24 text-ink-3');

function Recorded({ data, turnIds, onReplay, children }: RecordedSceneProps & { data: SessionData }) {
  // Another turn is another scene, with a key of its own.
  const [ids] = useState(turnIds);
  const { replay, missing } = useReplay(data, ids);
  if (missing) return <main className={blankLook}>There is no recording of this turn.</main>;
  if (!replay)
    return (
      <main className={blankLook} aria-busy>
        <Loading />
      </main>
    );
  return (
    <Played replay={replay} onReplay={onReplay}>
      {children}
    </Played>
  );
}

function Played({ replay, onReplay, children }: Omit<RecordedSceneProps, 'turnIds'> & { replay: Replay }) {
  const playground = usePlayground();
  const recorded = useMemo(() => recordedPlayground(playground, replay), [playground, replay]);
  const atMs = useStore(replay.state, (state) => state.atMs);
  const endMs = useStore(replay.state, (state) => state.endMs);
  return (
    <>
      <PlaygroundProvider playground={recorded}>{children(replay)}</PlaygroundProvider>
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
