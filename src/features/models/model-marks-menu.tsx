import type { ReactNode } from 'react';

import {
  abilitiesOf,
  marksOf,
  withMark,
  type Ability,
  type ModelMarks,
} from '../../conversation/model-marks.ts';
import { usePlayground, usePrefs } from '../../state/react.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useModels } from './use-models.ts';

const none: ModelMarks = {};

/** What a person knows of a model: marks that are kept and outrank its record. */
export function ModelMarksMenu({ model: id, children }: { model: string; children: ReactNode }) {
  const { prefs } = usePlayground();
  const { data } = useModels();
  const marks = usePrefs((state) => state.modelMarks) ?? none;
  const can = abilitiesOf(id, marks, data?.models ?? []);
  const own = marksOf(marks, id);
  const choice = (label: string, ability: Ability, value: boolean): MenuItem => {
    const isMarked = own[ability] === value;
    const next = isMarked ? undefined : value;
    return {
      label,
      onPick: () => prefs.setState({ modelMarks: withMark(marks, id, ability, next) }),
      ...(isMarked ? { hint: 'marked, take back' } : can[ability] === value ? { hint: 'listed' } : {}),
    };
  };
  return (
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
      {children}
    </Menu>
  );
}
