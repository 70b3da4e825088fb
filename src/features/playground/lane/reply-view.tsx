import { isLive } from '../../../conversation/run.ts';
import type { Choice, Part, Run, Turn } from '../../../conversation/types.ts';
import { formatSeconds } from '../../../lib/format.ts';
import { Markdown } from '../../../markdown/markdown.tsx';
import { usePlayground, useQueue } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { ReasoningView } from './reasoning-view.tsx';
import { ToolCalls } from './tool-calls.tsx';
import { useElapsed, useRemaining } from './use-elapsed.ts';
import { VersionStepper } from './version-stepper.tsx';

/** What a run said, by phase: queued, waiting, or its parts in order of arrival. */
export function ReplyView({ turn, run, isLast }: { turn: Turn; run: Run; isLast: boolean }) {
  const { actions } = usePlayground();
  const shown = turn.shownChoice ?? 0;
  if (run.phase.name === 'queued') return <Queued run={run} />;
  if (run.phase.name === 'waiting') return <Waiting run={run} />;
  return (
    <>
      <VersionStepper
        what="candidate"
        shown={shown + 1}
        count={run.choices.length}
        onStep={(step) => actions.showChoice(turn.id, shown + step)}
      />
      <ChoiceView turn={turn} run={run} choice={run.choices[shown]} isLast={isLast} />
    </>
  );
}

function ChoiceView({ turn, run, choice, isLast }: { turn: Turn; run: Run; choice: Choice | undefined; isLast: boolean }) {
  const live = isLive(run);
  const parts = choice?.parts ?? [];
  const lastIndex = parts.length - 1;
  return (
    <>
      {parts.map((part, index) => (
        <PartView key={index} part={part} live={live && index === lastIndex} />
      ))}
      {parts.some((part) => part.type === 'tool-call') && <ToolCalls turn={turn} run={run} isLast={isLast} />}
    </>
  );
}

function PartView({ part, live }: { part: Part; live: boolean }) {
  switch (part.type) {
    case 'text':
      return <Markdown text={part.text} live={live} caret={live} />;
    case 'thinking':
      return <ReasoningView part={part} live={live} />;
    case 'refusal':
      return (
        <div className="refusal">
          <b>Refused</b>
          <Markdown text={part.text} live={live} caret={live} />
        </div>
      );
    case 'tool-call':
      return null;
  }
}

function Queued({ run }: { run: Run }) {
  const { actions, queue } = usePlayground();
  const place = useQueue((state) => state.waiting.indexOf(run.id) + 1);
  const startsAt = useQueue((state) => state.nextStartAt);
  const seconds = Math.ceil(useRemaining(startsAt) / 1000);
  return (
    <div className="card warn c2">
      <h3>{startsAt === undefined ? 'Waits for a free connection' : `Starts in ${seconds} s`}</h3>
      <p>
        {startsAt === undefined ?
          'Four requests are open, which is the most at a time. This one goes out by itself.'
        : `All ${queue.limit()} requests for this minute are used. Your message is queued and goes out by itself.`}
      </p>
      <div className="offers">
        <Button size="small" onClick={() => void actions.stop(run.id)}>
          Cancel
        </Button>
        {place > 0 && <span className="mut">Number {place} in the queue</span>}
      </div>
    </div>
  );
}

const longWaitMs = 10_000;

function Waiting({ run }: { run: Run }) {
  const elapsedMs = useElapsed(run.sentAt);
  return (
    <p className="wt">
      Waiting for the first token, {formatSeconds(elapsedMs)}
      {elapsedMs > longWaitMs && '. Still waiting: reasoning models can take a minute'}
      {run.lastEventMs !== undefined && '. The gateway says it is still working'}.
    </p>
  );
}
