import { Check, X } from 'lucide-react';

import { outcomeOf, type LearnedOfModel } from '../../conversation/abilities.ts';
import { everyAbility, type Abilities, type Ability } from '../../conversation/model-marks.ts';
import { Tag } from '../../ui/tag.tsx';
import { abilityWords } from './ability-words.ts';

type Knowledge = 'seen' | 'listed' | 'refused' | 'not' | 'untried';

interface AbilityTagsProps {
  /** By its record, or by a person's mark. */
  can: Abilities;
  /** By what runs have shown. */
  learned: LearnedOfModel;
}

/** What a model can do and how that is known: seen in a run, refused in one, or listed; `?` where nothing is. */
export function AbilityTags({ can, learned }: AbilityTagsProps) {
  const known = everyAbility.map((ability) => ({ ability, how: knowledgeOf(ability, can, learned) }));
  const shown = known.filter(({ how }) => how === 'seen' || how === 'listed' || how === 'refused');
  const isSilent = known.every(({ how }) => how === 'untried');
  return (
    <span className="model-can" title={sentences(known)}>
      {isSilent && <Tag>?</Tag>}
      {shown.map(({ ability, how }) => (
        <span key={ability} className={ability === 'json' || ability === 'usage' ? 'minor' : undefined}>
          <Tag>
            {how === 'seen' && <Check className="i s" aria-hidden />}
            {how === 'refused' && <X className="i s" aria-hidden />}
            {abilityWords[ability]}
            {how !== 'listed' && <span className="vh"> {how}</span>}
          </Tag>
        </span>
      ))}
    </span>
  );
}

/** What was seen outranks a record; a person's mark is already in `can`. */
function knowledgeOf(ability: Ability, can: Abilities, learned: LearnedOfModel): Knowledge {
  const outcome = outcomeOf(learned, ability);
  if (can[ability] === false) return 'not';
  if (outcome === 'seen') return 'seen';
  if (can[ability]) return 'listed';
  return outcome ?? 'untried';
}

const starts: Readonly<Record<Knowledge, string>> = {
  seen: 'Seen in a run',
  listed: 'Listed or marked',
  refused: 'Refused in a run',
  not: 'Not',
  untried: 'Untried',
};

function sentences(known: readonly { ability: Ability; how: Knowledge }[]): string {
  const kinds: readonly Knowledge[] = ['seen', 'listed', 'refused', 'not', 'untried'];
  return kinds
    .flatMap((kind) => {
      const words = known.filter(({ how }) => how === kind).map(({ ability }) => abilityWords[ability]);
      return words.length === 0 ? [] : [`${starts[kind]}: ${words.join(', ')}.`];
    })
    .join(' ');
}
