import { CornerDownLeft, Star } from 'lucide-react';

import type { LearnedOfModel } from '../../conversation/setup/abilities.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { matchOf } from './match-models.ts';
import { ModelAbilities } from './model-abilities.tsx';
import { ModelId } from './model-id.tsx';
import type { ModelOption } from './model-options.ts';
import { ModelPrice } from './model-price.tsx';

interface ModelRowProps {
  option: ModelOption;
  /** What runs have shown of it. */
  learned: LearnedOfModel;
  /** Milliseconds to the first token of its last answer; `unmeasured`: it was used, and when that came is not known. */
  firstToken: number | 'unmeasured' | undefined;
  query: string;
  isFavourite: boolean;
  onStar: () => void;
}

/** One option of the picker: its id first, what it can do, what is known about it, and the star. */
export function ModelRow({ option, learned, firstToken, query, isFavourite, onStar }: ModelRowProps) {
  const { model } = option;
  const hits = query.trim() === '' ? [] : (matchOf(option.id, query, model?.abilities)?.hits ?? []);
  const isEmbedding = model?.kind === 'embedding';
  return (
    <span className={isEmbedding ? 'model-row about' : 'model-row'} title={model?.about}>
      <EnterMark />
      <span className="model-id">
        <ModelId id={option.id} hits={hits} />
      </span>{' '}
      <StarMark isOn={isFavourite} onToggle={onStar} />
      <span className="model-facts">
        {isEmbedding ? (
          <span className="model-can">{model.about}</span>
        ) : model ? (
          <ModelAbilities can={model.abilities} learned={learned} />
        ) : (
          <span className="model-can">not in the list</span>
        )}{' '}
        <span className="fact">
          {model?.contextTokens !== undefined && (
            <>
              {formatCount(model.contextTokens)}
              <span className="unit"> tokens</span>
            </>
          )}
        </span>{' '}
        <ModelPrice model={model} /> {!isEmbedding && <FirstToken ms={firstToken} />}
      </span>
      {!isEmbedding && model?.about !== undefined && <span className="sr-only"> {model.about}</span>}
    </span>
  );
}

/** The last option: what was typed, for an ID that the gateway does not list. */
export function TypedRow({ id, isListed }: { id: string; isListed: boolean }) {
  return (
    <span className="model-row as-typed">
      <EnterMark />
      <span className="model-id">
        Use “<ModelId id={id} />” as a model ID
      </span>{' '}
      {!isListed && <span className="model-can">(not in the list)</span>}
    </span>
  );
}

/** Drawn in the row that Enter uses. */
function EnterMark() {
  return (
    <span className="enter-mark">
      <CornerDownLeft className="icon-14" aria-hidden />
    </span>
  );
}

function FirstToken({ ms }: { ms: ModelRowProps['firstToken'] }) {
  if (ms === undefined) return <span className="fact mut">not used yet</span>;
  if (ms === 'unmeasured') return <span className="fact mut">not measured</span>;
  const { number, unit } = formatDuration(ms);
  return (
    <span className="fact">
      {number} {unit}
      <span className="unit"> TTFT</span>
    </span>
  );
}

interface StarMarkProps {
  isOn: boolean;
  onToggle: () => void;
}

/**
 * The star in an option, for the pointer only: an option holds no controls, so assistive technology is not
 * told of it and the picker's footer has a button for the keyboard. It never picks the option.
 */
function StarMark({ isOn, onToggle }: StarMarkProps) {
  return (
    <span
      className={isOn ? 'star on' : 'star'}
      aria-hidden
      title={isOn ? 'Remove from favourites' : 'Add to favourites'}
      ref={(mark) => {
        const toggle = (event: Event) => {
          event.stopPropagation();
          onToggle();
        };
        mark?.addEventListener('click', toggle);
        return () => mark?.removeEventListener('click', toggle);
      }}
    >
      <Star className="icon-14" />
    </span>
  );
}
