import { hasLiveRun } from '../../conversation/reply/run.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { useSession, useView, useSessionServices, useAppServices } from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { StageMark } from '../../ui/stage/stage-head.tsx';
import { useTargetLanes } from '../composer/composer-targets.tsx';

interface StageQuestionFieldProps {
  onSent: () => void;
  onClose: () => void;
}

/** Field for the next question during a presentation. Its text is kept when the field closes. */
export function StageQuestionField({ onSent, onClose }: StageQuestionFieldProps) {
  const { actions, view } = useSessionServices();
  const { notices } = useAppServices();
  const announce = useAnnounce();
  const text = useView((state) => state.stageDraft ?? '');
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  const targets = useTargetLanes();
  const isRunning = useSession(hasLiveRun) ?? false;
  const hasModels = useSession((data) => targets.every((id) => data.lanes[id]?.setup.model !== '')) ?? false;
  const disabledReason = isRunning
    ? 'Wait for the answers to finish.'
    : targets.length === 0 || !hasModels
      ? 'Choose a model for each lane first.'
      : undefined;
  const sendQuestion = () => {
    if (text.trim() === '') return;
    if (disabledReason !== undefined) return announce(disabledReason);
    view.setState({ stageDraft: undefined });
    reportFailure(notices, actions.sendPrompt({ messages: [{ role: 'user', content: text }] }, targets));
    onSent();
  };
  return (
    <div className="-mx-4 flex h-13 items-center gap-3 rounded-4 border-[1.5px] border-ink bg-raised px-4 text-12 text-ink-3">
      <StageMark />
      <input
        autoFocus
        className="min-w-0 flex-1 bg-transparent text-[20px]/7 text-ink outline-none [--field-size:20px]"
        aria-label="Ask from the stage"
        placeholder="Ask the next question"
        dir="auto"
        autoComplete="off"
        value={text}
        onInput={(event) => view.setState({ stageDraft: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') sendQuestion();
          else onClose();
        }}
      />
      {disabledReason === undefined ? (
        laneIds.length > 1 && (
          <span className="flex flex-none items-center gap-1 max-phone:hidden">
            To
            {targets.map((laneId) => (
              <LaneTile key={laneId} letter={getLaneLetter(laneIds.indexOf(laneId))} />
            ))}
          </span>
        )
      ) : (
        <span className="flex-none">{disabledReason}</span>
      )}
      <button
        type="button"
        className="flex min-h-6 flex-none items-center gap-1.5 hover:text-ink"
        onClick={sendQuestion}
      >
        <kbd aria-hidden>Enter</kbd> ask
      </button>
      <button
        type="button"
        className="flex min-h-6 flex-none items-center gap-1.5 hover:text-ink"
        onClick={onClose}
      >
        <kbd aria-hidden>Esc</kbd> close
      </button>
    </div>
  );
}
