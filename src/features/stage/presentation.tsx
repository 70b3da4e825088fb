import { clsx } from 'clsx';
import { useMemo, useRef, useState, useCallback } from 'react';

import { getLaneHeadlines } from '../../conversation/comparison/lane-headline.ts';
import { describeTurnVote } from '../../conversation/comparison/turn-vote.ts';
import { getLaneName } from '../../conversation/session/lanes.ts';
import { buildPromptRows, type PromptRow } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter, getLanePath, getRun } from '../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData, TurnId } from '../../conversation/session/types.ts';
import { usePrefs, useSessionShallow, useView, useSessionServices } from '../../state/contexts.tsx';
import type { Replay } from '../../state/runs/replay.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { StageDialog } from '../../ui/stage/stage-dialog.tsx';
import { useIsIdle } from '../../ui/stage/use-is-idle.ts';
import { useTurnVote } from '../compare/use-turn-vote.ts';
import { VoteRadioGroup } from '../compare/vote-row.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { ReplayedScene } from './replayed-scene.tsx';
import { StageHints } from './stage-hints.tsx';
import { getLanesPerRow, StageLane } from './stage-lane.tsx';
import { StagePrompt } from './stage-prompt.tsx';
import { StageQuestionField } from './stage-question-field.tsx';
import { StageSummary } from './stage-summary.tsx';

type StageData = Pick<SessionData, 'session' | 'lanes' | 'prompts' | 'turns'>;

interface PresentationProps {
  /** True to start with the last scene. */
  startsAtSummary?: boolean;
  onClose: () => void;
}

/** Returns the turns with this number, from 1, in lane order. */
function getScene(stageData: StageData, number: number): { laneId: LaneId; turnId: TurnId }[] {
  const data: SessionData = { ...stageData, runs: {} };
  return stageData.session.laneIds.flatMap((laneId) => {
    const lane = stageData.lanes[laneId];
    const turn = lane && getLanePath(data, lane)[number - 1];
    return turn ? [{ laneId, turnId: turn.id }] : [];
  });
}

/** Presentation mode: a prompt and its answers in large type, one turn per scene, without controls. */
export function Presentation(props: PresentationProps) {
  const stageData = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  return stageData && <Stage stageData={stageData} {...props} />;
}

function Stage({
  stageData,
  startsAtSummary = false,
  onClose,
}: PresentationProps & { stageData: StageData }) {
  const { actions, view } = useSessionServices();
  const announce = useAnnounce();
  const singleKeys = usePrefs((prefs) => prefs.singleKeys);
  const namesHidden = useView((state) => state.namesHidden);
  const dialog = useRef<HTMLDialogElement>(null);
  const replay = useRef<Replay>(undefined);
  const [scrollers] = useState(() => new Set<HTMLElement>());
  const rows = useMemo(() => buildPromptRows({ ...stageData, runs: {} }), [stageData]);
  const turnCount = rows.reduce((max, row) => Math.max(max, row.number), 0);
  const laneIds = stageData.session.laneIds;
  /** Number of the last scene; with several lanes, a summary follows the turns. */
  const lastSceneNumber = turnCount + (laneIds.length > 1 ? 1 : 0);
  // `undefined` follows the newest turn, including turns added during the presentation.
  const [chosenSceneNumber, setChosenSceneNumber] = useState<number | undefined>(
    startsAtSummary ? lastSceneNumber : undefined,
  );
  const [chosenLaneId, setChosenLaneId] = useState<LaneId>();
  const [numbersChoice, setNumbersChoice] = useState<'shown' | 'hidden'>();
  const [isReasoningVisible, setIsReasoningVisible] = useState(false);
  const [isReplaying, setIsReplaying] = useState(false);
  const [footer, setFooter] = useState<'hints' | 'ask' | 'vote'>('hints');
  const isIdle = useIsIdle();
  const sceneNumber = Math.min(chosenSceneNumber ?? turnCount, lastSceneNumber);
  const isSummary = sceneNumber > turnCount;
  const scene = useMemo(() => getScene(stageData, sceneNumber), [stageData, sceneNumber]);
  const row = rows.find((candidate) => candidate.number === sceneNumber && candidate.cells.length > 1);
  const focusedLaneId = laneIds.includes(chosenLaneId ?? '') ? chosenLaneId : undefined;
  // The speed could reveal the model, so numbers are hidden together with the names unless the user shows them.
  const numbersHidden =
    numbersChoice === undefined ? namesHidden && laneIds.length > 1 : numbersChoice === 'hidden';

  const goToScene = (next: number) =>
    setChosenSceneNumber(next === turnCount ? undefined : Math.max(1, Math.min(next, lastSceneNumber)));
  const focusLane = (index: number) => {
    const laneId = laneIds[index];
    if (laneId !== undefined) setChosenLaneId(laneId === focusedLaneId ? undefined : laneId);
  };
  const toggleReplay = () => {
    if (!isReplaying) return setIsReplaying(true);
    const state = replay.current?.state.getState();
    if (state?.isPlaying) replay.current?.pause();
    else replay.current?.play();
  };
  const scroll = (share: number) => {
    for (const text of scrollers) text.scrollBy({ top: share * text.clientHeight });
  };
  const closeFooter = () => {
    setFooter('hints');
    dialog.current?.focus();
  };
  const toggleVote = () => {
    if (footer === 'vote') return closeFooter();
    if (row && !isSummary) setFooter('vote');
    else announce('Only one lane answers this turn.');
  };
  const voteByKey = (key: number) => {
    const choice = key === 0 ? 'equal' : laneIds[key - 1];
    if (row && choice !== undefined) announce(actions.setVote(row.promptId, choice));
  };
  const navigationActions: Record<string, () => void> = {
    ArrowLeft: () => goToScene(sceneNumber - 1),
    ArrowRight: () => goToScene(sceneNumber + 1),
    PageUp: () => goToScene(sceneNumber - 1),
    PageDown: () => goToScene(sceneNumber + 1),
    Home: () => goToScene(1),
    End: () => goToScene(lastSceneNumber),
    ArrowUp: () => scroll(-0.8),
    ArrowDown: () => scroll(0.8),
    ' ': () => scroll(0.8),
    Enter: () => setFooter('ask'),
  };
  const letterActions: Record<string, () => void> = {
    a: () => setFooter('ask'),
    v: toggleVote,
    n: () => view.setState({ namesHidden: !namesHidden }),
    m: () => setNumbersChoice(numbersHidden ? 'shown' : 'hidden'),
    t: () => setIsReasoningVisible(!isReasoningVisible),
    r: toggleReplay,
    l: () => setIsReplaying(false),
  };

  const handleKey = (event: KeyboardEvent) => {
    const navigate = event.shiftKey && event.key === ' ' ? () => scroll(-0.8) : navigationActions[event.key];
    if (event.key === 'Escape' && footer === 'vote') {
      event.preventDefault();
      closeFooter();
    } else if (navigate) {
      event.preventDefault();
      navigate();
    } else if (!singleKeys) return;
    else if (/^[0-6]$/.test(event.key)) {
      if (footer === 'vote') voteByKey(Number(event.key));
      else if (event.key !== '0') focusLane(Number(event.key) - 1);
    } else if (!event.repeat) {
      const action = letterActions[event.key.toLowerCase()];
      // Otherwise the letter would be typed into the question field.
      if (action) event.preventDefault();
      action?.();
    }
  };

  /** Many lanes leave little space. */
  const isSmall = scene.length > 3 && !focusedLaneId;
  const areHintsHidden = isIdle && footer === 'hints';
  const laneProps = { scene, focusedLaneId, laneIds, numbersHidden, scrollers };
  const sceneName = isSummary ? 'Summary' : `Turn ${sceneNumber} of ${turnCount}`;
  return (
    <StageDialog
      ref={dialog}
      isSmall={isSmall}
      areHintsHidden={areHintsHidden}
      data-hides-reasoning={!isReasoningVisible || undefined}
      onKey={handleKey}
      onClose={onClose}
    >
      {isSummary ? (
        <StageSummary laneId={focusedLaneId} />
      ) : (
        <StagePrompt
          isSmall={isSmall}
          promptIds={scene
            .filter(({ laneId }) => focusedLaneId === undefined || laneId === focusedLaneId)
            .map(({ turnId }) => stageData.turns[turnId]?.promptId ?? '')}
        />
      )}
      {!isSummary &&
        (isReplaying ? (
          <ReplayedScene
            key={scene.map(({ turnId }) => turnId).join()}
            turnIds={scene.map(({ turnId }) => turnId)}
            onReplay={(newReplay) => {
              replay.current = newReplay;
            }}
          >
            {(activeReplay) => <StageLanes {...laneProps} replay={activeReplay} />}
          </ReplayedScene>
        ) : (
          <StageLanes {...laneProps} />
        ))}
      {footer === 'ask' ? (
        <StageQuestionField
          onSent={() => {
            setIsReplaying(false);
            setChosenSceneNumber(undefined);
            closeFooter();
          }}
          onClose={closeFooter}
        />
      ) : footer === 'vote' && row && !isSummary ? (
        <StageVote key={row.promptId} row={row} onClose={closeFooter} />
      ) : (
        <StageHints
          number={sceneNumber}
          count={turnCount}
          lastSceneNumber={lastSceneNumber}
          name={sceneName}
          laneCount={laneIds.length}
          singleKeys={singleKeys}
          areHintsHidden={areHintsHidden}
          state={{ namesHidden, numbersHidden, isReasoningVisible, isReplaying }}
          goToScene={goToScene}
          scroll={() => scroll(0.8)}
          ask={() => setFooter('ask')}
          toggleVote={row && !isSummary ? toggleVote : undefined}
          focusLane={focusLane}
          toggleNames={letterActions['n']}
          toggleNumbers={letterActions['m']}
          toggleReasoning={letterActions['t']}
          toggleReplay={toggleReplay}
          showLive={letterActions['l']}
          exit={() => dialog.current?.close()}
        />
      )}
      <span role="status" className="sr-only">
        {sceneName}
        {isReplaying && ', recorded'}
      </span>
    </StageDialog>
  );
}

interface StageLanesProps {
  scene: readonly { laneId: LaneId; turnId: TurnId }[];
  /** Lane that fills the stage alone. */
  focusedLaneId: LaneId | undefined;
  laneIds: readonly LaneId[];
  numbersHidden: boolean;
  /** Scroll containers, for the keys that scroll all of them. */
  scrollers: Set<HTMLElement>;
  /** Player of the answers, if they are recorded. */
  replay?: Replay | undefined;
}

/** Answers of one turn: up to three lanes side by side, or stacked in a narrow window; more in two rows. */
function StageLanes({ scene, focusedLaneId, laneIds, numbersHidden, scrollers, replay }: StageLanesProps) {
  const setups = useSessionShallow((data) =>
    scene.map(({ turnId }) => getRun(data, data.turns[turnId])?.setup),
  );
  const gateways = useGatewayStatuses();
  const names = useSessionShallow((data) => scene.map(({ laneId }) => getLaneName(data, laneId)));
  const headlines = useMemo(() => getLaneHeadlines(setups ?? [], gateways, names), [setups, gateways, names]);
  const cells = scene
    .map((cell, index) => ({ ...cell, headline: headlines[index] }))
    .filter(({ laneId }) => focusedLaneId === undefined || laneId === focusedLaneId);
  const lanesPerRow = getLanesPerRow(cells.length);
  const sceneTurnIds = useMemo(() => scene.map(({ turnId }) => turnId), [scene]);
  return (
    <main
      className={clsx(
        'grid min-h-0 @max-[800px]/stage:auto-rows-[minmax(60%,auto)] @max-[800px]/stage:overflow-y-auto',
        lanesPerRow === 1 ? 'grid-cols-1' : lanesPerRow === 2 ? 'grid-cols-2' : 'grid-cols-3',
        cells.length > 3
          ? 'grid-rows-2'
          : 'grid-rows-1 @max-[800px]/stage:grid-cols-1 @max-[800px]/stage:grid-rows-none',
        // Text and code are as large as the number of lanes allows.
        cells.length > 3
          ? '[--stage-code:15px/22px] [--stage-text:18px/27px]'
          : cells.length === 3
            ? '[--stage-code:17px/25px] [--stage-text:20px/31px]'
            : '[--stage-code:18px/26px] [--stage-text:22px/33px]',
        cells.length < 3 &&
          '@max-[800px]/stage:[--stage-code:16px/24px] @max-[800px]/stage:[--stage-text:18px/28px]',
      )}
    >
      {cells.map(({ laneId, turnId, headline }, index) => (
        <StageLane
          key={laneId}
          turnId={turnId}
          sceneTurnIds={sceneTurnIds}
          letter={getLaneLetter(laneIds.indexOf(laneId))}
          headline={headline}
          index={index}
          count={cells.length}
          numbersHidden={numbersHidden}
          scrollers={scrollers}
          replay={replay}
        />
      ))}
    </main>
  );
}

/** Vote on the best answer of the scene, in place of the hints. */
function StageVote({ row, onClose }: { row: PromptRow; onClose: () => void }) {
  const { turnVote, choose } = useTurnVote(row);
  const namesHidden = useView((view) => view.namesHidden);
  const focusSelected = useCallback((element: HTMLElement | null) => {
    element?.querySelector<HTMLElement>('[role=radio][tabindex="0"]')?.focus();
  }, []);
  if (!turnVote) return null;
  return (
    <footer
      ref={focusSelected}
      className="flex min-h-13 items-center gap-4 border-t border-line-2 pt-2 text-13 text-ink-2"
    >
      <span aria-hidden className="font-600 text-ink">
        Better
      </span>
      <VoteRadioGroup turnVote={turnVote} choose={choose} />
      <span className="min-w-0 flex-1 truncate">{describeTurnVote(turnVote, namesHidden)}</span>
      <button
        type="button"
        className="flex min-h-6 flex-none items-center gap-1.5 text-12 text-ink-3 hover:text-ink"
        onClick={onClose}
      >
        <kbd aria-hidden>V</kbd> close
      </button>
    </footer>
  );
}
