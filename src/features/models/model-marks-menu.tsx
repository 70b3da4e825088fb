import type { ReactNode } from 'react';

import { readLearnedAbilities, type AbilityOutcome } from '../../conversation/setup/learned-abilities.ts';
import {
  getAbilities,
  allAbilities,
  getModelMarks,
  withModelMark,
  type Ability,
  type ModelMarks,
} from '../../conversation/setup/model-marks.ts';
import { reportFailure } from '../../state/notices.ts';
import { openSighting } from '../../state/runs/learn-abilities.ts';
import { useLearnedRecords, usePlayground, usePrefs } from '../../state/use-playground.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { abilityWords } from './ability-labels.ts';
import { useModels } from './use-models.ts';

const none: ModelMarks = {};

const labels: Readonly<Record<Ability, readonly [can: string, cannot: string]>> = {
  vision: ['Accepts images', 'Text-only'],
  tools: ['Tool calls', 'No tool calls'],
  thinking: ['Thinking', 'No thinking'],
  json: ['JSON mode', 'No JSON mode'],
  usage: ['Usage in streams', 'No usage in streams'],
};

interface ModelMarksMenuProps {
  model: string;
  /** What its button shows; its name says it, too. */
  words: string;
  children: ReactNode;
}

/** What is known of a model: marks of the person, which are kept and outrank all else; its record; what runs have shown. */
export function ModelMarksMenu({ model: id, words, children }: ModelMarksMenuProps) {
  const playground = usePlayground();
  const { prefs } = playground;
  const { data } = useModels();
  const marks = usePrefs((state) => state.modelMarks) ?? none;
  const learned = readLearnedAbilities(useLearnedRecords(), id);
  const can = getAbilities(id, {}, data?.models ?? []);
  const own = getModelMarks(marks, id);

  const choice = (ability: Ability, value: boolean): MenuItem => {
    const isMarked = own[ability] === value;
    const outcome: AbilityOutcome = value ? 'seen' : 'refused';
    const hint = isMarked
      ? 'set by you, undo'
      : learned[ability]?.[outcome]
        ? `${outcome} in a run`
        : can[ability] === value
          ? 'listed'
          : value && own[ability] === undefined && can[ability] === undefined && !learned[ability]
            ? 'not tested'
            : undefined;
    return {
      label: labels[ability][value ? 0 : 1],
      onPick: () =>
        prefs.setState({ modelMarks: withModelMark(marks, id, ability, isMarked ? undefined : value) }),
      ...(hint === undefined ? {} : { hint }),
      ...(value && ability !== allAbilities[0] ? { startsGroup: true } : {}),
    };
  };

  const sightings = allAbilities.flatMap((ability) =>
    (['seen', 'refused'] as const).flatMap((outcome): MenuItem[] => {
      const sighting = learned[ability]?.[outcome];
      if (!sighting) return [];
      const show = async () => {
        const found = await openSighting(sighting, playground);
        const text = 'That run is gone: it or its session was deleted.';
        if (!found) playground.notices.setState({ notice: { severity: 'note', text } });
      };
      return [
        {
          label: `Show the run: ${abilityWords[ability]} ${outcome}`,
          onPick: () => reportFailure(playground.notices, show()),
        },
      ];
    }),
  );

  return (
    <Menu
      label={`What the model can do: ${words}`}
      // On phones that is told in the picker.
      className="inline-flex min-h-6 flex-none items-center gap-1 rounded-2 px-0.75 hover:bg-hover max-phone:hidden"
      placement="start"
      items={[
        ...allAbilities.flatMap((ability) => [choice(ability, true), choice(ability, false)]),
        ...sightings.map((item, index) => (index === 0 ? { ...item, startsGroup: true } : item)),
      ]}
    >
      {children}
    </Menu>
  );
}
