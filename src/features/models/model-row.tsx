import type { ModelRecord } from '../../gateway/model-record.ts';
import { Tag } from '../../ui/tag.tsx';
import { matchOf } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import { abilities, type ModelOption } from './model-options.ts';
import { StarMark } from './star-mark.tsx';

interface ModelRowProps {
  option: ModelOption;
  query: string;
  isFavourite: boolean;
  onStar: () => void;
}

/** One option of the picker: its id first, what it can do, what is known about it, and the star. */
export function ModelRow({ option, query, isFavourite, onStar }: ModelRowProps) {
  const { model } = option;
  const hits = query.trim() === '' ? [] : (matchOf(option.id, query)?.hits ?? []);
  return (
    <>
      <span className="model-id">
        <ModelId id={option.id} hits={hits} />
      </span>
      {model && <ModelAbilityTags model={model} />}
      <span className={model ? 'model-about' : 'model-about unlisted'}>
        {model ? aboutOf(model) : 'not in the list, used as typed'}
      </span>
      <StarMark isOn={isFavourite} onToggle={onStar} />
    </>
  );
}

/** What a model says it can do; `?` where it says nothing at all. */
function ModelAbilityTags({ model }: { model: ModelRecord }) {
  const isSilent = abilities.every((ability) => model.abilities[ability] === undefined);
  if (isSilent && model.kind === 'embedding') return null;
  if (isSilent) {
    return (
      <span title="The gateway does not say what this model can do.">
        <Tag>?</Tag>
      </span>
    );
  }
  return abilities
    .filter((ability) => model.abilities[ability])
    .map((ability) => <Tag key={ability}>{ability}</Tag>);
}

function aboutOf(model: ModelRecord): string {
  const size = model.contextTokens === undefined ? '' : `${model.contextTokens.toLocaleString('en')} tokens`;
  return model.about ?? size;
}
