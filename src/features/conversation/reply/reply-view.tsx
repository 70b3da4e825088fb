import { clsx } from 'clsx';
import { useState } from 'react';
import { useStore } from 'zustand';

import { getCandidateIndex, listCandidateIndexes } from '../../../conversation/session/candidates.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { formatSeconds } from '../../../lib/format.ts';
import { useQueue, useSessionServices, useRunServices } from '../../../state/contexts.tsx';
import { describeUsedUpLimit } from '../../../state/runs/run-queue.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NoteActions, NoteCard, NoteText } from '../../../ui/display/card.tsx';
import { StatusLabel } from '../../../ui/display/status-label.tsx';
import { Rows3, SquareCheck } from '../../../ui/late-icons.tsx';
import { useElapsed, useRemaining } from '../../workspace/use-elapsed.ts';
import { VersionStepper } from '../message/version-stepper.tsx';
import { CandidateView } from './candidate-view.tsx';

/** Reply of a run by phase: queued, waiting, or its parts in order of arrival; `isRaw`: shows the raw text. */
export function ReplyView({ turn, run, isRaw = false }: { turn: Turn; run: Run; isRaw?: boolean }) {
  if (run.phase.name === 'queued') return <QueuedView run={run} />;
  if (run.phase.name === 'waiting') return <WaitingView run={run} />;
  if (listCandidateIndexes(run).length > 1) return <Candidates turn={turn} run={run} isRaw={isRaw} />;
  return <CandidateView turn={turn} run={run} candidateIndex={turn.shownChoice} isRaw={isRaw} />;
}

function QueuedView({ run }: { run: Run }) {
  const isUnsaved = useStore(useRunServices().heldRuns.heldRunIds, (heldIds) => heldIds.includes(run.id));
  return isUnsaved ? <UnsavedRunCard run={run} /> : <QueuedRunCard run={run} />;
}

function UnsavedRunCard({ run }: { run: Run }) {
  const { actions } = useSessionServices();
  const { heldRuns } = useRunServices();
  return (
    <NoteCard tone="warn" title="Saving your message">
      <NoteText>
        Saving is taking a while. Your message is sent once it is saved. If you send it unsaved, it is lost if
        this tab closes first.
      </NoteText>
      <NoteActions>
        <Button size="small" onClick={heldRuns.sendWithoutSaving}>
          Send without saving
        </Button>
        <Button size="small" onClick={() => void actions.stop(run.id)}>
          Cancel
        </Button>
      </NoteActions>
    </NoteCard>
  );
}

function QueuedRunCard({ run }: { run: Run }) {
  const { actions } = useSessionServices();
  const { gateway } = run.setup;
  const queue = useRunServices().getQueue(gateway);
  const position = useQueue((state) => state.waiting.indexOf(run.id) + 1, gateway);
  const nextStartAt = useQueue((state) => state.nextStartAt, gateway);
  const seconds = Math.ceil(useRemaining(nextStartAt) / 1000);
  return (
    <NoteCard tone="warn" title={nextStartAt === undefined ? 'Queued by Bench' : `Starts in ${seconds} s`}>
      <NoteText>
        {nextStartAt === undefined
          ? `${queue.getCapacity()} requests are already running (the limit). This one will start automatically.`
          : `${describeUsedUpLimit(queue.getLimit())} Your message is queued and will be sent automatically.`}
      </NoteText>
      <NoteActions>
        <Button size="small" onClick={() => void actions.stop(run.id)}>
          Cancel
        </Button>
        {position > 0 && <span className="text-ink-3">Number {position} in the queue</span>}
      </NoteActions>
    </NoteCard>
  );
}

const longWaitMs = 10_000;

function WaitingView({ run }: { run: Run }) {
  const elapsedMs = useElapsed(run.sentAt);
  return (
    // A single text node, so that the growing number does not move other nodes.
    <p className="text-[13px]/6 font-400 text-ink-2 normal-nums">
      {[
        `Waiting for the first token, ${formatSeconds(elapsedMs)}.`,
        elapsedMs > longWaitMs && 'Still waiting. Reasoning models can take a minute.',
        run.lastEventMs !== undefined && 'The gateway reports that it is still working.',
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  );
}

/**
 * Candidates of a run with n > 1: one at a time with a stepper, or all stacked. The conversation continues from the
 * selected candidate.
 */
function Candidates({ turn, run, isRaw }: { turn: Turn; run: Run; isRaw: boolean }) {
  const { actions } = useSessionServices();
  const [showsAll, setShowsAll] = useState(false);
  const candidates = listCandidateIndexes(run);
  const currentIndex = candidates.indexOf(getCandidateIndex(run, turn.shownChoice));
  const count = candidates.length;
  // The first candidate is stored as 0, whatever index the gateway starts with, so that later turns stay attached to
  // it.
  const selectCandidate = (index: number) =>
    actions.showCandidate(turn.id, index === 0 ? 0 : (candidates[index] ?? 0));
  return (
    <>
      <div className="-ml-1.25 flex items-center gap-2">
        <VersionStepper
          itemKind="candidate"
          current={currentIndex + 1}
          count={count}
          onStep={(step) => selectCandidate(currentIndex + step)}
        />
        <Button size="small" variant="ghost" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          <Rows3 className="icon-14" aria-hidden />
          {showsAll ? 'Show one' : 'Show all'}
        </Button>
      </div>
      {showsAll ? (
        candidates.map((candidateIndex, index) => (
          <section
            key={candidateIndex}
            className={clsx(index > 0 && 'mt-3 border-t border-line pt-2')}
            aria-label={`Candidate ${index + 1} of ${count}`}
          >
            <h3 className="flex min-h-7 items-center gap-2.5 text-12 font-500 text-ink-3 normal-nums">
              Candidate {index + 1}
              {index === currentIndex ? (
                <StatusLabel tone="ok" icon={<SquareCheck aria-hidden />}>
                  Used in the conversation
                </StatusLabel>
              ) : (
                <Button size="small" variant="ghost" onClick={() => selectCandidate(index)}>
                  Continue with this one
                </Button>
              )}
            </h3>
            <CandidateView turn={turn} run={run} candidateIndex={candidateIndex} isRaw={isRaw} />
          </section>
        ))
      ) : (
        <CandidateView turn={turn} run={run} candidateIndex={turn.shownChoice} isRaw={isRaw} />
      )}
    </>
  );
}
