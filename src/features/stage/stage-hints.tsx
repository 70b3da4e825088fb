import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { ButtonElement } from '../../ui/controls/button-element.tsx';
import { createFocusTarget, getNextFocusAttributes } from '../../ui/focus/focus-target.ts';

const replayHint = createFocusTarget('replay');

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

/** Actions on the stage. Hidden after three seconds without input; the pointer or a key shows them again. */
export function StageHints(props: StageHintsProps) {
  const { number, count, lastSceneNumber, name, laneCount, singleKeys, areHintsHidden, state } = props;
  const isSummary = number > count;
  const renderKey = (key: string) => singleKeys && <kbd aria-hidden>{key}</kbd>;
  return (
    // The position in the session, the last item, stays visible.
    <footer
      className={clsx(
        'flex flex-wrap items-center gap-x-5.5 gap-y-1 border-t border-line-2 pt-3.5 text-12 text-ink-3 normal-nums',
        '[&>*]:transition-opacity [&>*]:duration-(--d-2) @max-[800px]/stage:[&>*]:flex-none',
        '@max-[800px]/stage:[scrollbar-width:none] @max-[800px]/stage:flex-nowrap @max-[800px]/stage:overflow-x-auto @max-[800px]/stage:whitespace-nowrap',
        // On a touch screen nothing would tell that a tap shows them.
        areHintsHidden && 'pointer-fine:not-has-focus-visible:[&>*]:not-last:opacity-0',
      )}
    >
      {!isSummary && (
        <Hint label="Scroll all lanes" onUse={props.scroll}>
          <kbd aria-hidden>↓</kbd> scroll
        </Hint>
      )}
      <HintGroup>
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
      </HintGroup>
      {laneCount > 1 && (
        <HintGroup>
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
        </HintGroup>
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
      <Hint onUse={props.toggleReplay} {...replayHint.attributes}>
        {renderKey('R')} {state.isReplaying ? 'pause or play' : 'replay'}
      </Hint>
      {state.isReplaying && (
        <Hint onUse={props.showLive} {...getNextFocusAttributes(replayHint)}>
          {renderKey('L')} back to live
        </Hint>
      )}
      <Hint isExit onUse={props.exit}>
        <kbd aria-hidden>Esc</kbd> exit
      </Hint>
      <span className="min-w-0 flex-1" />
      <HintGroup>{name}</HintGroup>
    </footer>
  );
}

/** Hints that share a label, or a text beside the hints. */
function HintGroup({ children }: { children: ReactNode }) {
  return <span className="inline-flex min-h-6 items-center gap-1.5">{children}</span>;
}

interface HintProps extends ComponentProps<'button'> {
  /** Accessible name if the key and visible text are not clear enough; contains the visible text. */
  label?: string;
  /** True if the hint shares its label with adjacent hints. */
  isGrouped?: boolean;
  /** True for the hint that stays visible however far the others are scrolled. */
  isExit?: boolean;
  onUse: (() => void) | undefined;
}

function Hint({ label, isGrouped, isExit, onUse, ...rest }: HintProps) {
  return (
    <ButtonElement
      type="button"
      className={clsx(
        'inline-flex min-h-6 items-center gap-1.5 hover:text-ink aria-disabled:opacity-50 @max-[800px]/stage:min-h-11',
        isGrouped && '-mx-0.75 min-w-6 justify-center @max-[800px]/stage:min-w-11',
        isExit && [
          '@max-[800px]/stage:sticky @max-[800px]/stage:left-0 @max-[800px]/stage:z-1 @max-[800px]/stage:-order-1 @max-[800px]/stage:pr-3 @max-[800px]/stage:pl-1',
          '@max-[800px]/stage:bg-paper @max-[800px]/stage:font-550 @max-[800px]/stage:text-ink',
        ],
      )}
      aria-label={label}
      onClick={() => onUse?.()}
      {...rest}
    />
  );
}
