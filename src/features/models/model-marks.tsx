import { CircleAlert } from 'lucide-react';

import { abilitiesOf, marksOf, withMark, type Ability, type ModelMarks as Marks } from '../../conversation/model-marks.ts';
import { usePlayground, usePrefs } from '../../state/react.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Tag } from '../../ui/tag.tsx';
import { modelMarkOf } from './model-mark.ts';
import { useModels } from './use-models.ts';

const none: Marks = {};

/** Beside the picker: what the model can do, marked by the person where the list is silent or wrong, or that it is not listed. */
export function ModelMarks({ model: id }: { model: string }) {
  const { prefs } = usePlayground();
  const { data } = useModels();
  const marks = usePrefs((state) => state.modelMarks) ?? none;
  const wasUsed = usePrefs((state) => state.recentModels.includes(id));
  if (id === '') return null;
  const isListed = data?.models.some((model) => model.id === id) ?? false;
  const words = isListed ? undefined : modelMarkOf({ id, isListKnown: data !== undefined, wasUsed });
  const can = abilitiesOf(id, marks, data?.models ?? []);
  const own = marksOf(marks, id);
  const set = (ability: Ability, value: boolean | undefined) =>
    prefs.setState({ modelMarks: withMark(marks, id, ability, value) });
  const choice = (label: string, ability: Ability, value: boolean): MenuItem => ({
    label,
    onPick: () => set(ability, own[ability] === value ? undefined : value),
    ...(own[ability] === value ? { hint: 'marked, take back' } : can[ability] === value ? { hint: 'listed' } : {}),
  });
  const tags = [
    ...(can.vision ? ['vision'] : can.vision === false ? ['text-only'] : []),
    ...(can.tools ? ['tools'] : []),
    ...(can.thinking ? ['thinking'] : []),
  ];
  return (
    <>
      {words !== undefined && (
        <span className="model-note">
          <CircleAlert className="i s" aria-hidden />
          {words}
        </span>
      )}
      <Menu
        label="What the model can do"
        className="model-marks"
        placement="start"
        items={[
          choice('Takes images', 'vision', true),
          choice('Text-only', 'vision', false),
          { ...choice('Calls tools', 'tools', true), startsGroup: true },
          choice('Calls no tools', 'tools', false),
          { ...choice('Thinks', 'thinking', true), startsGroup: true },
          choice('Does not think', 'thinking', false),
        ]}
      >
        {tags.length === 0 ? <Tag>?</Tag> : tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}
      </Menu>
    </>
  );
}
