import type { ReactNode } from 'react';

import { laneLetter } from '../../../conversation/session/tree.ts';

interface StageHintsProps {
  number: number;
  count: number;
  /** The last step: the summary, or the last turn. */
  last: number;
  /** What is shown: "Turn 2 of 3". */
  name: string;
  laneCount: number;
  /** Single keys are on: they are shown beside the words. */
  singleKeys: boolean;
  state: { namesHidden: boolean; numbersHidden: boolean; reasoningShown: boolean; recorded: boolean };
  goTo: (number: number) => void;
  scroll: () => void;
  ask: () => void;
  vote: (() => void) | undefined;
  focusLane: (index: number) => void;
  toggleNames: (() => void) | undefined;
  toggleNumbers: (() => void) | undefined;
  toggleReasoning: (() => void) | undefined;
  play: () => void;
  toLive: (() => void) | undefined;
  leave: () => void;
}

/** What can be done on the stage; gone after three seconds of rest, back with the pointer or a key. */
export function StageHints(props: StageHintsProps) {
  const { number, count, last, name, laneCount, singleKeys, state } = props;
  const isSummary = number > count;
  const key = (name: string) => singleKeys && <kbd aria-hidden>{name}</kbd>;
  return (
    <footer className="pf">
      {!isSummary && (
        <Hint label="Scroll all lanes" onUse={props.scroll}>
          <kbd aria-hidden>↓</kbd> scroll
        </Hint>
      )}
      <span>
        <Hint label="Previous turn" onUse={() => props.goTo(number - 1)} disabled={number <= 1}>
          <kbd>PgUp</kbd>
        </Hint>
        <Hint
          label={number === count && last > count ? 'Summary' : 'Next turn'}
          onUse={() => props.goTo(number + 1)}
          disabled={number >= last}
        >
          <kbd>PgDn</kbd>
        </Hint>
        turns
      </span>
      {laneCount > 1 && (
        <span>
          {Array.from({ length: laneCount }, (_, index) => (
            <Hint key={index} label={`Focus lane ${laneLetter(index)}`} onUse={() => props.focusLane(index)}>
              <kbd>{singleKeys ? index + 1 : laneLetter(index)}</kbd>
            </Hint>
          ))}
          focus
        </span>
      )}
      {/* Enter asks as well, whoever has switched single keys off. */}
      <Hint label="Ask" onUse={props.ask}>
        <kbd aria-hidden>{singleKeys ? 'A' : 'Enter'}</kbd> ask
      </Hint>
      {props.vote && (
        <Hint label="Vote" onUse={props.vote}>
          {key('V')} vote
        </Hint>
      )}
      <Hint onUse={props.toggleNames}>
        {key('N')} {state.namesHidden ? 'show names' : 'hide names'}
      </Hint>
      <Hint onUse={props.toggleNumbers}>
        {key('M')} {state.numbersHidden ? 'show numbers' : 'hide numbers'}
      </Hint>
      <Hint onUse={props.toggleReasoning}>
        {key('T')} {state.reasoningShown ? 'hide reasoning' : 'show reasoning'}
      </Hint>
      <Hint onUse={props.play}>
        {key('R')} {state.recorded ? 'pause or play' : 'replay'}
      </Hint>
      {state.recorded && <Hint onUse={props.toLive}>{key('L')} back to live</Hint>}
      <Hint className="leave" onUse={props.leave}>
        <kbd aria-hidden>Esc</kbd> exit
      </Hint>
      <span className="grow" />
      <span className="pf-n">{name}</span>
    </footer>
  );
}

interface HintProps {
  label?: string;
  className?: string;
  onUse: (() => void) | undefined;
  disabled?: boolean;
  children: ReactNode;
}

function Hint({ label, className, onUse, disabled = false, children }: HintProps) {
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onUse?.()}
    >
      {children}
    </button>
  );
}
