import { Code, Plus, X } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TierMark } from '../../ui/display/tier-mark.tsx';
import { ModelPicker } from '../models/model-picker.tsx';
import { ExportMenu } from './export-menu.tsx';
import { useControlState, useLabControl } from './hooks/use-lab-control.ts';
import { useLab } from './hooks/use-lab.ts';
import { LabFacts } from './lab-facts.tsx';
import { DimensionsField } from './texts/dimensions-field.tsx';
import { EmbedButton } from './texts/embed-button.tsx';

const formats = [
  { value: 'base64', label: 'base64', note: '3 to 4 times smaller' },
  { value: 'float', label: 'float' },
] as const;

/** Which model, how it is asked, and the one button that spends. `isShort`: only the model and the button. */
export function LabBar({ isShort }: { isShort: boolean }) {
  const { edit } = useLabControl();
  const { store } = useLab();
  const models = useControlState((state) => state.input.models);
  const format = useControlState((state) => state.input.format);
  const [asksForSecond, setAsksForSecond] = useState(false);
  const hasSecond = asksForSecond || models.B !== '';

  return (
    <div className="bar">
      <div className="bar-rest">
        <h1>Embeddings</h1>
        <span className="sep" />
        <ModelPicker value={models.A} onPick={(A) => edit({ models: { ...models, A } })} kind="embedding" />
        {hasSecond ? (
          <span className="lab-field">
            <span className="mut">vs.</span>
            <ModelPicker
              label="Second model"
              value={models.B}
              onPick={(B) => edit({ models: { ...models, B } })}
              kind="embedding"
            />
            <IconButton
              size="small"
              label="Remove second model"
              onClick={() => {
                setAsksForSecond(false);
                edit({ models: { ...models, B: '' } });
              }}
            >
              <X className="i s" aria-hidden />
            </IconButton>
          </span>
        ) : (
          <IconButton label="Compare with another model" onClick={() => setAsksForSecond(true)}>
            <Plus className="i s" aria-hidden />
          </IconButton>
        )}
        {!isShort && (
          <>
            <span className="sep" />
            <DimensionsField />
            <span className="lab-field">
              <span className="mono">encoding_format</span>
              <TierMark fill="half" label="documented" />
              <Select
                label="encoding_format"
                value={format}
                options={formats}
                onChange={(next) => edit({ format: next })}
              />
            </span>
            <span className="grow" />
            <LabFacts />
            <Button look="quiet" onClick={() => store.setState({ tab: 'wire' })}>
              <Code className="i s" aria-hidden />
              Get code
            </Button>
          </>
        )}
        <ExportMenu />
      </div>
      <EmbedButton />
    </div>
  );
}
