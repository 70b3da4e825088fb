import { Fragment } from 'react';

import { getAbilities, type ModelMarks as Marks } from '../../conversation/setup/model-marks.ts';
import { findModel } from '../../gateway/models/model-record.ts';
import { usePrefs } from '../../state/use-playground.tsx';
import { classes } from '../../ui/cn.ts';
import { Tag } from '../../ui/display/tag.tsx';
import { Brain, CircleAlert, Image, Wrench, type IconComponent } from '../../ui/icons.tsx';
import { abilityWords } from './ability-labels.ts';
import { ModelMarksMenu } from './model-marks-menu.tsx';
import { useModels } from './use-models.ts';

/** The ID beside it keeps its room: these words are cut first. */
const noteLook = classes(
  'model-note flex min-w-3.5 flex-[0_999_auto] items-center gap-1.25 overflow-hidden',
  'text-12 whitespace-nowrap text-warn-ink',
);
const noMarks: Marks = {};

/** Beside the picker: what the model can do, which a person can mark, or that the gateway does not list it. */
export function ModelMarks({ model: id }: { model: string }) {
  const { data } = useModels();
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const wasListed = usePrefs((state) => state.listedModels?.includes(id) ?? false);
  if (id === '') return null;
  const listed = data && findModel(data.models, id);
  const shutdown = listed?.shutdownDate && `Shutdown on ${listed.shutdownDate}`;
  const words = listed ? shutdown : modelMarkOf({ id, isListKnown: data !== undefined, wasListed });
  const can = getAbilities(id, marks, data?.models ?? []);
  const tags: { word: string; Icon: IconComponent }[] = [
    ...(can.vision ? [{ word: abilityWords.vision, Icon: Image }] : []),
    ...(can.tools ? [{ word: 'tools', Icon: Wrench }] : []),
    ...(can.thinking ? [{ word: 'thinking', Icon: Brain }] : []),
  ];
  // What it can do, never what it cannot. In a narrow lane the icons alone are left.
  const none = can.vision === false ? 'text' : '?';
  const shown =
    tags.length === 0 ? (
      <Tag>{none}</Tag>
    ) : (
      tags.map(({ word, Icon }) => (
        <Fragment key={word}>
          <span className="flex" title={word}>
            <Tag>
              <Icon className="hidden icon-14 @max-[420px]/lane:block" aria-hidden />
              <span className="@max-[420px]/lane:hidden">{word}</span>
            </Tag>
          </span>{' '}
        </Fragment>
      ))
    );
  return (
    <>
      {words !== undefined && (
        <span className={noteLook} title={words}>
          <CircleAlert className="icon-14" aria-hidden />
          <span className="min-w-0 truncate">{words}</span>
        </span>
      )}
      <ModelMarksMenu model={id} words={tags.map(({ word }) => word).join(' ') || none}>
        {shown}
      </ModelMarksMenu>
    </>
  );
}

interface Facts {
  id: string;
  isListKnown: boolean;
  /** It stood in the list when an earlier request went to it. */
  wasListed: boolean;
}

/** The sentence for a model that the gateway does not list; undefined while that is not known. */
export function modelMarkOf({ id, isListKnown, wasListed }: Facts): string | undefined {
  if (id === '' || !isListKnown) return undefined;
  return wasListed
    ? 'No longer in the list. It may have been retired.'
    : 'Not listed by the gateway; sent anyway';
}
