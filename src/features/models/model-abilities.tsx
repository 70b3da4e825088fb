import { getAbilityOutcome, type LearnedAbilities } from '../../conversation/setup/learned-abilities.ts';
import { allAbilities, type Abilities, type Ability } from '../../conversation/setup/model-marks.ts';
import { classes } from '../../ui/cn.ts';
import { Braces, Brain, Image, Wrench } from '../../ui/icons.tsx';
import { abilityWords } from './ability-labels.ts';

const drawn = [
  ['vision', Image],
  ['tools', Wrench],
  ['thinking', Brain],
  ['json', Braces],
] as const;

interface ModelAbilitiesProps {
  /** By its record, by what runs have shown, or by a person's mark. */
  can: Abilities;
  /** By what runs have shown. */
  learned: LearnedAbilities;
  /** Further notes from its record. */
  notes?: readonly string[];
}

/** What a model can do, never what it cannot. How that is known is told on hover, what runs showed is read out, too. */
export function ModelAbilities({ can, learned, notes }: ModelAbilitiesProps) {
  const shown = drawn.filter(([ability]) => can[ability]);
  return (
    <span
      className="flex min-w-0 items-center gap-1.5 overflow-hidden text-12 text-ellipsis text-ink-3"
      title={[sentences(kinds, can, learned), ...(notes ?? [])].join('\n')}
    >
      {shown.map(([ability, Icon]) => (
        <Icon key={ability} className="icon-14" aria-hidden />
      ))}
      {/* A price takes the room of what is known by a mark. */}
      <span
        className={classes(
          'min-w-0 truncate text-ink-2',
          shown.length > 0 && 'narrow:group-has-data-price/models:hidden',
        )}
      >
        {shown.map(([ability]) => abilityWords[ability]).join(', ') || 'text'}
      </span>
      {notes !== undefined && notes.length > 0 && (
        <span className="max-w-3/5 flex-none truncate">{notes.join(' · ')}</span>
      )}
      <span className="sr-only"> {sentences(['Seen in a run', 'Refused in a run'], can, learned)}</span>
    </span>
  );
}

const kinds = [
  'Seen in a run',
  'Listed or marked',
  'Refused in a run',
  'Not supported',
  'Not tested',
] as const;

type Knowledge = (typeof kinds)[number];

/** What was seen outranks a record; a person's mark is already in `can`. */
function knowledgeOf(ability: Ability, can: Abilities, learned: LearnedAbilities): Knowledge {
  const outcome = getAbilityOutcome(learned, ability);
  if (can[ability] === false) return 'Not supported';
  if (outcome === 'seen') return 'Seen in a run';
  if (can[ability]) return 'Listed or marked';
  return outcome === 'refused' ? 'Refused in a run' : 'Not tested';
}

function sentences(told: readonly Knowledge[], can: Abilities, learned: LearnedAbilities): string {
  return told
    .flatMap((kind) => {
      const words = allAbilities
        .filter((ability) => knowledgeOf(ability, can, learned) === kind)
        .map((ability) => abilityWords[ability]);
      return words.length === 0 ? [] : [`${kind}: ${words.join(', ')}.`];
    })
    .join(' ');
}
