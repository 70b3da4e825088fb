import { useMemo, useRef, useState } from 'react';

import { rowsOf } from '../../../conversation/session/rows.ts';
import { laneLetter, pathOf } from '../../../conversation/session/tree.ts';
import type { LaneId, SessionData, TurnId } from '../../../conversation/session/types.ts';
import { usePlayground, usePrefs, useSessionParts, useView } from '../../../state/react.tsx';
import type { Replay } from '../../../state/runs/replay.ts';
import { useShownModal } from '../../../ui/overlays/use-shown-modal.ts';
import { RecordedScene } from './recorded-scene.tsx';
import { StageHints } from './stage-hints.tsx';
import { StageLane } from './stage-lane.tsx';
import { StagePrompt } from './stage-prompt.tsx';
import { useQuietPointer } from './use-quiet-pointer.ts';
import { useStageKeys } from './use-stage-keys.ts';

import './presentation.css';

type Parts = Pick<SessionData, 'session' | 'lanes' | 'prompts' | 'turns'>;

/** The turns with this number, from 1, in lane order. */
function sceneOf(parts: Parts, number: number): { laneId: LaneId; turnId: TurnId }[] {
  const data: SessionData = { ...parts, runs: {} };
  return parts.session.laneIds.flatMap((laneId) => {
    const lane = parts.lanes[laneId];
    const turn = lane && pathOf(data, lane)[number - 1];
    return turn ? [{ laneId, turnId: turn.id }] : [];
  });
}

/** The session for a room: a prompt and its answers in large type, a turn a scene, without the controls. */
export function Presentation({ onClose }: { onClose: () => void }) {
  const parts = useSessionParts(({ session, lanes, prompts, turns }) => ({ session, lanes, prompts, turns }));
  return parts && <Stage parts={parts} onClose={onClose} />;
}

function Stage({ parts, onClose }: { parts: Parts; onClose: () => void }) {
  const { view } = usePlayground();
  const singleKeys = usePrefs((prefs) => prefs.singleKeys);
  const namesHidden = useView((state) => state.namesHidden);
  const dialog = useRef<HTMLDialogElement>(null);
  const replay = useRef<Replay>(undefined);
  const count = useMemo(
    () => rowsOf({ ...parts, runs: {} }).reduce((most, row) => Math.max(most, row.number), 0),
    [parts],
  );
  // Undefined follows the newest turn, also one that comes while the room looks on.
  const [chosen, setChosen] = useState<number>();
  const [focused, setFocused] = useState<LaneId>();
  const [numbersHidden, setNumbersHidden] = useState(false);
  const [reasoningShown, setReasoningShown] = useState(false);
  const [recorded, setRecorded] = useState(false);
  useShownModal(dialog, { focusesItself: true });
  const isQuiet = useQuietPointer();
  const number = Math.min(chosen ?? count, count);
  const scene = useMemo(() => sceneOf(parts, number), [parts, number]);
  const inFocus = parts.session.laneIds.includes(focused ?? '') ? focused : undefined;
  const cells = scene.filter(({ laneId }) => inFocus === undefined || laneId === inFocus);

  const goTo = (next: number) => setChosen(next >= count ? undefined : Math.max(1, next));
  const focusLane = (index: number) => {
    const laneId = parts.session.laneIds[index];
    if (laneId !== undefined) setFocused(laneId === inFocus ? undefined : laneId);
  };
  const play = () => {
    if (!recorded) return setRecorded(true);
    const state = replay.current?.state.getState();
    if (state?.playing) replay.current?.pause();
    else replay.current?.play();
  };
  const does: Record<string, () => void> = {
    n: () => view.setState({ namesHidden: !namesHidden }),
    m: () => setNumbersHidden(!numbersHidden),
    t: () => setReasoningShown(!reasoningShown),
    r: play,
    l: () => setRecorded(false),
  };

  useStageKeys(dialog, (event) => {
    if (event.key === 'ArrowLeft') goTo(number - 1);
    else if (event.key === 'ArrowRight') goTo(number + 1);
    else if (!singleKeys) return;
    else if (/^[1-6]$/.test(event.key)) focusLane(Number(event.key) - 1);
    else if (!event.repeat) does[event.key.toLowerCase()]?.();
  });

  const lanes = { cells, laneIds: parts.session.laneIds, numbersHidden };
  return (
    <dialog
      ref={dialog}
      className={`show ${reasoningShown ? '' : 'no-reasoning'}`}
      aria-label="Presentation"
      tabIndex={-1}
      data-quiet={isQuiet || undefined}
      onClose={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <StagePrompt promptIds={cells.map(({ turnId }) => parts.turns[turnId]?.promptId ?? '')} />
      {recorded ? (
        <RecordedScene
          key={scene.map(({ turnId }) => turnId).join()}
          turnIds={scene.map(({ turnId }) => turnId)}
          onReplay={(made) => {
            replay.current = made;
          }}
        >
          {(made) => <StageLanes {...lanes} replay={made} />}
        </RecordedScene>
      ) : (
        <StageLanes {...lanes} />
      )}
      <StageHints
        number={number}
        count={count}
        laneCount={parts.session.laneIds.length}
        singleKeys={singleKeys}
        state={{ namesHidden, numbersHidden, reasoningShown, recorded }}
        goTo={goTo}
        focusLane={focusLane}
        toggleNames={does['n']}
        toggleNumbers={does['m']}
        toggleReasoning={does['t']}
        play={play}
        toLive={does['l']}
        leave={() => dialog.current?.close()}
      />
      <span role="status" className="vh">
        Turn {number} of {count}
        {recorded && ', recorded'}
      </span>
    </dialog>
  );
}

interface StageLanesProps {
  cells: readonly { laneId: LaneId; turnId: TurnId }[];
  laneIds: readonly LaneId[];
  numbersHidden: boolean;
  /** What plays the answers, where they are recorded ones. */
  replay?: Replay | undefined;
}

/** The answers of one turn beside each other. */
function StageLanes({ cells, laneIds, numbersHidden, replay }: StageLanesProps) {
  return (
    <main className="stage" data-lanes={cells.length} style={{ '--lane-count': cells.length }}>
      {cells.map(({ laneId, turnId }) => (
        <StageLane
          key={laneId}
          turnId={turnId}
          letter={laneLetter(laneIds.indexOf(laneId))}
          numbersHidden={numbersHidden}
          replay={replay}
        />
      ))}
    </main>
  );
}
