import { clsx } from 'clsx';

import { getAbilityOutcome, type LearnedAbilities } from '../../conversation/setup/learned-abilities.ts';
import { allAbilities, type Abilities, type Ability } from '../../conversation/setup/model-marks.ts';
import { Braces, Brain, FileText, Image, Volume2, Wrench } from '../../ui/icons.tsx';
import { abilityLabels } from './ability-labels.ts';

const abilityIcons = [
  ['vision', Image],
  ['files', FileText],
  ['audio', Volume2],
  ['tools', Wrench],
  ['thinking', Brain],
  ['json', Braces],
] as const;

interface ModelAbilitiesProps {
  /** Abilities that are in the model's record, learned from runs or marked by the user. */
  abilities: Abilities;
  /** Abilities learned from runs. */
  learned: LearnedAbilities;
  /** Additional notes from the model's record. */
  notes?: readonly string[];
  /** Sentence of the record about the model, shown where there is space. */
  description?: string | undefined;
}

/**
 * Abilities that a model has, but not those that it lacks. A tooltip explains the source; screen readers also read out
 * results of runs.
 */
export function ModelAbilities({ abilities, learned, notes, description }: ModelAbilitiesProps) {
  const visibleAbilities = abilityIcons.filter(([ability]) => abilities[ability]);
  return (
    <span
      className="flex min-w-0 items-center gap-1.5 overflow-hidden text-12 text-ellipsis text-ink-3"
      title={[describeKnowledge(knowledgeKinds, abilities, learned), ...(notes ?? [])].join('\n')}
    >
      {visibleAbilities.map(([ability, Icon]) => (
        <Icon key={ability} className="icon-14" aria-hidden />
      ))}
      {/* If prices are listed, narrow rows show only the icons. */}
      <span
        className={clsx(
          'min-w-0 truncate text-ink-2',
          visibleAbilities.length > 0 &&
            'group-data-[layout=stacked]/models:group-has-data-price/models:hidden',
        )}
      >
        {visibleAbilities.map(([ability]) => abilityLabels[ability]).join(', ') || 'text'}
      </span>
      {notes !== undefined && notes.length > 0 && (
        <span className="max-w-3/5 flex-none truncate">{notes.join(' · ')}</span>
      )}
      {description !== undefined && (
        <span className="min-w-0 flex-1 truncate group-data-[layout=stacked]/models:hidden" aria-hidden>
          {description}
        </span>
      )}
      <span className="sr-only">
        {' '}
        {describeKnowledge(['Confirmed in a run', 'Rejected in a run'], abilities, learned)}
      </span>
    </span>
  );
}

const knowledgeKinds = [
  'Confirmed in a run',
  'Listed or set manually',
  'Rejected in a run',
  'Not supported',
  'Not tested',
] as const;

type Knowledge = (typeof knowledgeKinds)[number];

/** Returns how an ability is known. Observations outrank the record; the user's marks are already in `abilities`. */
function getKnowledge(ability: Ability, abilities: Abilities, learned: LearnedAbilities): Knowledge {
  const outcome = getAbilityOutcome(learned, ability);
  if (abilities[ability] === false) return 'Not supported';
  if (outcome === 'seen') return 'Confirmed in a run';
  if (abilities[ability]) return 'Listed or set manually';
  return outcome === 'refused' ? 'Rejected in a run' : 'Not tested';
}

function describeKnowledge(
  kinds: readonly Knowledge[],
  abilities: Abilities,
  learned: LearnedAbilities,
): string {
  return kinds
    .flatMap((kind) => {
      const labels = allAbilities
        .filter((ability) => getKnowledge(ability, abilities, learned) === kind)
        .map((ability) => abilityLabels[ability]);
      return labels.length === 0 ? [] : [`${kind}: ${labels.join(', ')}.`];
    })
    .join(' ');
}
