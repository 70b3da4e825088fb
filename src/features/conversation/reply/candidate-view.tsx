import { clsx } from 'clsx';
import { useMemo, useRef, useState, useCallback, useSyncExternalStore, type RefObject } from 'react';

import { getRequestedFormat, parseJsonReply } from '../../../conversation/reply/json-reply-text.ts';
import { isLive, listRunSources } from '../../../conversation/reply/run.ts';
import { getCandidateIndex } from '../../../conversation/session/candidates.ts';
import type { Part, Run, Turn } from '../../../conversation/session/types.ts';
import { formatSeconds, pluralize } from '../../../lib/format.ts';
import type { StreamingText } from '../../../lib/streaming-text.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { useStreamingText } from '../../../state/contexts.tsx';
import { ChevronDown } from '../../../ui/icons.tsx';
import { ChevronRight } from '../../../ui/late-icons.tsx';
import { useExpanded } from '../../find/use-current-hit.ts';
import { ToolCalls } from '../../tools/tool-calls.tsx';
import { AnswerImage } from '../media/answer-image.tsx';
import { SoundRow } from '../media/sound-row.tsx';
import { SourcesList } from '../media/sources-list.tsx';
import { RawText } from '../message/raw-text.tsx';
import { JsonReply } from './json-reply.tsx';

interface CandidateViewProps {
  turn: Turn;
  run: Run;
  /** Candidate chosen in the turn or by the user; falls back to the first one if the index does not exist. */
  candidateIndex: number | undefined;
  isRaw: boolean;
}

/** Parts of one candidate. JSON, or a reply requested as JSON, is rendered as such. `isRaw`: shows the raw text. */
export function CandidateView({ turn, run, candidateIndex, isRaw }: CandidateViewProps) {
  const live = isLive(run);
  const index = getCandidateIndex(run, candidateIndex);
  const candidate = run.choices[index];
  const parts = candidate?.parts ?? [];
  const sources = listRunSources(run, candidate);
  const lastIndex = parts.length - 1;
  const requestedFormat = useMemo(() => getRequestedFormat(run.setup.params), [run.setup.params]);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [text = ''] = texts;
  const json = useMemo(
    () => (texts.length === 1 ? parseJsonReply(text, live, requestedFormat !== undefined) : undefined),
    [texts.length, text, live, requestedFormat],
  );
  return (
    <>
      {parts.map((part, partIndex) => {
        if (isRaw && part.type === 'text') {
          return (
            <div key={partIndex} data-text-kind="answer">
              <RawText text={part.text} />
            </div>
          );
        }
        if (part.type === 'image') {
          const number = parts.slice(0, partIndex + 1).filter(({ type }) => type === 'image').length;
          return <AnswerImage key={partIndex} url={part.url} number={number} sessionId={turn.sessionId} />;
        }
        const isGrowing = live && partIndex === lastIndex;
        if (json && part.type === 'text') {
          return (
            <div key={partIndex} data-text-kind="answer">
              <JsonReply
                text={part.text}
                reply={json}
                live={live}
                requestedFormat={requestedFormat}
                laneId={turn.laneId}
              />
            </div>
          );
        }
        return (
          <PartView
            key={partIndex}
            part={part}
            live={isGrowing}
            turnId={turn.id}
            runId={run.id}
            candidateIndex={index}
            partIndex={partIndex}
          />
        );
      })}
      {candidate?.sound && <SoundRow sound={candidate.sound} live={live} runId={run.id} />}
      {sources.length > 0 && <SourcesList sources={sources} />}
      {parts.some((part) => part.type === 'tool-call') && (
        <ToolCalls turn={turn} run={run} candidateIndex={index} />
      )}
    </>
  );
}

/**
 * Returns true if React renders the growing part of this run: reasoning with its metrics, tool arguments, JSON. Plain
 * text is updated by its leaf component directly.
 */
export function isReactRendered(run: Run): boolean {
  if (getRequestedFormat(run.setup.params) !== undefined) return true;
  return run.choices.some(({ parts }) => {
    const lastPart = parts.at(-1);
    return (
      lastPart?.type === 'thinking' ||
      lastPart?.type === 'tool-call' ||
      (lastPart?.type === 'text' && looksLikeJson(lastPart.text))
    );
  });
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

interface PartViewProps {
  part: Part;
  live: boolean;
  turnId: string;
  runId: string;
  candidateIndex: number;
  partIndex: number;
}

function PartView({ part, live, turnId, runId, candidateIndex, partIndex }: PartViewProps) {
  const streamingText = useStreamingText(runId, candidateIndex, partIndex);
  switch (part.type) {
    case 'text':
      return (
        <div data-text-kind="answer">
          <Markdown text={part.text} isLive={live} hasCaret={live} growingText={streamingText} />
        </div>
      );
    case 'thinking':
      return <ReasoningView part={part} live={live} turnId={turnId} streamingText={streamingText} />;
    case 'refusal':
      return (
        <div className="border-l-2 border-warn pl-3" data-text-kind="answer">
          <b>Refused</b>
          <Markdown text={part.text} isLive={live} hasCaret={live} growingText={streamingText} />
        </div>
      );
    case 'tool-call':
    case 'image':
      return null;
  }
}

interface ReasoningViewProps {
  part: Extract<Part, { type: 'thinking' }>;
  live: boolean;
  turnId: string;
  streamingText: StreamingText;
}

/**
 * Reasoning before an answer: expanded while it streams and collapsed when the answer starts, unless the user expanded
 * it or selected text in it.
 */
function ReasoningView({ part, live, turnId, streamingText }: ReasoningViewProps) {
  const [chosenExpanded, setChosenExpanded] = useExpanded(turnId, 'reasoning');
  const text = useRef<HTMLDivElement>(null);
  const isSelected = useHasSelection(text, live);
  const [wasLive, setWasLive] = useState(live);
  if (live !== wasLive) {
    setWasLive(live);
    if (!live && isSelected) setChosenExpanded(true);
  }
  const isExpanded = chosenExpanded ?? live;
  const Chevron = isExpanded ? ChevronDown : ChevronRight;
  return (
    <div className="mb-1.5 in-data-hides-reasoning:hidden">
      <button
        type="button"
        className={clsx(
          'flex h-6 items-center gap-1.5 text-12 text-ink-3 normal-nums max-phone:-my-2 max-phone:min-h-11',
          // The text is larger in the presentation.
          'max-phone:text-[13px] [[data-stage-text]_&]:h-8 [[data-stage-text]_&]:text-[16px]',
        )}
        aria-expanded={isExpanded}
        onClick={() => setChosenExpanded(!isExpanded)}
      >
        <Chevron className="icon-14" aria-hidden />
        <b className="font-550 text-ink-2">Reasoning</b>{' '}
        {`${formatSeconds(part.endedMs - part.startedMs)}, ${pluralize(part.deltas, 'token')}`}
      </button>
      {isExpanded && (
        <div
          className={clsx(
            'mt-1 mb-2 ml-1.5 border-l border-line-2 py-0.5 pl-3.5 text-ink-2 [--md-font:400_13px/20px_var(--sans)]',
            'max-phone:in-[main]:[--md-font:400_14px/21px_var(--sans)] [&>.markdown]:m-0',
          )}
          data-text-kind="reasoning"
          ref={text}
        >
          <Markdown text={part.text} isLive={live} growingText={streamingText} />
        </div>
      )}
    </div>
  );
}

/** Returns whether text of this element is selected; watched only while enabled. */
function useHasSelection(part: RefObject<HTMLElement | null>, isEnabled: boolean): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (isEnabled) document.addEventListener('selectionchange', onChange);
      return () => document.removeEventListener('selectionchange', onChange);
    },
    [isEnabled],
  );
  const hasSelection = () => {
    if (!part.current) return false;
    const selection = document.getSelection();
    return selection?.isCollapsed === false && selection.containsNode(part.current, true);
  };
  return useSyncExternalStore(subscribe, hasSelection, () => false);
}
