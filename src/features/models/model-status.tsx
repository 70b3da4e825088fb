import { clsx } from 'clsx';
import { Fragment } from 'react';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { getDeclaredAbilities, type ModelMarks as Marks } from '../../conversation/setup/model-marks.ts';
import { findModel } from '../../gateway/models/model-record.ts';
import { useAppServices, usePrefs } from '../../state/contexts.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { Brain, CircleAlert, FileText, type IconComponent, Image, Volume2, Wrench } from '../../ui/icons.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { abilityLabels } from './ability-labels.ts';
import { ModelMarksButton } from './model-marks-button.tsx';
import { useModels } from './use-models.ts';

const noMarks: Marks = {};

/**
 * Abilities of the model beside the picker, with a panel to mark them. If the gateway does not list the model, a note
 * instead.
 */
export function ModelStatus({ choice }: { choice: ModelChoice }) {
  const { model: id, gateway } = choice;
  const { gateways } = useAppServices();
  const { data } = useModels(gateway);
  const key = gateways.getModelKey(choice);
  const isGatewayUnknown = useGatewayStatuses().length > 0 && gateways.isUnknown(gateway);
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const wasListed = usePrefs((state) => state.listedModels?.includes(key) ?? false);
  if (id === '') return null;
  const listedModel = data && findModel(data.models, id);
  const shutdownNote = listedModel?.shutdownDate && `Shuts down on ${listedModel.shutdownDate}`;
  const note = isGatewayUnknown
    ? `This server has no gateway named ${gateway}. Choose another model.`
    : listedModel
      ? shutdownNote
      : describeUnlistedModel({ id, isListKnown: data !== undefined, wasListed });
  const abilities = getDeclaredAbilities(key, marks, listedModel);
  const tags: { label: string; Icon: IconComponent }[] = [
    ...(abilities.vision ? [{ label: abilityLabels.vision, Icon: Image }] : []),
    ...(abilities.files ? [{ label: abilityLabels.files, Icon: FileText }] : []),
    ...(abilities.audio ? [{ label: abilityLabels.audio, Icon: Volume2 }] : []),
    ...(abilities.tools ? [{ label: 'tools', Icon: Wrench }] : []),
    ...(abilities.thinking ? [{ label: 'reasoning', Icon: Brain }] : []),
  ];
  // Shows abilities that the model has, not those that it lacks. Narrow lanes show only icons.
  const fallbackLabel = abilities.vision === false ? 'text' : '?';
  const content =
    tags.length === 0 ? (
      <Tag>{fallbackLabel}</Tag>
    ) : (
      tags.map(({ label, Icon }) => (
        <Fragment key={label}>
          <span className="flex" title={label}>
            <Tag>
              <Icon className="hidden icon-14 @max-[420px]/lane:block" aria-hidden />
              <span className="@max-[420px]/lane:hidden">{label}</span>
            </Tag>
          </span>{' '}
        </Fragment>
      ))
    );
  return (
    <>
      {note !== undefined && (
        <span
          className={clsx(
            'model-note flex min-w-3.5 flex-[0_999_auto] items-center gap-1.25 overflow-hidden',
            'max-phone:in-[.lane-header]:absolute max-phone:in-[.lane-header]:inset-[auto_16px_5px]',
            'phone:in-data-[layout=many-lanes]:absolute phone:in-data-[layout=many-lanes]:inset-[auto_16px_7px]',
            'low:in-data-[layout=many-lanes]:static',
            'text-12 whitespace-nowrap text-warn-ink',
          )}
          title={note}
        >
          <CircleAlert className="icon-14" aria-hidden />
          <span className="min-w-0 truncate">{note}</span>
        </span>
      )}
      <ModelMarksButton
        choice={choice}
        label={
          tags.map(({ label }) => label).join(' ') || (fallbackLabel === '?' ? 'unknown' : fallbackLabel)
        }
      >
        {content}
      </ModelMarksButton>
    </>
  );
}

interface UnlistedModelInput {
  id: string;
  isListKnown: boolean;
  /** True if the model was listed when an earlier request was sent to it. */
  wasListed: boolean;
}

/** Describes a model that the gateway does not list; `undefined` while the list is unknown. */
export function describeUnlistedModel({
  id,
  isListKnown,
  wasListed,
}: UnlistedModelInput): string | undefined {
  if (id === '' || !isListKnown) return undefined;
  return wasListed
    ? 'No longer listed. It may have been retired.'
    : 'Not listed by the gateway. Requests are sent anyway.';
}
