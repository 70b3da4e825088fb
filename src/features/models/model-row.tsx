import type { LearnedOfModel } from '../../conversation/abilities.ts';
import type { ModelRecord } from '../../gateway/model-record.ts';
import { AbilityTags } from './ability-tags.tsx';
import { matchOf } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import type { ModelOption } from './model-options.ts';
import { StarMark } from './star-mark.tsx';

interface ModelRowProps {
  option: ModelOption;
  /** What runs have shown of it. */
  learned: LearnedOfModel;
  query: string;
  isFavourite: boolean;
  onStar: () => void;
}

/**
 * One option of the picker: its id first, what it can do, what is known about it, and the star.
 * @public used through a lazy import
 */
export function ModelRow({ option, learned, query, isFavourite, onStar }: ModelRowProps) {
  const { model } = option;
  const hits = query.trim() === '' ? [] : (matchOf(option.id, query)?.hits ?? []);
  return (
    <>
      <span className="model-id">
        <ModelId id={option.id} hits={hits} />
      </span>
      {model?.kind !== 'embedding' && <AbilityTags can={model?.abilities ?? {}} learned={learned} />}
      <span className={model ? 'model-about' : 'model-about unlisted'}>
        {model ? aboutOf(model) : 'not in the list, used as typed'}
      </span>
      <StarMark isOn={isFavourite} onToggle={onStar} />
    </>
  );
}

function aboutOf(model: ModelRecord): string {
  const size = model.contextTokens === undefined ? '' : `${model.contextTokens.toLocaleString('en')} tokens`;
  return model.about ?? size;
}
