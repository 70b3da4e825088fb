import { clsx } from 'clsx';
import { useMemo, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';

import { getLaneLetter, getRunId, getRun } from '../../conversation/session/turn-tree.ts';
import type { SessionData, TurnId } from '../../conversation/session/types.ts';
import { formatCount, formatSeconds } from '../../lib/format.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import {
  ReplacedServices,
  useSessionServices,
  useInspector,
  useRun,
  useSession,
  useTurn,
  useView,
  useRunServices,
} from '../../state/contexts.tsx';
import type { Replay, ReplaySpeed } from '../../state/runs/replay.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { Pause, Play, RotateCcw } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EndingView } from '../conversation/reply/ending-view.tsx';
import { NotesView } from '../conversation/reply/notes-view.tsx';
import { ReplyView } from '../conversation/reply/reply-view.tsx';
import { MetricsView } from '../lanes/metrics-view.tsx';
import { createReplayServices } from './replay-services.ts';
import { ReplayedTrace } from './replayed-trace.tsx';
import { useReplay } from './use-replay.ts';

const speeds: readonly { value: string; label: string; speed: ReplaySpeed }[] = [
  { value: '1', label: '1x', speed: 1 },
  { value: '4', label: '4x', speed: 4 },
  { value: '16', label: '16x', speed: 16 },
  { value: 'once', label: 'Instant', speed: 'once' },
];

/** Replay of a recorded answer, or of a whole turn with all lanes, over the page. */
export function ReplayOverlay() {
  const { inspector } = useRunServices();
  const turnIds = useInspector((state) => state.replay);
  const data = useSession((session) => session);
  if (!turnIds || !data) return null;
  return (
    <ReplayDialog
      key={turnIds.join()}
      data={data}
      turnIds={turnIds}
      onClose={() => inspector.setState({ replay: undefined })}
    />
  );
}

function ReplayDialog({
  data,
  turnIds,
  onClose,
}: {
  data: SessionData;
  turnIds: readonly TurnId[];
  onClose: () => void;
}) {
  const { replay, isMissing } = useReplay(data, turnIds);
  const sentAt = turnIds.flatMap((turnId) => getRun(data, data.turns[turnId])?.sentAt ?? [])[0];
  const title = getDisplayTitle(data.session.title);
  return (
    <Dialog
      title="Replay"
      className="w-[min(1320px,calc(100vw-32px))]"
      isFullHeight
      onClose={onClose}
      note={
        <span className="text-ink-3">
          {sentAt === undefined ? title : `${title}, ${formatSentAt(sentAt)}`}
        </span>
      }
      footer={replay && <ReplayControls replay={replay} />}
    >
      <div
        className={clsx(
          'grid min-h-0 flex-1 snap-x snap-mandatory auto-cols-fr grid-flow-col overflow-x-auto bg-paper',
          turnIds.length > 1 && 'max-phone:auto-cols-[minmax(86vw,1fr)]',
        )}
      >
        {isMissing && <p className="p-6">This answer has no recording to play.</p>}
        {replay && <ReplayLanes replay={replay} turnIds={turnIds} laneIds={data.session.laneIds} />}
      </div>
    </Dialog>
  );
}

function formatSentAt(sentAt: number): string {
  return new Date(sentAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

function ReplayLanes({
  replay,
  turnIds,
  laneIds,
}: {
  replay: Replay;
  turnIds: readonly TurnId[];
  laneIds: readonly string[];
}) {
  const { actions } = useSessionServices();
  const services = useMemo(() => createReplayServices(actions, replay), [actions, replay]);
  return (
    <ReplacedServices services={services}>
      {turnIds.map((turnId) => (
        <ReplayedReply key={turnId} turnId={turnId} replay={replay} laneIds={laneIds} />
      ))}
    </ReplacedServices>
  );
}

function ReplayControls({ replay }: { replay: Replay }) {
  const { speed, isPlaying, atMs, endMs, events, totalEvents, accuracy } = useStore(replay.state);
  const hasEnded = !isPlaying && atMs >= endMs;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (isPlaying) replay.pause();
    else replay.play();
  };
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-2" onKeyDown={onKeyDown}>
      <Button size="big" variant="primary" onClick={() => (isPlaying ? replay.pause() : replay.play())}>
        {isPlaying ? (
          <Pause className="icon-14" aria-hidden />
        ) : hasEnded ? (
          <RotateCcw className="icon-14" aria-hidden />
        ) : (
          <Play className="icon-14" aria-hidden />
        )}
        {isPlaying ? 'Pause' : hasEnded ? 'Play again' : 'Play'}
      </Button>
      <Segmented
        label="Speed"
        value={String(speed)}
        choices={speeds}
        onChange={(value) => {
          const selected = speeds.find((option) => option.value === value);
          if (!selected) return;
          replay.setSpeed(selected.speed);
          if (!replay.state.getState().isPlaying) replay.play();
        }}
      />
      {!hasEnded && !isPlaying && atMs > 0 && (
        <IconButton label="Back to start" onClick={() => replay.seek(0)}>
          <RotateCcw className="icon-14" aria-hidden />
        </IconButton>
      )}
      <input
        type="range"
        className="min-w-35 flex-1 accent-needle"
        aria-label="Position in the recording"
        aria-valuetext={`${formatSeconds(atMs)} of ${formatSeconds(endMs)}`}
        min={0}
        max={Math.max(1, Math.round(endMs))}
        step={1}
        value={Math.round(atMs)}
        onInput={(event) => {
          replay.pause();
          replay.seek(Number(event.currentTarget.value));
        }}
      />
      <span className="text-12 whitespace-nowrap text-ink-2 normal-nums">
        {formatSeconds(atMs)} of {formatSeconds(endMs)}
      </span>
      <span className="text-12 whitespace-nowrap text-ink-2 normal-nums">
        {formatCount(events)} of {formatCount(totalEvents)} events
      </span>
      {accuracy && (
        <span
          className="text-12 text-ink-3 normal-nums"
          title="Timing error of the gaps between events: median and 95th percentile"
        >
          Timing error: median {accuracy.medianMs.toFixed(1)} ms, p95 {accuracy.p95Ms.toFixed(1)} ms
        </span>
      )}
    </div>
  );
}

interface ReplayedReplyProps {
  turnId: TurnId;
  replay: Replay;
  laneIds: readonly string[];
}

/** Recorded answer, in the same view as while it was streaming. */
export function ReplayedReply({ turnId, replay, laneIds }: ReplayedReplyProps) {
  const turn = useTurn(turnId);
  const run = useRun(getRunId(turn));
  const namesHidden = useView((view) => view.namesHidden);
  if (!turn || !run) return null;
  const letter = getLaneLetter(Math.max(0, laneIds.indexOf(turn.laneId)));
  return (
    <article
      className={clsx(
        `lane-${letter.toLowerCase()}`,
        'flex min-h-0 min-w-0 snap-start flex-col not-first:border-l not-first:border-line',
      )}
      aria-label={`Recorded message, lane ${letter}${namesHidden ? '' : `, ${run.setup.model}`}`}
      data-layout="one-lane"
      data-status={run.phase.name}
    >
      <header className="flex flex-none items-center gap-2 border-b border-line px-4 py-2.25">
        <LaneTile letter={letter} />
        <b className="min-w-0 truncate text-13 font-550 normal-nums">
          {namesHidden ? `Model ${letter}` : run.setup.model}
        </b>
        <span className="min-w-0 flex-1" />
        <StatusLabel tone="warn">Recorded</StatusLabel>
      </header>
      <div
        className={clsx(
          'reply min-h-0 flex-1 overflow-y-auto px-4 py-3 [&>.markdown]:max-w-187',
          '[--md-font:var(--t-15)] max-phone:[--md-font:400_16px/25px_var(--sans)]',
        )}
      >
        <ReplyView turn={turn} run={run} isRaw={false} />
        <NotesView turn={turn} run={run} isLast={false} />
        <EndingView turn={turn} run={run} isLast={false} />
      </div>
      <footer className="flex-none border-t border-line px-4 pt-2 pb-2.5">
        <ReplayedTrace run={run} replay={replay} />
        <MetricsView run={run} letter={letter} turnNumber={1} variant="compact" />
      </footer>
    </article>
  );
}
