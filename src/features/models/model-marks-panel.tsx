import type { RefObject } from 'react';

import type { ModelChoice } from '../../conversation/session/types.ts';
import {
  readLearnedAbilities,
  type AbilityOutcome,
  type Sighting,
} from '../../conversation/setup/learned-abilities.ts';
import {
  allAbilities,
  getModelMarks,
  withModelMark,
  type Abilities,
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
import { reportFailure, showToast } from '../../state/notices.ts';
import { openSighting } from '../../state/runs/learn-abilities.ts';
import { TextButton } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { PopoverPanel } from '../../ui/overlays/popover-panel.tsx';
import { abilityLabels } from './ability-labels.ts';
import { useModels } from './use-models.ts';

const noMarks: ModelMarks = {};

const markChoices = [
  { value: 'auto', label: 'Auto' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

const marksByChoice = { auto: undefined, yes: true, no: false } as const;

interface ModelMarksPanelProps {
  choice: ModelChoice;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/**
 * The capabilities of a model: the user's marks, which are stored and take precedence over everything else, and beside
 * each what the record and earlier runs say.
 */
export function ModelMarksPanel({ choice, button, onClose }: ModelMarksPanelProps) {
  const { prefs, learnedModels } = useAppServices();
  const { data } = useModels(choice.gateway);
  const key = learnedModels.getKey(choice);
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const ownMarks = getModelMarks(marks, key);
  const setMark = (ability: Ability, value: boolean | undefined) =>
    prefs.setState({ modelMarks: withModelMark(marks, key, ability, value) });

  return (
    <PopoverPanel
      label="Model capabilities"
      button={button}
      placement="start"
      onClose={onClose}
      className="max-w-[calc(100vw-16px)] px-4 py-3"
    >
      <table>
        <tbody>
          {allAbilities.map((ability) => (
            <tr key={ability}>
              <th scope="row" className="pr-4 text-left text-13 font-500 first-letter:uppercase">
                {abilityLabels[ability]}
              </th>
              <td className="py-0.75">
                <Segmented
                  label={abilityLabels[ability]}
                  value={ownMarks[ability] === undefined ? 'auto' : ownMarks[ability] ? 'yes' : 'no'}
                  choices={markChoices}
                  onChange={(mark) => setMark(ability, marksByChoice[mark])}
                />
              </td>
              <td className="pl-4 text-12 text-ink-3">
                <Evidence
                  ability={ability}
                  modelKey={key}
                  listed={data && findModel(data.models, choice.model)?.abilities}
                  onShow={() => {
                    // The focus returns first, because the inspector then takes it.
                    button.current?.focus();
                    onClose();
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </PopoverPanel>
  );
}

const outcomeLabels: Readonly<Record<AbilityOutcome, string>> = {
  seen: 'Confirmed',
  refused: 'Rejected',
};

interface EvidenceProps {
  ability: Ability;
  modelKey: string;
  /** Abilities in the model's record. */
  listed: Abilities | undefined;
  /** Called before a run is shown. */
  onShow: () => void;
}

/** Everything known about an ability without the user's mark. */
function Evidence({ ability, modelKey, listed, onShow }: EvidenceProps) {
  const learned = readLearnedAbilities(useLearnedRecords(), modelKey)[ability];
  const isListed = listed?.[ability];
  if (isListed === undefined && !learned) return 'Not known';
  return (
    <span className="flex flex-wrap gap-x-3">
      {isListed !== undefined && <span>{isListed ? 'Listed by the gateway' : 'Listed as unsupported'}</span>}
      {(['seen', 'refused'] as const).map((outcome) => {
        const sighting = learned?.[outcome];
        return (
          sighting && (
            <SightingButton
              key={outcome}
              label={outcomeLabels[outcome]}
              ability={ability}
              sighting={sighting}
              onShow={onShow}
            />
          )
        );
      })}
    </span>
  );
}

interface SightingButtonProps {
  /** Outcome of the run. */
  label: string;
  ability: Ability;
  sighting: Sighting;
  onShow: () => void;
}

/** Opens the run that confirmed or rejected an ability. */
function SightingButton({ label, ability, sighting, onShow }: SightingButtonProps) {
  const { inspector } = useRunServices();
  const { session, actions } = useSessionServices();
  const { notices, router } = useAppServices();
  const show = async () => {
    const wasOpened = await openSighting(sighting, { session, router, inspector, actions });
    if (!wasOpened) showToast(notices, 'This run was deleted.');
  };
  const day = new Date(sighting.at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return (
    <TextButton
      aria-label={`${label} on ${day}: show the run for ${abilityLabels[ability]}`}
      onClick={() => {
        onShow();
        reportFailure(notices, show());
      }}
    >
      {label} on {day}
    </TextButton>
  );
}
