import { Fragment } from 'react';

import type { NearMissSetting } from '../../../trials/checks/near-misses.ts';
import { TextButton } from '../../../ui/controls/button.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useTrial } from '../use-trial.ts';
import { rangeExplanation, type RichText } from './rich-text.ts';

interface VerdictSentenceProps {
  text: RichText;
  /** True for the first line of a verdict. */
  isHeadline?: boolean;
}

/** Longer names may be broken, because they might not fit on a line of a phone. */
const maxUnbrokenChars = 24;

/** Sentence about columns: names with their tiles, points in bold, intervals in grey. */
export function VerdictSentence({ text, isHeadline = false }: VerdictSentenceProps) {
  return (
    <>
      {text.map((part, index) => {
        // A number stays on the line of its percent sign.
        if (typeof part === 'string') return part.replaceAll(' %', '\u00a0%');
        if ('column' in part) {
          const { letter, name } = part.column;
          return (
            // A name that fits on a line is not broken at its hyphens. The span is inline, so that a colon stays beside it.
            <span
              key={index}
              className={name.length <= maxUnbrokenChars ? 'whitespace-nowrap' : 'wrap-anywhere'}
            >
              <span
                className={isHeadline ? 'mr-1.5 inline-block align-[2px]' : 'mr-1 inline-block align-[1px]'}
              >
                <LaneTile letter={letter} isSmall={!isHeadline} />
              </span>
              {name !== letter && (
                <span className={`text-ink ${isHeadline ? 'font-[600]' : 'font-[550]'}`}>{name}</span>
              )}
              {name === letter && <span className="sr-only">{letter}</span>}
            </span>
          );
        }
        if ('points' in part)
          return (
            <b
              key={index}
              className={`whitespace-nowrap text-ink ${isHeadline ? 'font-[650]' : 'font-[550]'}`}
            >
              {part.points}
            </b>
          );
        if ('ignored' in part) return <IgnoreButton key={index} settings={part.ignored} />;
        return (
          <span key={index} className="whitespace-nowrap text-ink-3" data-tooltip={rangeExplanation}>
            {part.range}
          </span>
        );
      })}
    </>
  );
}

/** Switches the settings of the deciding check on, which checks all answers again. */
function IgnoreButton({ settings }: { settings: readonly NearMissSetting[] }) {
  const trial = useTrial();
  const ignoreDifferences = () => {
    const { checks, decides } = trial.state.getState().trial;
    const check = checks.find(({ id }) => id === decides);
    if (!check) return;
    const changes = Object.fromEntries(settings.map((name) => [name, true]));
    trial.editCheck({ ...check, settings: { ...check.settings, ...changes } });
  };
  return (
    <>
      {' '}
      <TextButton className="mr-1 min-h-0 font-550 text-ink" onClick={ignoreDifferences}>
        Ignore that
      </TextButton>
    </>
  );
}

/** Sentences of a paragraph. */
export function VerdictSentences({ sentences }: { sentences: readonly RichText[] }) {
  return sentences.map((sentence, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <VerdictSentence text={sentence} />
    </Fragment>
  ));
}
