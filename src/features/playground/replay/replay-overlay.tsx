import { Pause, Play, RotateCcw } from 'lucide-react';
import { useMemo, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';

import { changeTurn } from '../../../conversation/edit.ts';
import type { SessionData, TurnId } from '../../../conversation/types.ts';
import { formatCount, formatSeconds } from '../../../lib/format.ts';
import type { Playground } from '../../../state/playground.ts';
import { PlaygroundProvider, useInspector, usePlayground, useSession } from '../../../state/react.tsx';
import type { Replay, ReplaySpeed } from '../../../state/replay.ts';
import { changeSession } from '../../../state/session-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { ReplayedReply } from './replayed-reply.tsx';
import { useReplay } from './use-replay.ts';

import './replay.css';

const speeds: readonly { value: string; label: string; speed: ReplaySpeed }[] = [
  { value: '1', label: '1x', speed: 1 },
  { value: '4', label: '4x', speed: 4 },
  { value: '16', label: '16x', speed: 16 },
  { value: 'once', label: 'At once', speed: 'once' },
];

/** A recorded answer, or a whole turn with all its lanes, played again over the page. */
export function ReplayOverlay() {
  const { inspector } = usePlayground();
  const turnIds = useInspector((state) => state.replay);
  const data = useSession((now) => now);
  if (!turnIds || !data) return null;
  return (
    <Recorded
      key={turnIds.join()}
      data={data}
      turnIds={turnIds}
      onClose={() => inspector.setState({ replay: undefined })}
    />
  );
}

function Recorded({
  data,
  turnIds,
  onClose,
}: {
  data: SessionData;
  turnIds: readonly TurnId[];
  onClose: () => void;
}) {
  const { replay, missing } = useReplay(data, turnIds);
  const sentAt = turnIds.flatMap((turnId) => {
    const reply = data.turns[turnId]?.reply;
    return (reply && 'runId' in reply && data.runs[reply.runId]?.sentAt) || [];
  })[0];
  return (
    <Dialog
      title="Recorded"
      wide
      onClose={onClose}
      note={
        <span className="mut">
          {sentAt === undefined ? data.session.title : `${data.session.title}, ${whenWords(sentAt)}`}
        </span>
      }
      footer={replay && <Controls replay={replay} />}
    >
      <div className="replay" style={{ '--lane-count': turnIds.length }}>
        {missing && (
          <p className="nt">No recording of this answer is kept here, so there is nothing to play.</p>
        )}
        {replay && <Lanes replay={replay} turnIds={turnIds} laneIds={data.session.laneIds} />}
      </div>
    </Dialog>
  );
}

function whenWords(sentAt: number): string {
  return new Date(sentAt).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

function Lanes({
  replay,
  turnIds,
  laneIds,
}: {
  replay: Replay;
  turnIds: readonly TurnId[];
  laneIds: readonly string[];
}) {
  const playground = usePlayground();
  const recorded = useMemo(() => recordedPlayground(playground, replay), [playground, replay]);
  return (
    <PlaygroundProvider playground={recorded}>
      {turnIds.map((turnId) => (
        <ReplayedReply key={turnId} turnId={turnId} replay={replay} laneIds={laneIds} />
      ))}
    </PlaygroundProvider>
  );
}

/**
 * The same app over the copied session: every view works as always, and nothing that could be done to an answer does
 * anything to a recording. Only candidates can be leafed through.
 */
function recordedPlayground(playground: Playground, replay: Replay): Playground {
  const inert = new Proxy(playground.actions, { get: () => () => undefined });
  const actions: Playground['actions'] = {
    ...inert,
    showChoice: (turnId, choice) => {
      const { currentId } = replay.session.getState();
      if (currentId === undefined) return;
      changeSession(replay.session, currentId, (now) =>
        changeTurn(now, turnId, (turn) => ({ ...turn, shownChoice: choice })),
      );
    },
  };
  return { ...playground, session: replay.session, shownSession: replay.session, actions };
}

function Controls({ replay }: { replay: Replay }) {
  const { speed, playing, atMs, endMs, events, totalEvents, accuracy } = useStore(replay.state);
  const isOver = !playing && atMs >= endMs;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (playing) replay.pause();
    else replay.play();
  };
  return (
    <div className="rp" onKeyDown={onKeyDown}>
      <Button size="big" look="ink" onClick={() => (playing ? replay.pause() : replay.play())}>
        {playing ? (
          <Pause className="i s" aria-hidden />
        ) : isOver ? (
          <RotateCcw className="i s" aria-hidden />
        ) : (
          <Play className="i s" aria-hidden />
        )}
        {playing ? 'Pause' : isOver ? 'Play again' : 'Play'}
      </Button>
      <Segmented
        label="Speed"
        value={String(speed)}
        choices={speeds}
        onChange={(value) => {
          const chosen = speeds.find((each) => each.value === value);
          if (!chosen) return;
          replay.setSpeed(chosen.speed);
          if (!replay.state.getState().playing) replay.play();
        }}
      />
      {!isOver && !playing && atMs > 0 && (
        <IconButton label="From the start" onClick={() => replay.seek(0)}>
          <RotateCcw className="i s" aria-hidden />
        </IconButton>
      )}
      <input
        type="range"
        aria-label="Moment of the recording"
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
      <span className="rp-n">
        {formatSeconds(atMs)} of {formatSeconds(endMs)}
      </span>
      <span className="rp-n">
        {formatCount(events)} of {formatCount(totalEvents)} events
      </span>
      {accuracy && (
        <span
          className="mut"
          title="How far the times between events were from the recorded ones: the middle one, and what 95 of 100 stayed under"
        >
          Gaps within {accuracy.medianMs.toFixed(1)} ms of the recording, 95% within{' '}
          {accuracy.nearlyAllMs.toFixed(1)} ms
        </span>
      )}
    </div>
  );
}
