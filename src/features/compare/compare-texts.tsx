import { clsx } from 'clsx';
import { useMemo, useState, useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';

import { getLaneHeadlines, type LaneHeadline } from '../../conversation/comparison/lane-headline.ts';
import {
  describeDiff,
  minInlinePercent,
  diffTexts,
  formatWordCount,
  type DiffSegment,
  type TextDiff,
} from '../../conversation/comparison/text-diff.ts';
import type { GatewayName } from '../../conversation/reply/run-gateway.ts';
import { isLive, getAnswerText } from '../../conversation/reply/run.ts';
import { getContentText } from '../../conversation/request/request.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import { getRowInView, buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter, getLanePath, getRun, getManualReply } from '../../conversation/session/turn-tree.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { useSessionShallow, useView, useSessionServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { ArrowDown, ArrowUp, CheckIcon, ChevronLeft, ChevronRight, Copy } from '../../ui/icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';

type DiffLayout = 'side by side' | 'inline';

const diffLayouts: { value: DiffLayout; label: string }[] = [
  { value: 'side by side', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
];

/** Answers of two lanes in one turn, side by side, with common or different passages marked. */
export function CompareTexts({ onClose }: { onClose: () => void }) {
  const { session, view } = useSessionServices();
  const namesHidden = useView((state) => state.namesHidden);
  const laneCount = useSessionShallow((data) => data.session.laneIds)?.length ?? 0;
  const pairs = useMemo(() => buildLanePairs(laneCount), [laneCount]);
  const totalTurns = useSessionShallow((data) => [countTurns(data)])?.[0] ?? 0;
  const [pair, setPair] = useState(pairs[0]?.value ?? '0 1');
  const [turnNumber, setTurnNumber] = useState(() => {
    const data = getCurrentSession(session.getState());
    return (data && getRowInView(buildPromptRows(data), view.getState().promptInView)?.number) ?? 1;
  });
  const [diffLayout, setDiffLayout] = useState<DiffLayout>('side by side');
  const [selectedDifference, setSelectedDifference] = useState(1);
  const [copied, setCopied] = useState<boolean>();
  const announce = useAnnounce();

  const [firstIndex, secondIndex] = pair.split(' ').map(Number);
  const indices = [firstIndex ?? 0, secondIndex ?? 1] as const;
  const texts = useSessionShallow((data) =>
    indices.map((index) => getLaneAnswerText(data, index, turnNumber)),
  ) ?? ['', ''];
  const gateways = useGatewayStatuses();
  const headlines =
    useSessionShallow((data) => getTurnHeadlines(data, turnNumber, gateways).map(formatHeadline)) ?? [];
  const [left = '', right = ''] = texts;
  const diff = useMemo(() => diffTexts(left, right), [left, right]);
  const isEmpty = left === '' || right === '';
  const isInline = diffLayout === 'inline' && diff.canShowInline;
  const currentDifference = Math.min(selectedDifference, diff.differenceCount);

  const body = useScrollToDifference(currentDifference, `${pair} ${turnNumber} ${diffLayout}`);

  const showTurn = (next: number) => {
    if (next < 1 || next > totalTurns) return;
    setTurnNumber(next);
    setSelectedDifference(1);
    announce(`Turn ${next} of ${totalTurns}.`);
  };
  const showDifference = (next: number) => {
    if (next < 1 || next > diff.differenceCount) return;
    setSelectedDifference(next);
    announce(`Difference ${next} of ${diff.differenceCount}.`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => showTurn(turnNumber - 1),
      ArrowRight: () => showTurn(turnNumber + 1),
      ArrowUp: () => showDifference(currentDifference - 1),
      ArrowDown: () => showDifference(currentDifference + 1),
    };
    const action = actions[event.key];
    // Without differences, Up and Down scroll the texts.
    if (!action || (diff.differenceCount === 0 && /Up|Down/.test(event.key))) return;
    event.preventDefault();
    action();
  };
  const copyBoth = async () => {
    const sections = indices.map((index, side) => `Lane ${getLaneLetter(index)}\n\n${texts[side] ?? ''}`);
    const worked = await copyText(sections.join('\n\n---\n\n'));
    setCopied(worked);
    announce(worked ? 'Copied both texts.' : 'The browser blocked copying.');
  };
  const getLaneName = (index: number) =>
    namesHidden ? `Model ${getLaneLetter(index)}` : (headlines[index] ?? '');

  return (
    <Dialog
      title="Compare texts"
      className="w-[min(1120px,calc(100vw-32px))] max-phone:m-0! max-phone:h-dvh max-phone:max-h-none! max-phone:w-screen! max-phone:rounded-none!"
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1 text-12 text-ink-3">{getLegend(diff, isEmpty)}</span>
          <span aria-hidden className="flex items-center gap-1.5 text-12 text-ink-3 max-phone:hidden">
            <kbd>←</kbd>
            <kbd>→</kbd> turns
          </span>
          <Button onClick={() => void copyBoth()}>
            {copied ? (
              <CheckIcon className="icon-14" aria-hidden />
            ) : (
              <Copy className="icon-14" aria-hidden />
            )}
            Copy both
          </Button>
        </>
      }
    >
      <div
        className="flex min-h-0 flex-col outline-none"
        tabIndex={-1}
        role="group"
        aria-label="Both texts"
        ref={body}
        onKeyDown={onKeyDown}
      >
        <div className="flex flex-wrap items-center justify-between gap-2 pb-3 [&>*]:flex-wrap">
          <Segmented
            label="Lanes to compare"
            value={pair}
            choices={pairs}
            onChange={(next) => {
              setPair(next);
              setSelectedDifference(1);
            }}
          />
          <span className="flex items-center gap-1 text-12 text-ink-2">
            <IconButton
              size="small"
              label="Previous turn"
              disabled={turnNumber <= 1}
              onClick={() => showTurn(turnNumber - 1)}
            >
              <ChevronLeft className="icon-14" aria-hidden />
            </IconButton>
            Turn {turnNumber} of {totalTurns}
            <IconButton
              size="small"
              label="Next turn"
              disabled={turnNumber >= totalTurns}
              onClick={() => showTurn(turnNumber + 1)}
            >
              <ChevronRight className="icon-14" aria-hidden />
            </IconButton>
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-y border-line py-2.5">
          <span aria-live="polite" className="min-w-0 flex-1 basis-60">
            {isEmpty ? (
              'One lane has no answer yet.'
            ) : (
              <>
                <b className="mr-2.5 text-15 font-600">{describeDiff(diff).title}</b>
                <span className="text-ink-2">{describeDiff(diff).detail}</span>
              </>
            )}
          </span>
          <span className="flex items-center gap-1 text-12 text-ink-2">
            <IconButton
              size="small"
              label="Previous difference"
              disabled={currentDifference <= 1}
              onClick={() => showDifference(currentDifference - 1)}
            >
              <ArrowUp className="icon-14" aria-hidden />
            </IconButton>
            {diff.differenceCount > 0 && `${currentDifference} of ${diff.differenceCount}`}
            <IconButton
              size="small"
              label="Next difference"
              disabled={currentDifference >= diff.differenceCount}
              onClick={() => showDifference(currentDifference + 1)}
            >
              <ArrowDown className="icon-14" aria-hidden />
            </IconButton>
          </span>
          <span className="flex flex-col items-end gap-0.5">
            <Segmented
              label="View"
              value={isInline ? 'inline' : 'side by side'}
              choices={
                diff.canShowInline
                  ? diffLayouts
                  : diffLayouts.map((option) => ({
                      ...option,
                      ...(option.value === 'inline' ? { disabledReason: inlineLimitText } : {}),
                    }))
              }
              onChange={setDiffLayout}
            />
            {!diff.canShowInline && !isEmpty && <span className="text-11 text-ink-3">{inlineLimitText}</span>}
          </span>
        </div>
        {isInline ? (
          <InlineDiff
            diff={diff}
            letters={indices.map(getLaneLetter)}
            currentDifference={currentDifference}
          />
        ) : (
          <div className="grid grid-cols-2 max-phone:grid-cols-1">
            {indices.map((index, side) => (
              <section
                key={side}
                className={`lane-${getLaneLetter(index).toLowerCase()} min-w-0 py-3 ${side === 0 ? 'pr-5' : 'border-l border-line pl-5 max-phone:border-t max-phone:border-l-0 max-phone:pl-0'}`}
                aria-label={`Text of lane ${getLaneLetter(index)}`}
              >
                <header className="flex items-center gap-2.5 pb-2">
                  <LaneTile letter={getLaneLetter(index)} />
                  <b className="min-w-0 truncate font-600">{getLaneName(index)}</b>
                  <span className="ml-auto flex-none text-12 text-ink-3">
                    {formatWordCount(diff.wordCounts[side] ?? 0)}
                  </span>
                </header>
                <div className="text-15 wrap-anywhere whitespace-pre-wrap" dir="auto">
                  {(side === 0 ? diff.left : diff.right).map((segment, segmentIndex) => (
                    <DiffSegmentView
                      key={segmentIndex}
                      piece={segment}
                      isCurrent={segment.number === currentDifference}
                    />
                  ))}
                </div>
              </section>
            ))}
          </div>
        )}
      </div>
    </Dialog>
  );
}

const inlineLimitText = `Inline needs at least ${minInlinePercent}% in common.`;

function getLegend(diff: TextDiff, isEmpty: boolean): string {
  if (isEmpty) return '';
  if (!diff.canShowInline) return 'Tinted phrases of 4 or more words appear in both texts.';
  return 'Highlighted words appear only in the lane of that colour. Adjacent changes count as one.';
}

function DiffSegmentView({ piece: segment, isCurrent }: { piece: DiffSegment; isCurrent: boolean }) {
  if (segment.kind === 'plain') return segment.text;
  if (segment.kind === 'phrase') {
    return (
      <mark className="rounded-1 bg-sunken box-decoration-clone px-0.5 text-ink underline decoration-edge underline-offset-4">
        <sup className="pr-0.5 text-[10px] text-ink-2">{segment.number}</sup>
        {segment.text}
      </mark>
    );
  }
  return (
    <DifferenceMark as="mark" number={segment.number} isCurrent={isCurrent}>
      {segment.text}
    </DifferenceMark>
  );
}

interface DifferenceMarkProps {
  as: 'mark' | 'ins' | 'del';
  number: number | undefined;
  isCurrent: boolean;
  /** Lane whose colour it has; without a letter, that of the text around it. */
  letter?: string | undefined;
  children: string;
}

/** Words that are only in one of the texts. */
function DifferenceMark({ as: Element, number, isCurrent, letter, children }: DifferenceMarkProps) {
  return (
    <Element
      className={clsx(
        letter !== undefined && `lane-${letter.toLowerCase()}`,
        'rounded-1 bg-wash box-decoration-clone text-ink underline decoration-lane underline-offset-4',
        Element === 'del' && 'line-through',
        isCurrent && 'outline-[1.5px] outline-offset-1 outline-lane outline-solid',
      )}
      data-difference={number}
    >
      {children}
    </Element>
  );
}

function InlineDiff({
  diff,
  letters,
  currentDifference,
}: {
  diff: TextDiff;
  letters: string[];
  currentDifference: number;
}) {
  return (
    <div className="py-3 text-15 wrap-anywhere whitespace-pre-wrap" dir="auto">
      {diff.inline.map(({ text, side, number }, index) => {
        if (side === 'both') return text;
        if (side === 'right') {
          return (
            <DifferenceMark
              key={index}
              as="ins"
              number={number}
              isCurrent={number === currentDifference}
              letter={letters[1] ?? 'A'}
            >
              {text}
            </DifferenceMark>
          );
        }
        return (
          <span key={index} className={`lane-${letters[0]?.toLowerCase() ?? 'a'}`}>
            <DifferenceMark as="del" number={number} isCurrent={number === currentDifference}>
              {text}
            </DifferenceMark>{' '}
          </span>
        );
      })}
    </div>
  );
}

function buildLanePairs(laneCount: number) {
  return Array.from({ length: laneCount }, (_, firstIndex) =>
    Array.from({ length: laneCount - firstIndex - 1 }, (__, offset) => {
      const secondIndex = firstIndex + offset + 1;
      const [firstLetter, secondLetter] = [getLaneLetter(firstIndex), getLaneLetter(secondIndex)];
      return {
        value: `${firstIndex} ${secondIndex}`,
        // Includes the visible letters, so that voice control matches the visible label.
        label: `Lanes ${firstLetter}, ${secondLetter}`,
        content: (
          <span className="inline-flex gap-0.5">
            <LaneTile letter={firstLetter} /> <LaneTile letter={secondLetter} />
          </span>
        ),
      };
    }),
  ).flat();
}

function countTurns(data: SessionData): number {
  return Math.max(0, ...data.session.laneIds.map((id) => listLaneTurns(data, id).length));
}

function listLaneTurns(data: SessionData, laneId: string) {
  const lane = data.lanes[laneId];
  return lane ? getLanePath(data, lane) : [];
}

/** Returns the answer in the turn with this number, for the lane at this index. */
function getLaneAnswerText(data: SessionData, index: number, number: number): string {
  const turn = listLaneTurns(data, data.session.laneIds[index] ?? '')[number - 1];
  const manualReply = getManualReply(turn);
  if (manualReply) return getContentText(manualReply.content);
  const run = getRun(data, turn);
  // A streaming answer is compared only when it is complete.
  return run && isLive(run) ? '' : getAnswerText(getCandidate(run, turn?.shownChoice));
}

function getTurnHeadlines(
  data: SessionData,
  number: number,
  gateways: readonly GatewayName[],
): LaneHeadline[] {
  return getLaneHeadlines(
    data.session.laneIds.map((id) => {
      const turn = listLaneTurns(data, id)[number - 1];
      return getRun(data, turn)?.setup ?? (turn?.reply ? undefined : data.lanes[id]?.setup);
    }),
    gateways,
  );
}

function formatHeadline({ headline, subtitle }: LaneHeadline): string {
  return subtitle.includes('/') ? `${subtitle.slice(subtitle.indexOf('/') + 1)}, ${headline}` : headline;
}

/**
 * Returns a ref for the container of both texts. Focuses the container first, so that arrow keys move between turns and
 * differences. Scrolls to the difference with this number, and again whenever `viewKey` changes.
 */
function useScrollToDifference(number: number, viewKey: string): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    body.current?.querySelector(`[data-difference="${number}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [number, viewKey]);
  return body;
}
