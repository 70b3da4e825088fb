import { useMemo, useRef, useState } from 'react';

import { getLaneHeadlines } from '../../../conversation/comparison/lane-headline.ts';
import { buildRows } from '../../../conversation/session/prompt-rows.ts';
import { getLaneLetter, getLanePath, getRun } from '../../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData, TurnId } from '../../../conversation/session/types.ts';
import type { Replay } from '../../../state/runs/replay.ts';
import { usePlayground, usePrefs, useSessionShallow, useView } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { useShownModal } from '../../../ui/overlays/use-modal-dialog.ts';
import { RecordedScene } from './replayed-scene.tsx';
import { StageHints } from './stage-hints.tsx';
import { lanesInRow, StageLane } from './stage-lane.tsx';
import { StagePrompt } from './stage-prompt.tsx';
import { StageAsk } from './stage-question-field.tsx';
import { StageSummary } from './stage-summary.tsx';
import { StageVote } from './stage-vote.tsx';
import { useQuietPointer } from './use-is-idle.ts';
import { useStageKeys } from './use-stage-keys.ts';

import './presentation.css';

type Parts = Pick<SessionData, 'session' | 'lanes' | 'prompts' | 'turns'>;

interface PresentationProps {
  /** The last scene is shown first. */
  startsAtSummary?: boolean;
  onClose: () => void;
}

const look = classes(
  'h-dvh max-h-none w-screen max-w-none grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden',
  'bg-paper text-ink open:grid open:animate-[rise_var(--d-3)_var(--ease-out)]',
  'data-quiet:not-has-[footer_:focus-visible]:cursor-none',
);

/** The turns with this number, from 1, in lane order. */
function sceneOf(parts: Parts, number: number): { laneId: LaneId; turnId: TurnId }[] {
  const data: SessionData = { ...parts, runs: {} };
  return parts.session.laneIds.flatMap((laneId) => {
    const lane = parts.lanes[laneId];
    const turn = lane && getLanePath(data, lane)[number - 1];
    return turn ? [{ laneId, turnId: turn.id }] : [];
  });
}

/** The session for a room: a prompt and its answers in large type, a turn a scene, without the controls. */
export function Presentation(props: PresentationProps) {
  const parts = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  return parts && <Stage parts={parts} {...props} />;
}

function Stage({ parts, startsAtSummary = false, onClose }: PresentationProps & { parts: Parts }) {
  const { actions, view } = usePlayground();
  const announce = useAnnounce();
  const singleKeys = usePrefs((prefs) => prefs.singleKeys);
  const namesHidden = useView((state) => state.namesHidden);
  const dialog = useRef<HTMLDialogElement>(null);
  const replay = useRef<Replay>(undefined);
  const [texts] = useState(() => new Set<HTMLElement>());
  const rows = useMemo(() => buildRows({ ...parts, runs: {} }), [parts]);
  const count = rows.reduce((most, row) => Math.max(most, row.number), 0);
  const laneIds = parts.session.laneIds;
  /** One more where there is something to sum up. */
  const last = count + (laneIds.length > 1 ? 1 : 0);
  // Undefined follows the newest turn, also one that comes while the room looks on.
  const [chosen, setChosen] = useState<number | undefined>(startsAtSummary ? last : undefined);
  const [focused, setFocused] = useState<LaneId>();
  const [numbers, setNumbers] = useState<'shown' | 'hidden'>();
  const [reasoningShown, setReasoningShown] = useState(false);
  const [recorded, setRecorded] = useState(false);
  const [foot, setFoot] = useState<'hints' | 'ask' | 'vote'>('hints');
  useShownModal(dialog, { focusesItself: true });
  const isQuiet = useQuietPointer();
  const number = Math.min(chosen ?? count, last);
  const isSummary = number > count;
  const scene = useMemo(() => sceneOf(parts, number), [parts, number]);
  const row = rows.find((each) => each.number === number && each.cells.length > 1);
  const inFocus = laneIds.includes(focused ?? '') ? focused : undefined;
  // Speed tells which model it is; whoever wants the numbers alone asks for them.
  const numbersHidden = numbers === undefined ? namesHidden && laneIds.length > 1 : numbers === 'hidden';

  const goTo = (next: number) => setChosen(next === count ? undefined : Math.max(1, Math.min(next, last)));
  const focusLane = (index: number) => {
    const laneId = laneIds[index];
    if (laneId !== undefined) setFocused(laneId === inFocus ? undefined : laneId);
  };
  const play = () => {
    if (!recorded) return setRecorded(true);
    const state = replay.current?.state.getState();
    if (state?.isPlaying) replay.current?.pause();
    else replay.current?.play();
  };
  const scroll = (share: number) => {
    for (const text of texts) text.scrollBy({ top: share * text.clientHeight });
  };
  const closeFoot = () => {
    setFoot('hints');
    dialog.current?.focus();
  };
  const vote = () => {
    if (foot === 'vote') return closeFoot();
    if (row && !isSummary) setFoot('vote');
    else announce('Only one lane answers here.');
  };
  const choose = (key: number) => {
    const choice = key === 0 ? 'equal' : laneIds[key - 1];
    if (row && choice !== undefined) announce(actions.setVote(row.promptId, choice));
  };
  const moves: Record<string, () => void> = {
    ArrowLeft: () => goTo(number - 1),
    ArrowRight: () => goTo(number + 1),
    PageUp: () => goTo(number - 1),
    PageDown: () => goTo(number + 1),
    Home: () => goTo(1),
    End: () => goTo(last),
    ArrowUp: () => scroll(-0.8),
    ArrowDown: () => scroll(0.8),
    ' ': () => scroll(0.8),
    Enter: () => setFoot('ask'),
  };
  const does: Record<string, () => void> = {
    a: () => setFoot('ask'),
    v: vote,
    n: () => view.setState({ namesHidden: !namesHidden }),
    m: () => setNumbers(numbersHidden ? 'shown' : 'hidden'),
    t: () => setReasoningShown(!reasoningShown),
    r: play,
    l: () => setRecorded(false),
  };

  useStageKeys(dialog, (event) => {
    const move = event.shiftKey && event.key === ' ' ? () => scroll(-0.8) : moves[event.key];
    if (event.key === 'Escape' && foot === 'vote') {
      event.preventDefault();
      closeFoot();
    } else if (move) {
      event.preventDefault();
      move();
    } else if (!singleKeys) return;
    else if (/^[0-6]$/.test(event.key)) {
      if (foot === 'vote') choose(Number(event.key));
      else if (event.key !== '0') focusLane(Number(event.key) - 1);
    } else if (!event.repeat) {
      const act = does[event.key.toLowerCase()];
      // Else the letter would be the first one of what is asked.
      if (act) event.preventDefault();
      act?.();
    }
  });

  /** Many lanes leave little room. */
  const isSmall = scene.length > 3 && !inFocus;
  const isHushed = isQuiet && foot === 'hints';
  const lanes = { scene, inFocus, laneIds, numbersHidden, texts };
  const name = isSummary ? 'Summary' : `Turn ${number} of ${count}`;
  return (
    <dialog
      ref={dialog}
      className={classes(
        look,
        isSmall ? 'px-9 pt-5.5 pb-3' : 'px-12 pt-8 pb-3.5 max-[900px]:px-4 max-[900px]:pt-4 max-[900px]:pb-3',
      )}
      aria-label="Presentation"
      tabIndex={-1}
      data-quiet={isHushed || undefined}
      data-hides-reasoning={!reasoningShown || undefined}
      onClose={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {isSummary ? (
        <StageSummary laneId={inFocus} />
      ) : (
        <StagePrompt
          isSmall={isSmall}
          promptIds={scene
            .filter(({ laneId }) => inFocus === undefined || laneId === inFocus)
            .map(({ turnId }) => parts.turns[turnId]?.promptId ?? '')}
        />
      )}
      {!isSummary &&
        (recorded ? (
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
        ))}
      {foot === 'ask' ? (
        <StageAsk
          onAsked={() => {
            setRecorded(false);
            setChosen(undefined);
            closeFoot();
          }}
          onClose={closeFoot}
        />
      ) : foot === 'vote' && row && !isSummary ? (
        <StageVote key={row.promptId} row={row} onClose={closeFoot} />
      ) : (
        <StageHints
          number={number}
          count={count}
          last={last}
          name={name}
          laneCount={laneIds.length}
          singleKeys={singleKeys}
          isQuiet={isHushed}
          state={{ namesHidden, numbersHidden, reasoningShown, recorded }}
          goTo={goTo}
          scroll={() => scroll(0.8)}
          ask={() => setFoot('ask')}
          vote={row && !isSummary ? vote : undefined}
          focusLane={focusLane}
          toggleNames={does['n']}
          toggleNumbers={does['m']}
          toggleReasoning={does['t']}
          play={play}
          toLive={does['l']}
          leave={() => dialog.current?.close()}
        />
      )}
      <span role="status" className="sr-only">
        {name}
        {recorded && ', recorded'}
      </span>
    </dialog>
  );
}

/** The words of the answers and their code, as large as the lanes leave room for. */
const sizes = {
  few: classes(
    '[--stage-code:18px/26px] [--stage-text:22px/33px]',
    'max-[900px]:[--stage-code:16px/24px] max-[900px]:[--stage-text:18px/28px]',
  ),
  three: classes('[--stage-code:17px/25px] [--stage-text:20px/31px]'),
  many: classes('[--stage-code:15px/22px] [--stage-text:18px/27px]'),
};

/** Up to three are side by side, or beneath each other where that is too narrow; more of them are in two rows. */
function stageLook(count: number): string {
  const inRow = lanesInRow(count);
  return classes(
    'grid min-h-0 max-[900px]:auto-rows-[minmax(60%,auto)] max-[900px]:overflow-y-auto',
    inRow === 1 ? 'grid-cols-1' : inRow === 2 ? 'grid-cols-2' : 'grid-cols-3',
    count > 3 ? 'grid-rows-2' : 'grid-rows-1 max-[900px]:grid-cols-1 max-[900px]:grid-rows-none',
    count > 3 ? sizes.many : count === 3 ? sizes.three : sizes.few,
  );
}

interface StageLanesProps {
  scene: readonly { laneId: LaneId; turnId: TurnId }[];
  /** Where one lane has the stage to itself. */
  inFocus: LaneId | undefined;
  laneIds: readonly LaneId[];
  numbersHidden: boolean;
  /** What scrolls, for the keys that scroll all of them. */
  texts: Set<HTMLElement>;
  /** What plays the answers, where they are recorded ones. */
  replay?: Replay | undefined;
}

/** The answers of one turn beside each other. */
function StageLanes({ scene, inFocus, laneIds, numbersHidden, texts, replay }: StageLanesProps) {
  const setups = useSessionShallow((data) =>
    scene.map(({ turnId }) => getRun(data, data.turns[turnId])?.setup),
  );
  const headlines = useMemo(() => getLaneHeadlines(setups ?? []), [setups]);
  const cells = scene
    .map((cell, index) => ({ ...cell, headline: headlines[index] }))
    .filter(({ laneId }) => inFocus === undefined || laneId === inFocus);
  return (
    <main className={stageLook(cells.length)}>
      {cells.map(({ laneId, turnId, headline }, index) => (
        <StageLane
          key={laneId}
          turnId={turnId}
          letter={getLaneLetter(laneIds.indexOf(laneId))}
          headline={headline}
          index={index}
          count={cells.length}
          numbersHidden={numbersHidden}
          texts={texts}
          replay={replay}
        />
      ))}
    </main>
  );
}
