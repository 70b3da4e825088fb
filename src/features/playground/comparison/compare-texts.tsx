import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';

import { getLaneHeadlines, type LaneHeadline } from '../../../conversation/comparison/lane-headline.ts';
import {
  describeDiff,
  minInlinePercent,
  diffTexts,
  formatWordCount,
  type DiffSegment,
  type TextDiff,
} from '../../../conversation/comparison/text-diff.ts';
import { isLive, getAnswerText } from '../../../conversation/reply/run.ts';
import { getContentText } from '../../../conversation/request/request.ts';
import { getCandidate } from '../../../conversation/session/candidates.ts';
import { getRowInView, buildRows } from '../../../conversation/session/prompt-rows.ts';
import {
  getLaneLetter,
  getLanePath,
  getRun,
  getManualReply,
} from '../../../conversation/session/turn-tree.ts';
import type { SessionData } from '../../../conversation/session/types.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useSessionShallow, useView } from '../../../state/use-playground.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { ArrowDown, ArrowUp, Check, ChevronLeft, ChevronRight, Copy } from '../../../ui/icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useShownDifference } from './use-scroll-to-difference.ts';

type Look = 'side by side' | 'inline';

const looks: { value: Look; label: string }[] = [
  { value: 'side by side', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
];

/** What two lanes answered in one turn, beside each other, with what they share or where they differ. */
export function CompareTexts({ onClose }: { onClose: () => void }) {
  const { session, view } = usePlayground();
  const namesHidden = useView((state) => state.namesHidden);
  const laneCount = useSessionShallow((data) => data.session.laneIds)?.length ?? 0;
  const pairs = useMemo(() => pairsOf(laneCount), [laneCount]);
  const count = useSessionShallow((data) => [turnCount(data)])?.[0] ?? 0;
  const [pair, setPair] = useState(pairs[0]?.value ?? '0 1');
  const [number, setNumber] = useState(() => {
    const data = getCurrentSession(session.getState());
    return (data && getRowInView(buildRows(data), view.getState().promptInView)?.number) ?? 1;
  });
  const [look, setLook] = useState<Look>('side by side');
  const [shown, setShown] = useState(1);
  const [copied, setCopied] = useState<boolean>();
  const announce = useAnnounce();

  const [one, other] = pair.split(' ').map(Number);
  const indices = [one ?? 0, other ?? 1] as const;
  const texts = useSessionShallow((data) => indices.map((index) => textIn(data, index, number))) ?? ['', ''];
  const headlines = useSessionShallow((data) => headlinesIn(data, number).map(inOneLine)) ?? [];
  const [left = '', right = ''] = texts;
  const found = useMemo(() => diffTexts(left, right), [left, right]);
  const isEmpty = left === '' || right === '';
  const isInline = look === 'inline' && found.canShowInline;
  const at = Math.min(shown, found.differenceCount);

  const body = useShownDifference(at, `${pair} ${number} ${look}`);

  const goTo = (next: number) => {
    if (next < 1 || next > count) return;
    setNumber(next);
    setShown(1);
    announce(`Turn ${next} of ${count}.`);
  };
  const showDifference = (next: number) => {
    if (next < 1 || next > found.differenceCount) return;
    setShown(next);
    announce(`Difference ${next} of ${found.differenceCount}.`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => goTo(number - 1),
      ArrowRight: () => goTo(number + 1),
      ArrowUp: () => showDifference(at - 1),
      ArrowDown: () => showDifference(at + 1),
    };
    const act = acts[event.key];
    // Texts without differences to walk are scrolled.
    if (!act || (found.differenceCount === 0 && /Up|Down/.test(event.key))) return;
    event.preventDefault();
    act();
  };
  const copyBoth = async () => {
    const parts = indices.map((index, side) => `Lane ${getLaneLetter(index)}\n\n${texts[side] ?? ''}`);
    const worked = await copyText(parts.join('\n\n---\n\n'));
    setCopied(worked);
    announce(worked ? 'Copied both texts.' : 'The browser did not allow copying.');
  };
  const name = (index: number) => (namesHidden ? `Model ${getLaneLetter(index)}` : (headlines[index] ?? ''));

  return (
    <Dialog
      title="Compare texts"
      className="w-[min(1120px,calc(100vw-32px))] max-[900px]:m-0! max-[900px]:h-dvh max-[900px]:max-h-none! max-[900px]:w-screen! max-[900px]:rounded-none!"
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1 text-12 text-ink-3">{legend(found, isEmpty)}</span>
          <span aria-hidden className="flex items-center gap-1.5 text-12 text-ink-3 max-phone:hidden">
            <kbd>←</kbd>
            <kbd>→</kbd> turns
          </span>
          <Button onClick={() => void copyBoth()}>
            {copied ? <Check className="icon-14" aria-hidden /> : <Copy className="icon-14" aria-hidden />}
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
              setShown(1);
            }}
          />
          <span className="flex items-center gap-1 text-12 text-ink-2">
            <Step label="Previous turn" disabled={number <= 1} onStep={() => goTo(number - 1)}>
              <ChevronLeft className="icon-14" aria-hidden />
            </Step>
            Turn {number} of {count}
            <Step label="Next turn" disabled={number >= count} onStep={() => goTo(number + 1)}>
              <ChevronRight className="icon-14" aria-hidden />
            </Step>
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-y border-line py-2.5">
          <span aria-live="polite" className="min-w-0 flex-1 basis-60">
            {isEmpty ? (
              'One lane has no answer yet.'
            ) : (
              <>
                <b className="mr-2.5 text-15 font-semibold">{describeDiff(found).title}</b>
                <span className="text-ink-2">{describeDiff(found).detail}</span>
              </>
            )}
          </span>
          <span className="flex items-center gap-1 text-12 text-ink-2">
            <Step label="Previous difference" disabled={at <= 1} onStep={() => showDifference(at - 1)}>
              <ArrowUp className="icon-14" aria-hidden />
            </Step>
            {found.differenceCount > 0 && `${at} of ${found.differenceCount}`}
            <Step
              label="Next difference"
              disabled={at >= found.differenceCount}
              onStep={() => showDifference(at + 1)}
            >
              <ArrowDown className="icon-14" aria-hidden />
            </Step>
          </span>
          <span className="flex flex-col items-end gap-0.5">
            <Segmented
              label="View"
              value={isInline ? 'inline' : 'side by side'}
              choices={
                found.canShowInline
                  ? looks
                  : looks.map((each) => ({
                      ...each,
                      ...(each.value === 'inline' ? { disabledBecause: onlyNear } : {}),
                    }))
              }
              onChange={setLook}
            />
            {!found.canShowInline && !isEmpty && <span className="text-11 text-ink-3">{onlyNear}</span>}
          </span>
        </div>
        {isInline ? (
          <Inline found={found} letters={indices.map(getLaneLetter)} at={at} />
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
                  <b className="min-w-0 truncate font-semibold">{name(index)}</b>
                  <span className="ml-auto flex-none text-12 text-ink-3">
                    {formatWordCount(found.wordCount[side] ?? 0)}
                  </span>
                </header>
                <div className="text-15 [overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
                  {(side === 0 ? found.left : found.right).map((piece, place) => (
                    <Marked key={place} piece={piece} isShown={piece.number === at} />
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

const onlyNear = `Inline is for texts with ${minInlinePercent}% or more in common.`;

function legend(found: TextDiff, isEmpty: boolean): string {
  if (isEmpty) return '';
  if (!found.canShowInline) return 'Tinted phrases of four words or more are in both texts.';
  return 'Marked words are in one text only, in its colour. Runs of changed words are one difference.';
}

function Marked({ piece, isShown }: { piece: DiffSegment; isShown: boolean }) {
  if (piece.kind === 'plain') return piece.text;
  if (piece.kind === 'phrase') {
    return (
      <mark className="rounded-1 bg-sunken box-decoration-clone px-0.5 text-ink underline decoration-edge underline-offset-4">
        <sup className="pr-0.5 text-[10px] text-ink-2">{piece.number}</sup>
        {piece.text}
      </mark>
    );
  }
  return (
    <mark className={differenceLook(isShown)} data-difference={piece.number}>
      {piece.text}
    </mark>
  );
}

function differenceLook(isShown: boolean): string {
  return `rounded-1 bg-wash box-decoration-clone text-ink underline decoration-lane underline-offset-4 ${
    isShown ? 'outline-[1.5px] outline-offset-1 outline-lane outline-solid' : ''
  }`;
}

function Inline({ found, letters, at }: { found: TextDiff; letters: string[]; at: number }) {
  const look = (side: string | undefined, number: number | undefined) =>
    `lane-${side?.toLowerCase() ?? 'a'} ${differenceLook(number === at)}`;
  return (
    <div className="py-3 text-15 [overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
      {found.inline.map(({ text, side, number }, index) => {
        if (side === 'both') return text;
        if (side === 'right') {
          return (
            <ins key={index} className={look(letters[1], number)} data-difference={number}>
              {text}
            </ins>
          );
        }
        return (
          <span key={index} className={`lane-${letters[0]?.toLowerCase() ?? 'a'}`}>
            <del className={`${look(letters[0], number)} line-through`} data-difference={number}>
              {text}
            </del>{' '}
          </span>
        );
      })}
    </div>
  );
}

interface StepProps {
  label: string;
  disabled: boolean;
  onStep: () => void;
  children: ReactNode;
}

/** It stays in reach at the ends: the focus is on it. */
function Step({ label, disabled, onStep, children }: StepProps) {
  return (
    <IconButton label={label} size="small" aria-disabled={disabled} onClick={() => !disabled && onStep()}>
      {children}
    </IconButton>
  );
}

function pairsOf(count: number) {
  return Array.from({ length: count }, (_, one) =>
    Array.from({ length: count - one - 1 }, (__, step) => {
      const other = one + step + 1;
      const [first, second] = [getLaneLetter(one), getLaneLetter(other)];
      return {
        value: `${one} ${other}`,
        // As it is drawn, so that who says what is seen means it.
        label: `Lanes ${first}, ${second}`,
        shown: (
          <span className="inline-flex gap-0.5">
            <LaneTile letter={first} /> <LaneTile letter={second} />
          </span>
        ),
      };
    }),
  ).flat();
}

function turnCount(data: SessionData): number {
  return Math.max(0, ...data.session.laneIds.map((id) => turnsIn(data, id).length));
}

function turnsIn(data: SessionData, laneId: string) {
  const lane = data.lanes[laneId];
  return lane ? getLanePath(data, lane) : [];
}

/** What the lane with this place said in the turn with this number. */
function textIn(data: SessionData, index: number, number: number): string {
  const turn = turnsIn(data, data.session.laneIds[index] ?? '')[number - 1];
  const written = getManualReply(turn);
  if (written) return getContentText(written.content);
  const run = getRun(data, turn);
  // A text that still grows is compared when it is whole.
  return run && isLive(run) ? '' : getAnswerText(getCandidate(run, turn?.shownChoice));
}

function headlinesIn(data: SessionData, number: number): LaneHeadline[] {
  return getLaneHeadlines(
    data.session.laneIds.map((id) => {
      const turn = turnsIn(data, id)[number - 1];
      return getRun(data, turn)?.setup ?? (turn?.reply ? undefined : data.lanes[id]?.setup);
    }),
  );
}

function inOneLine({ headline, subtitle }: LaneHeadline): string {
  return subtitle.includes('/') ? `${subtitle.slice(subtitle.indexOf('/') + 1)}, ${headline}` : headline;
}
