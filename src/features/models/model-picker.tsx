import type { ModelChoice } from '../../conversation/session/types.ts';
import type { FocusTarget } from '../../ui/focus/focus-target.ts';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { ModelId } from './model-id.tsx';
import type { PickerKind } from './picker-options.ts';

export interface ModelPickerProps {
  /** Current model; its ID is empty if none is selected. */
  value: ModelChoice;
  /** `isAlternate` is true if Ctrl or Cmd was held. */
  onPick: (choice: ModelChoice, isAlternate: boolean) => void;
  kind: PickerKind;
  /** Accessible name. */
  label?: string;
  /** Focus target of the field. */
  focusTarget?: FocusTarget;
  /** True to take the focus and open the list when mounted. */
  startsOpen?: boolean;
  /** Selector of the surrounding element that the list is aligned with in narrow windows. */
  listBeside?: string;
}

/**
 * Selects a model from the lists of all gateways, or any typed ID of the current gateway. Its code loads after the first paint, like that of every
 * popup; until then the field is only drawn.
 */
export const ModelPicker = lazyComponent<ModelPickerProps>(
  'The model picker',
  async () => (await import('./model-picker-field.tsx')).ModelPickerField,
  {
    loadTiming: 'first',
    fallback: ({ value: { model } }) => (
      <span
        className="model-picker combo relative inline-flex h-7 max-w-full min-w-0 items-center font-sans text-[14px] leading-5 font-550 tracking-[-0.003em] whitespace-nowrap"
        aria-hidden
      >
        <span className="shown block truncate py-1 pr-5 pl-1.75 pointer-coarse:text-[16px]">
          {model === '' ? <span className="text-ink-3">Choose a model</span> : <ModelId id={model} />}
        </span>
      </span>
    ),
  },
);
