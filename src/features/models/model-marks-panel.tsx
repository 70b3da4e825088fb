import type { ReactNode } from 'react';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { readLearnedAbilities, type AbilityOutcome } from '../../conversation/setup/learned-abilities.ts';
import {
  getDeclaredAbilities,
  allAbilities,
  getModelMarks,
  withModelMark,
  type Ability,
  type ModelMarks,
} from '../../conversation/setup/model-marks.ts';
import { findModel } from '../../gateway/models/model-record.ts';
import {
  useLearnedRecords,
  usePrefs,
  useAppServices,
  useSessionServices,
  useRunServices,
} from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { openSighting } from '../../state/runs/learn-abilities.ts';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { abilityLabels } from './ability-labels.ts';
import { useModels } from './use-models.ts';

const noMarks: ModelMarks = {};

const markLabels: Readonly<Record<Ability, readonly [can: string, cannot: string]>> = {
  vision: ['Accepts images', 'Text-only'],
  tools: ['Tool calls', 'No tool calls'],
  thinking: ['Reasoning', 'No reasoning'],
  json: ['JSON mode', 'No JSON mode'],
  usage: ['Streaming usage', 'No streaming usage'],
};

const outcomeLabels: Readonly<Record<AbilityOutcome, string>> = {
  seen: 'Confirmed',
  refused: 'Rejected',
};

interface ModelMarksMenuProps {
  choice: ModelChoice;
  /** Label of the button, which is also part of its accessible name. */
  label: string;
  children: ReactNode;
}

/**
 * Menu of the known facts about a model: the user's marks, which are stored and take precedence, the record, and
 * results of runs.
 */
export function ModelMarksMenu({ choice, label, children }: ModelMarksMenuProps) {
  const { inspector } = useRunServices();
  const { session, actions } = useSessionServices();
  const { prefs, notices, router, learnedModels } = useAppServices();
  const { data } = useModels(choice.gateway);
  const key = learnedModels.getKey(choice);
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const learned = readLearnedAbilities(useLearnedRecords(), key);
  const abilities = getDeclaredAbilities(key, {}, data && findModel(data.models, choice.model));
  const ownMarks = getModelMarks(marks, key);

  const createMarkItem = (ability: Ability, value: boolean): MenuItem => {
    const isMarked = ownMarks[ability] === value;
    const outcome: AbilityOutcome = value ? 'seen' : 'refused';
    const hint = isMarked
      ? 'Set manually. Reset'
      : learned[ability]?.[outcome]
        ? `${outcomeLabels[outcome]} in a run`
        : abilities[ability] === value
          ? 'Listed'
          : value && ownMarks[ability] === undefined && abilities[ability] === undefined && !learned[ability]
            ? 'Not tested'
            : undefined;
    return {
      label: markLabels[ability][value ? 0 : 1],
      onPick: () =>
        prefs.setState({ modelMarks: withModelMark(marks, key, ability, isMarked ? undefined : value) }),
      ...(hint === undefined ? {} : { hint }),
      ...(value && ability !== allAbilities[0] ? { startsGroup: true } : {}),
    };
  };

  const sightings = allAbilities.flatMap((ability) =>
    (['seen', 'refused'] as const).flatMap((outcome): MenuItem[] => {
      const sighting = learned[ability]?.[outcome];
      if (!sighting) return [];
      const show = async () => {
        const wasOpened = await openSighting(sighting, { session, router, inspector, actions });
        const text = 'This run was deleted.';
        if (!wasOpened) notices.setState({ notice: { severity: 'note', text } });
      };
      return [
        {
          label: `Show the run that ${outcomeLabels[outcome].toLowerCase()} ${abilityLabels[ability]}`,
          onPick: () => reportFailure(notices, show()),
        },
      ];
    }),
  );

  return (
    <Menu
      label={`Model capabilities: ${label}`}
      // Phones show this in the picker.
      className="inline-flex min-h-6 flex-none items-center gap-1 rounded-2 px-0.75 hover:bg-hover max-phone:hidden"
      placement="start"
      items={[
        ...allAbilities.flatMap((ability) => [createMarkItem(ability, true), createMarkItem(ability, false)]),
        ...sightings.map((item, index) => (index === 0 ? { ...item, startsGroup: true } : item)),
      ]}
    >
      {children}
    </Menu>
  );
}
