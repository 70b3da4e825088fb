import { clsx } from 'clsx';
import { memo, use, useState } from 'react';

import { isLive, getAnswerText } from '../../../conversation/reply/run.ts';
import { toMessageFields } from '../../../conversation/request/message-fields.ts';
import { getShownCalls } from '../../../conversation/request/pending-tool-results.ts';
import { getContentText } from '../../../conversation/request/request.ts';
import { getCandidate } from '../../../conversation/session/candidates.ts';
import { getTurnInView } from '../../../conversation/session/prompt-rows.ts';
import {
  getCopiedTurn,
  getLaneLetter,
  getRunId,
  getManualReply,
} from '../../../conversation/session/turn-tree.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { demoGatewayId } from '../../../lib/channel-frames.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { useSession, useStableRun, useTurn, useView, useSessionServices } from '../../../state/contexts.tsx';
import { Button, TextButton } from '../../../ui/controls/button.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { useFocusSuccessor } from '../../../ui/focus/use-focus-successor.ts';
import { PenLine } from '../../../ui/late-icons.tsx';
import { useCurrentHit } from '../../find/use-current-hit.ts';
import { gatewayDetailsButton } from '../../health/health-focus-targets.ts';
import { LaneContent } from '../../lanes/lane-content.tsx';
import { MetricsView } from '../../lanes/metrics-view.tsx';
import { ToolCalls } from '../../tools/tool-calls.tsx';
import { OnlyLaneContext, useIsLaneHidden } from '../../workspace/only-lane-context.ts';
import { anyMessage, messageField } from '../../workspace/playground-focus-targets.ts';
import { RowVisibilityContext } from '../../workspace/row-visibility-context.ts';
import { useOpenPanel } from '../../workspace/use-open-panel.ts';
import { AnswerStartButton } from '../answer-start-button.tsx';
import { MessageBoundary } from '../message/message-boundary.tsx';
import { MessageEditor } from '../message/message-editor.tsx';
import { MessageInfo } from '../message/message-info.tsx';
import { PromptImage } from '../message/prompt-image.tsx';
import { RawText } from '../message/raw-text.tsx';
import { useMessageActions } from '../message/use-message-actions.ts';
import { ScrollAnchorContext } from '../use-reading-position.ts';
import { isReactRendered } from './candidate-view.tsx';
import { EndingView } from './ending-view.tsx';
import { NotesView } from './notes-view.tsx';
import { RemarkView } from './remark-view.tsx';
import { ReplyTools, ReplyToolsRow } from './reply-tools.tsx';
import { ReplyView } from './reply-view.tsx';

interface Props {
  turnId: string;
  laneIndex: number;
  turnNumber: number;
}

/** Reply of one lane to one prompt, with everything that belongs to it. */
export const TurnView = memo(function TurnView({ turnId, laneIndex, turnNumber }: Props) {
  const turn = useTurn(turnId);
  const run = useStableRun(getRunId(turn), isReactRendered);
  const isLast = useSession((data) => turn !== undefined && data.lanes[turn.laneId]?.tip === turnId) ?? false;
  const isOneLane = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const namesHidden = useView((view) => view.namesHidden);
  const observeReply = use(ScrollAnchorContext);
  const ref = useFocusSuccessor(isOneLane ? undefined : observeReply);
  const wasVisible = use(RowVisibilityContext);
  const hasCurrentHit = useCurrentHit(turnId) !== undefined;
  const onlyLaneId = use(OnlyLaneContext);
  const isHidden = useIsLaneHidden(turn?.laneId);
  if (!turn) return null;
  const letter = getLaneLetter(laneIndex);
  // Later turns exist, so an unanswered prompt has no run button.
  if (!turn.reply && !isLast) return <div className={clsx(isHidden && 'hidden')} />;
  const model = run && !namesHidden ? `, ${run.setup.model}` : '';
  const status = run?.phase.name ?? (turn.reply ? 'complete' : undefined);
  return (
    <article
      className={clsx(
        `reply group/reply min-w-0 py-3 lane-${letter.toLowerCase()}`,
        'max-phone:px-4 max-phone:py-2.5 max-phone:[--md-font:400_16px/25px_var(--sans)]',
        isOneLane
          ? 'phone:[--md-font:var(--t-15)]'
          : [
              // Replies stay in view, those taller than the view at its bottom edge. Each is a layer, and text is
              // rendered sharply only on an opaque background.
              'phone:sticky phone:top-(--view-top) phone:bg-paper phone:px-4 phone:pt-2.5',
              'phone:data-tall:top-auto phone:data-tall:bottom-(--view-bottom) phone:data-tall:self-end',
              laneIndex > 0 && onlyLaneId === undefined && 'phone:ml-px',
            ],
        isHidden && 'hidden',
        'data-hit:shadow-[inset_3px_0_0_var(--needle)]',
        // The ring around a hit is positioned relative to the reply. With several lanes, replies are sticky, which
        // serves the same purpose.
        isOneLane && 'data-hit:relative',
        !isLast && 'group/older',
      )}
      aria-label={`Assistant message, lane ${letter}${model}, turn ${turnNumber}`}
      aria-busy={run !== undefined && isLive(run)}
      data-region-home
      data-lane={letter}
      data-message={turnId}
      data-hit={hasCurrentHit || undefined}
      {...(status === undefined ? {} : { 'data-status': status })}
      ref={ref}
      {...getNextFocusAttributes(anyMessage, messageField)}
    >
      {wasVisible && !isOneLane && <AnswerStartButton letter={letter} />}
      <LaneContent isOneLane={isOneLane} label="Reply" className="reply-cell">
        <MessageBoundary key={turn.id} getText={() => toPlainTextFallback(turn, run)}>
          {turn.reply ? (
            <AnswerView turn={turn} run={run} letter={letter} turnNumber={turnNumber} isLast={isLast} />
          ) : (
            <UnsentPrompt turn={turn} />
          )}
        </MessageBoundary>
      </LaneContent>
    </article>
  );
});

interface AnswerViewProps {
  turn: Turn;
  /** Run of the answer; undefined if the answer was written by hand. */
  run: Run | undefined;
  letter: string;
  turnNumber: number;
  isLast: boolean;
}

function AnswerView({ turn, run, letter, turnNumber, isLast }: AnswerViewProps) {
  const { writeReply } = useMessageActions();
  const [isEditing, setIsEditing] = useOpenPanel(`editor of ${turn.id}`);
  const [isEditingNote, setIsEditingNote] = useState(false);
  const [isRaw, setIsRaw] = useState(false);
  const wasVisible = use(RowVisibilityContext);
  const namesHidden = useView((view) => view.namesHidden);
  const copiedLetter = useCopiedLetter(turn);
  const message = getAnswerMessage(turn, run);
  if (isEditing) {
    return (
      <MessageEditor
        message={message}
        draftKey={`${turn.id} ${turn.shownChoice ?? 0}`}
        note="Saved as a new version. The original is kept."
        onCancel={() => setIsEditing(false)}
        onSave={(next) => {
          setIsEditing(false);
          writeReply(turn.id, next);
        }}
      />
    );
  }
  return (
    <>
      {run && turnNumber === 1 && copiedLetter === undefined && !namesHidden && <DemoNote run={run} />}
      {run ? (
        <>
          {copiedLetter === undefined ? (
            <ReplyView turn={turn} run={run} isRaw={isRaw} />
          ) : (
            <div
              className={clsx('opacity-75', isLast && 'rounded-3 border border-dashed border-edge px-3 py-2')}
            >
              <ReplyView turn={turn} run={run} isRaw={isRaw} />
            </div>
          )}
          <NotesView turn={turn} run={run} isLast={isLast} />
          <EndingView turn={turn} run={run} isLast={isLast} />
        </>
      ) : (
        <ManualReply turn={turn} message={message} isRaw={isRaw} />
      )}
      {copiedLetter !== undefined && (
        <CopyNote turn={turn} letter={letter} copiedLetter={copiedLetter} isLast={isLast} />
      )}
      {run && isLive(run) ? (
        // Reserves the space for the answer's tools, so that nothing moves when the answer ends.
        <ReplyToolsRow className="max-phone:hidden" />
      ) : (
        <>
          {wasVisible ? (
            <ReplyTools
              turn={turn}
              message={message}
              isRaw={isRaw}
              onRawChange={setIsRaw}
              onEdit={() => setIsEditing(true)}
              onEditNote={() => setIsEditingNote(true)}
            />
          ) : (
            <ReplyToolsRow />
          )}
          {run && <MessageInfo turn={turn} run={run} />}
          <RemarkView turn={turn} isEditing={isEditingNote} onEditingChange={setIsEditingNote} />
        </>
      )}
      {run &&
        copiedLetter === undefined &&
        (wasVisible && !namesHidden ? (
          <AnswerMetrics turn={turn} run={run} letter={letter} turnNumber={turnNumber} isLast={isLast} />
        ) : (
          !isLast && <div className="mt-1.5 min-h-4.5" />
        ))}
    </>
  );
}

/** Returns the letter of the lane that answered, if this turn only copies its answer. */
function useCopiedLetter(turn: Turn): string | undefined {
  return useSession((data) => {
    const original = getCopiedTurn(data, turn);
    return original && getLaneLetter(data.session.laneIds.indexOf(original.laneId));
  });
}

/** Says above the first answer of a demo model what it is, so that users do not take it for a language model. */
function DemoNote({ run }: { run: Run }) {
  if (run.gatewayId !== demoGatewayId) return null;
  const connect = () => gatewayDetailsButton.findElement()?.click();
  return (
    <p className="mb-1 text-12 text-ink-3">
      {run.setup.model} is a small program, not a language model.{' '}
      <TextButton className="max-phone:min-h-11" onClick={connect}>
        Connect a gateway
      </TextButton>
    </p>
  );
}

interface CopyNoteProps {
  turn: Turn;
  letter: string;
  copiedLetter: string;
  isLast: boolean;
}

/** Says that the answer was copied with its lane, and requests an own one. */
function CopyNote({ turn, letter, copiedLetter, isLast }: CopyNoteProps) {
  const { actions } = useSessionServices();
  return (
    <p className="mt-2 flex min-h-7 items-center gap-2 text-12 text-ink-3">
      Copied from lane {copiedLetter}
      {isLast && (
        <Button size="small" variant="primary" onClick={() => void actions.regenerate([turn.id])}>
          Run in {letter}
        </Button>
      )}
    </p>
  );
}

/** Metrics of an answer, except those of the turn in view, which are in the lane footer. */
function AnswerMetrics({ turn, run, letter, turnNumber, isLast }: AnswerViewProps & { run: Run }) {
  const promptInView = useView((view) => view.promptInView);
  const isInFooter = useSession((data) => {
    const lane = data.lanes[turn.laneId];
    return lane !== undefined && getTurnInView(data, lane, promptInView)?.id === turn.id;
  });
  if (!isLast) {
    return (
      <div aria-hidden={isInFooter}>
        <MetricsView run={run} letter={letter} turnNumber={turnNumber} variant="compact" />
      </div>
    );
  }
  return isInFooter === true ? null : (
    <MetricsView run={run} letter={letter} turnNumber={turnNumber} variant="unseen" />
  );
}

/** Returns the complete text of the selected answer, in order of arrival, for use when rendering fails. */
function toPlainTextFallback(turn: Turn, run: Run | undefined): string {
  const parts = getCandidate(run, turn.shownChoice)?.parts ?? [];
  if (!run) return getContentText(getAnswerMessage(turn, run).content);
  return parts
    .map((part) => {
      if (part.type === 'image') return 'Image';
      return part.type === 'tool-call' ? `${part.name} ${part.arguments}` : part.text;
    })
    .join('\n\n');
}

/** Returns the selected answer as a message of the conversation. */
function getAnswerMessage(turn: Turn, run: Run | undefined): Message {
  const manualReply = getManualReply(turn);
  if (manualReply) return manualReply;
  const calls = getShownCalls(turn, run);
  const content = getAnswerText(getCandidate(run, turn.shownChoice));
  return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

/** Answer written by hand, labelled as such. */
function ManualReply({ turn, message, isRaw }: { turn: Turn; message: Message; isRaw: boolean }) {
  const { images } = toMessageFields(message);
  const text = getContentText(message.content);
  const hasCalls = message.role === 'assistant' && (message.tool_calls ?? []).length > 0;
  return (
    <>
      <p className="mb-1 flex items-center gap-1.25 text-12 text-ink-3 normal-nums">
        <PenLine className="icon-14" aria-hidden />
        Written by hand{message.name !== undefined && `, as ${message.name}`}
      </p>
      {text !== '' && (
        <div data-text-kind="answer">
          {isRaw ? <RawText text={text} /> : <Markdown text={text} isLive={false} />}
        </div>
      )}
      {images.map((part, index) => (
        <PromptImage key={index} part={part} number={index + 1} />
      ))}
      {hasCalls && <ToolCalls turn={turn} run={undefined} candidateIndex={0} />}
    </>
  );
}

/** Message added without being sent. */
function UnsentPrompt({ turn }: { turn: Turn }) {
  const { actions } = useSessionServices();
  return (
    <p className="flex items-center gap-2.5">
      <span className="text-ink-3">Saved, not sent yet.</span>
      <Button size="small" onClick={() => void actions.regenerate([turn.id])}>
        Run
      </Button>
    </p>
  );
}
