import { Brain, CircleAlert, Image, Wrench, type LucideIcon } from 'lucide-react';
import { Fragment } from 'react';

import { abilitiesOf, type ModelMarks as Marks } from '../../conversation/setup/model-marks.ts';
import { usePrefs } from '../../state/react.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { ModelMarksMenu } from './model-marks-menu.tsx';
import { useModels } from './use-models.ts';

const noMarks: Marks = {};

/** Beside the picker: what the model can do, which a person can mark, or that the gateway does not list it. */
export function ModelMarks({ model: id }: { model: string }) {
  const { data } = useModels();
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const wasListed = usePrefs((state) => state.listedModels?.includes(id) ?? false);
  if (id === '') return null;
  const isListed = data?.models.some((model) => model.id === id) ?? false;
  const words = isListed ? undefined : modelMarkOf({ id, isListKnown: data !== undefined, wasListed });
  const can = abilitiesOf(id, marks, data?.models ?? []);
  const tags: { word: string; Icon: LucideIcon }[] = [
    ...(can.vision ? [{ word: 'vision', Icon: Image }] : []),
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
        <span className="model-note" title={words}>
          <CircleAlert className="icon-14" aria-hidden />
          <span>{words}</span>
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
