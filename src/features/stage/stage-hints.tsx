import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { createFocusTarget, getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { StageHint, StageHintBar, StageHintGroup } from '../../ui/stage/stage-hint-bar.tsx';

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
    <StageHintBar areHintsHidden={areHintsHidden} name={name}>
      {!isSummary && (
        <StageHint label="Scroll all lanes" onUse={props.scroll}>
          <kbd aria-hidden>↓</kbd> scroll
        </StageHint>
      )}
      <StageHintGroup>
        <StageHint
          isGrouped
          label="Previous turn, PgUp"
          onUse={() => props.goToScene(number - 1)}
          disabled={number <= 1}
        >
          <kbd>PgUp</kbd>
        </StageHint>
        <StageHint
          isGrouped
          label={`${number === count && lastSceneNumber > count ? 'Summary' : 'Next turn'}, PgDn`}
          onUse={() => props.goToScene(number + 1)}
          disabled={number >= lastSceneNumber}
        >
          <kbd>PgDn</kbd>
        </StageHint>
        turns
      </StageHintGroup>
      {laneCount > 1 && (
        <StageHintGroup>
          {Array.from({ length: laneCount }, (_, index) => {
            const letter = getLaneLetter(index);
            return (
              <StageHint
                key={index}
                isGrouped
                label={`Focus lane ${letter}${singleKeys ? `, ${index + 1}` : ''}`}
                onUse={() => props.focusLane(index)}
              >
                <kbd>{singleKeys ? index + 1 : letter}</kbd>
              </StageHint>
            );
          })}
          focus
        </StageHintGroup>
      )}
      {/* Enter also opens the question field if single-key shortcuts are disabled. */}
      <StageHint onUse={props.ask}>
        <kbd aria-hidden>{singleKeys ? 'A' : 'Enter'}</kbd> ask
      </StageHint>
      {props.toggleVote && <StageHint onUse={props.toggleVote}>{renderKey('V')} vote</StageHint>}
      <StageHint onUse={props.toggleNames}>
        {renderKey('N')} {state.namesHidden ? 'show names' : 'hide names'}
      </StageHint>
      <StageHint onUse={props.toggleNumbers}>
        {renderKey('M')} {state.numbersHidden ? 'show metrics' : 'hide metrics'}
      </StageHint>
      <StageHint onUse={props.toggleReasoning}>
        {renderKey('T')} {state.isReasoningVisible ? 'hide reasoning' : 'show reasoning'}
      </StageHint>
      <StageHint onUse={props.toggleReplay} {...replayHint.attributes}>
        {renderKey('R')} {state.isReplaying ? 'pause or play' : 'replay'}
      </StageHint>
      {state.isReplaying && (
        <StageHint onUse={props.showLive} {...getNextFocusAttributes(replayHint)}>
          {renderKey('L')} back to live
        </StageHint>
      )}
      <StageHint isExit onUse={props.exit}>
        <kbd aria-hidden>Esc</kbd> exit
      </StageHint>
    </StageHintBar>
  );
}
