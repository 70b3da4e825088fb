import {
  useMemo,
  useState,
  useEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';

import {
  countTurns,
  getComparedText,
  getDefaultAnswers,
  listComparedAnswers,
  listLanePairs,
  type ComparedAnswer,
  type LanePair,
} from '../../conversation/comparison/compared-answers.ts';
import { getLaneHeadlines, type LaneHeadline } from '../../conversation/comparison/lane-headline.ts';
import {
  describeDiff,
  minInlinePercent,
  diffTexts,
  formatWordCount,
  type TextDiff,
} from '../../conversation/comparison/text-diff.ts';
import type { GatewayName } from '../../conversation/reply/run-gateway.ts';
import { getRowInView, buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter, getPathTo, getRun } from '../../conversation/session/turn-tree.ts';
import type { SessionData, TurnId } from '../../conversation/session/types.ts';
import { useSessionByPhases, useView, useSessionServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { ArrowDown, CheckIcon } from '../../ui/icons.tsx';
import { ArrowUp, ChevronLeft, ChevronRight, Copy } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { DiffSegmentView, InlineDiff } from './diff-view.tsx';

type DiffLayout = 'side by side' | 'inline';

const diffLayouts: { value: DiffLayout; label: string }[] = [
  { value: 'side by side', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
];

interface CompareTextsProps {
  /** Versions of an answer to compare first; by default the shown answers of the first two lanes. */
  turnIds?: readonly [TurnId, TurnId] | undefined;
  onClose: () => void;
}

/**
 * Two answers of one turn, of two lanes or two versions of one, side by side, with common or different passages marked.
 */
export function CompareTexts({ turnIds: initialTurnIds, onClose }: CompareTextsProps) {
  const { session, view } = useSessionServices();
  const namesHidden = useView((state) => state.namesHidden);
  const data = useSessionByPhases();
  const pairs = useMemo(() => (data ? listLanePairs(data) : []), [data]);
  const totalTurns = data ? countTurns(data) : 0;
  // Versions chosen for the turn; by default those that the conversation shows.
  const [turnIds, setTurnIds] = useState(initialTurnIds);
  const [turnNumber, setTurnNumber] = useState(() => {
    const current = getCurrentSession(session.getState());
    if (current && initialTurnIds) return getPathTo(current, initialTurnIds[0]).length;
    return (current && getRowInView(buildPromptRows(current), view.getState().promptInView)?.number) ?? 1;
  });
  const answers = useMemo(() => (data ? listComparedAnswers(data, turnNumber) : []), [data, turnNumber]);
  const chosenAnswers = turnIds?.map((turnId) => answers.find((answer) => answer.turnId === turnId));
  const [lanes, setLanes] = useState<LanePair>(() => {
    const [first = 0, second = first] = chosenAnswers?.map((answer) => answer?.laneIndex ?? 0) ?? [];
    return chosenAnswers ? [first, second] : (pairs[0] ?? [0, 1]);
  });
  const compared = chosenAnswers ?? getDefaultAnswers(answers, lanes);
  const hasVersions = answers.length > (data?.session.laneIds.length ?? 0);
  const [diffLayout, setDiffLayout] = useState<DiffLayout>('side by side');
  const [selectedDifference, setSelectedDifference] = useState(1);
  const [copied, setCopied] = useState<boolean>();
  const announce = useAnnounce();

  const texts = compared.map((answer) => (data ? getComparedText(data, answer?.turnId) : ''));
  const gateways = useGatewayStatuses();
  const headlines = data ? getAnswerHeadlines(data, compared, gateways).map(formatHeadline) : [];
  const [left = '', right = ''] = texts;
  const diff = useMemo(() => diffTexts(left, right), [left, right]);
  const isEmpty = left === '' || right === '';
  const isInline = diffLayout === 'inline' && diff.canShowInline;
  const currentDifference = Math.min(selectedDifference, diff.differenceCount);
  const letters = lanes.map(getLaneLetter);
  const labels = compared.map((answer, side) => answer?.label ?? `Lane ${letters[side] ?? ''}`);

  const body = useScrollToDifference(currentDifference, `${labels.join(' ')} ${turnNumber} ${diffLayout}`);

  const showLanes = (next: LanePair) => {
    setLanes(next);
    setTurnIds(undefined);
    setSelectedDifference(1);
  };
  const showVersion = (side: number, turnId: TurnId) => {
    const otherSide = 1 - side;
    const chosenIds = compared.map((answer) => answer?.turnId ?? turnId);
    // Choosing the text of the other side swaps them, so that a text is never compared with itself.
    const otherId = chosenIds[otherSide] === turnId ? chosenIds[side] : chosenIds[otherSide];
    const [first = turnId, second = turnId] = side === 0 ? [turnId, otherId] : [otherId, turnId];
    const getLaneIndex = (id: TurnId) => answers.find((answer) => answer.turnId === id)?.laneIndex ?? 0;
    setLanes([getLaneIndex(first), getLaneIndex(second)]);
    setTurnIds([first, second]);
    setSelectedDifference(1);
  };
  const showTurn = (next: number) => {
    if (next < 1 || next > totalTurns) return;
    setTurnNumber(next);
    setTurnIds(undefined);
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
    const sections = labels.map((label, side) => `${label}\n\n${texts[side] ?? ''}`);
    const worked = await copyText(sections.join('\n\n---\n\n'));
    setCopied(worked);
    announce(worked ? 'Copied both texts.' : 'The browser blocked copying.');
  };
  const getName = (side: number) => (namesHidden ? `Model ${letters[side] ?? ''}` : (headlines[side] ?? ''));

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
            value={lanes.toSorted((first, second) => first - second).join(' ')}
            choices={buildPairChoices(pairs)}
            onChange={(value) => {
              const next = pairs.find((pair) => pair.join(' ') === value);
              if (next) showLanes(next);
            }}
          />
          <Stepper noun="turn" value={turnNumber} count={totalTurns} onStep={showTurn}>
            Turn {turnNumber} of {totalTurns}
          </Stepper>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-y border-line py-2.5">
          <span aria-live="polite" className="min-w-0 flex-1 basis-60">
            {isEmpty ? (
              getEmptyText(lanes)
            ) : (
              <>
                <b className="mr-2.5 text-15 font-600">{describeDiff(diff).title}</b>
                <span className="text-ink-2">{describeDiff(diff).detail}</span>
              </>
            )}
          </span>
          <Stepper
            noun="difference"
            isVertical
            value={currentDifference}
            count={diff.differenceCount}
            onStep={showDifference}
          >
            {diff.differenceCount > 0 && `${currentDifference} of ${diff.differenceCount}`}
          </Stepper>
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
            className="py-3 text-15"
            segments={diff.inline}
            letters={letters}
            currentDifference={currentDifference}
          />
        ) : (
          <div className="grid grid-cols-2 max-phone:grid-cols-1">
            {letters.map((letter, side) => (
              <section
                key={side}
                className={`lane-${letter.toLowerCase()} min-w-0 py-3 ${side === 0 ? 'pr-5' : 'border-l border-line pl-5 max-phone:border-t max-phone:border-l-0 max-phone:pl-0'}`}
                aria-label={hasVersions ? `Text of ${labels[side]}` : `Text of lane ${letter}`}
              >
                <header className="flex items-center gap-2.5 pb-2">
                  <LaneTile letter={letter} />
                  <b className="min-w-0 truncate font-600">{getName(side)}</b>
                  {hasVersions && (
                    <Select
                      label={side === 0 ? 'First text' : 'Second text'}
                      value={compared[side]?.turnId}
                      options={answers.map(({ turnId, label }) => ({ value: turnId, label }))}
                      placeholder="no answer"
                      onChange={(turnId) => showVersion(side, turnId)}
                    />
                  )}
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

interface StepperProps {
  noun: string;
  value: number;
  count: number;
  /** True if the arrows point up and down. */
  isVertical?: boolean;
  onStep: (value: number) => void;
  children: ReactNode;
}

/** Position with a button before and after it. */
function Stepper({ noun, value, count, isVertical = false, onStep, children }: StepperProps) {
  const [PreviousIcon, NextIcon] = isVertical ? [ArrowUp, ArrowDown] : [ChevronLeft, ChevronRight];
  return (
    <span className="flex items-center gap-1 text-12 text-ink-2">
      <IconButton
        size="small"
        label={`Previous ${noun}`}
        disabled={value <= 1}
        onClick={() => onStep(value - 1)}
      >
        <PreviousIcon className="icon-14" aria-hidden />
      </IconButton>
      {children}
      <IconButton
        size="small"
        label={`Next ${noun}`}
        disabled={value >= count}
        onClick={() => onStep(value + 1)}
      >
        <NextIcon className="icon-14" aria-hidden />
      </IconButton>
    </span>
  );
}

function getEmptyText([first, second]: LanePair): string {
  return first === second
    ? 'This turn has only one version of the answer, or one of them is still streaming.'
    : 'One lane has no answer yet.';
}

const inlineLimitText = `Inline needs at least ${minInlinePercent}% in common.`;

function getLegend(diff: TextDiff, isEmpty: boolean): string {
  if (isEmpty) return '';
  if (!diff.canShowInline) return 'Tinted phrases of 4 or more words appear in both texts.';
  return 'Highlighted words appear only in the lane of that colour. Adjacent changes count as one.';
}

/** Returns the choices for pairs of lanes; their names include the visible letters, for voice control. */
function buildPairChoices(pairs: readonly LanePair[]) {
  return pairs.map((lanes) => {
    const [first, second] = lanes.map(getLaneLetter);
    const isOneLane = lanes[0] === lanes[1];
    return {
      value: lanes.join(' '),
      label: isOneLane ? `Versions of lane ${first}` : `Lanes ${first}, ${second}`,
      content: isOneLane ? (
        <span className="inline-flex items-center gap-1.5">
          <LaneTile letter={first ?? ''} /> versions
        </span>
      ) : (
        <span className="inline-flex gap-0.5">
          <LaneTile letter={first ?? ''} /> <LaneTile letter={second ?? ''} />
        </span>
      ),
    };
  });
}

/** Returns the headlines of these answers. */
function getAnswerHeadlines(
  data: SessionData,
  answers: readonly (ComparedAnswer | undefined)[],
  gateways: readonly GatewayName[],
): LaneHeadline[] {
  const setups = answers.map((answer) => {
    const turn = data.turns[answer?.turnId ?? ''];
    const lane = data.lanes[data.session.laneIds[answer?.laneIndex ?? 0] ?? ''];
    return getRun(data, turn)?.setup ?? (turn?.reply ? undefined : lane?.setup);
  });
  const laneIds = answers.map((answer) => data.session.laneIds[answer?.laneIndex ?? 0] ?? '');
  // Versions of one answer have the same lane, whose name does not tell them apart.
  const hasOneLane = new Set(laneIds).size === 1;
  const names = hasOneLane ? [] : laneIds.map((laneId) => data.lanes[laneId]?.name);
  return getLaneHeadlines(setups, gateways, names);
}

function formatHeadline({ headline, subtitle, name }: LaneHeadline): string {
  return name === undefined && subtitle.includes('/')
    ? `${subtitle.slice(subtitle.indexOf('/') + 1)}, ${headline}`
    : headline;
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
