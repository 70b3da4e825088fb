import { CircleAlert } from 'lucide-react';

import { usePrefs } from '../../state/react.tsx';
import { modelMarkOf } from './model-mark.ts';
import { ModelAbilityTags } from './model-row.tsx';
import { useModels } from './use-models.ts';

/** Beside the picker: what the model says it can do, or that the gateway does not list it. */
export function ModelMarks({ model: id }: { model: string }) {
  const { data } = useModels();
  const wasUsed = usePrefs((state) => state.recentModels.includes(id));
  const model = data?.models.find((candidate) => candidate.id === id);
  if (model) return <ModelAbilityTags model={model} />;
  const words = modelMarkOf({ id, isListKnown: data !== undefined, wasUsed });
  if (words === undefined) return null;
  return (
    <span className="model-note">
      <CircleAlert className="i s" aria-hidden />
      {words}
    </span>
  );
}
