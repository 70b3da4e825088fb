import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';

interface StageHintsProps {
  number: number;
  count: number;
  /** Number of the last scene: the summary, or else the last turn. */
  lastSceneNumber: number;
  /** Name of the scene, such as "Turn 2 of 3". */
  name: string;
  laneCount: number;
  /** True if single-key shortcuts are enabled and shown next to the labels. */
  singleKeys: boolean;
  /** True while the hints are hidden. */
  areHintsHidden: boolean;
  state: { namesHidden: boolean; numbersHidden: boolean; isReasoningVisible: boolean; isReplaying: boolean };
  goToScene: (number: number) => void;
  scroll: () => void;
  ask: () => void;
  toggleVote: (() => void) | undefined;
  focusLane: (index: number) => void;
  toggleNames: (() => void) | undefined;
  toggleNumbers: (() => void) | undefined;
  toggleReasoning: (() => void) | undefined;
  toggleReplay: () => void;
  showLive: (() => void) | undefined;
  exit: () => void;
}

const footLook = clsx(
  'flex flex-wrap items-center gap-x-5.5 gap-y-1 border-t border-line-2 pt-3.5 text-12 text-ink-3 normal-nums',
  '[&>*]:transition-opacity [&>*]:duration-(--d-2) max-[900px]:[&>*]:flex-none',
  'max-[900px]:[scrollbar-width:none] max-[900px]:flex-nowrap max-[900px]:overflow-x-auto max-[900px]:whitespace-nowrap',
);
/** Classes of a hint, or of several that share a label. */
const hintLook = clsx('inline-flex min-h-6 items-center gap-1.5');

/** Actions on the stage. Hidden after three seconds without input; the pointer or a key shows them again. */
export function StageHints(props: StageHintsProps) {
  const { number, count, lastSceneNumber, name, laneCount, singleKeys, areHintsHidden, state } = props;
  const isSummary = number > count;
  const renderKey = (key: string) => singleKeys && <kbd aria-hidden>{key}</kbd>;
  return (
    // The position in the session, the last item, stays visible.
    <footer className={clsx(footLook, areHintsHidden && 'not-has-focus-visible:[&>*]:not-last:opacity-0')}>
      {!isSummary && (
        <Hint label="Scroll all lanes" onUse={props.scroll}>
          <kbd aria-hidden>↓</kbd> scroll
        </Hint>
      )}
      <span className={hintLook}>
        <Hint
          isGrouped
          label="Previous turn, PgUp"
          onUse={() => props.goToScene(number - 1)}
          disabled={number <= 1}
        >
          <kbd>PgUp</kbd>
        </Hint>
        <Hint
          isGrouped
          label={`${number === count && lastSceneNumber > count ? 'Summary' : 'Next turn'}, PgDn`}
          onUse={() => props.goToScene(number + 1)}
          disabled={number >= lastSceneNumber}
        >
          <kbd>PgDn</kbd>
        </Hint>
        turns
      </span>
      {laneCount > 1 && (
        <span className={hintLook}>
          {Array.from({ length: laneCount }, (_, index) => {
            const letter = getLaneLetter(index);
            return (
              <Hint
                key={index}
                isGrouped
                label={`Focus lane ${letter}${singleKeys ? `, ${index + 1}` : ''}`}
                onUse={() => props.focusLane(index)}
              >
                <kbd>{singleKeys ? index + 1 : letter}</kbd>
              </Hint>
            );
          })}
          focus
        </span>
      )}
      {/* Enter also opens the question field if single-key shortcuts are disabled. */}
      <Hint onUse={props.ask}>
        <kbd aria-hidden>{singleKeys ? 'A' : 'Enter'}</kbd> ask
      </Hint>
      {props.toggleVote && <Hint onUse={props.toggleVote}>{renderKey('V')} vote</Hint>}
      <Hint onUse={props.toggleNames}>
        {renderKey('N')} {state.namesHidden ? 'show names' : 'hide names'}
      </Hint>
      <Hint onUse={props.toggleNumbers}>
        {renderKey('M')} {state.numbersHidden ? 'show metrics' : 'hide metrics'}
      </Hint>
      <Hint onUse={props.toggleReasoning}>
        {renderKey('T')} {state.isReasoningVisible ? 'hide reasoning' : 'show reasoning'}
      </Hint>
      <Hint onUse={props.toggleReplay}>
        {renderKey('R')} {state.isReplaying ? 'pause or play' : 'replay'}
      </Hint>
      {state.isReplaying && <Hint onUse={props.showLive}>{renderKey('L')} back to live</Hint>}
      <Hint isExit onUse={props.exit}>
        <kbd aria-hidden>Esc</kbd> exit
      </Hint>
      <span className="min-w-0 flex-1" />
      <span className={hintLook}>{name}</span>
    </footer>
  );
}

interface HintProps {
  /** Accessible name if the key and visible text are not clear enough; contains the visible text. */
  label?: string;
  /** True if the hint shares its label with adjacent hints. */
  isGrouped?: boolean;
  /** True for the hint that stays visible however far the others are scrolled. */
  isExit?: boolean;
  onUse: (() => void) | undefined;
  disabled?: boolean;
  children: ReactNode;
}

const wayOutLook = clsx(
  'max-[900px]:sticky max-[900px]:left-0 max-[900px]:z-1 max-[900px]:-order-1 max-[900px]:pr-3 max-[900px]:pl-1',
  'max-[900px]:bg-paper max-[900px]:font-550 max-[900px]:text-ink',
);

function Hint({ label, isGrouped, isExit, onUse, disabled = false, children }: HintProps) {
  return (
    <button
      type="button"
      className={clsx(
        hintLook,
        'hover:text-ink aria-disabled:opacity-50 max-[900px]:min-h-11',
        isGrouped && '-mx-0.75 min-w-6 justify-center max-[900px]:min-w-11',
        isExit && wayOutLook,
      )}
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onUse?.()}
    >
      {children}
    </button>
  );
}
