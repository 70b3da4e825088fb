import { useRef, useState, type ReactNode } from 'react';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { ButtonElement } from '../../ui/controls/button-element.tsx';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';

const ModelMarksPanel = lazyComponent(
  'The model capabilities',
  async () => (await import('./model-marks-panel.tsx')).ModelMarksPanel,
  { fallback: null },
);

interface ModelMarksButtonProps {
  choice: ModelChoice;
  /** Label of the button, which is also part of its accessible name. */
  label: string;
  children: ReactNode;
}

/** Capabilities of a model; a click opens the panel that shows where they come from and changes them. */
export function ModelMarksButton({ choice, label, children }: ModelMarksButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <ButtonElement
        ref={button}
        type="button"
        // Phones show this in the picker.
        className="inline-flex min-h-6 flex-none items-center gap-1 rounded-2 px-0.75 hover:bg-hover max-phone:hidden"
        aria-label={`Model capabilities: ${label}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </ButtonElement>
      {isOpen && <ModelMarksPanel choice={choice} button={button} onClose={() => setIsOpen(false)} />}
    </>
  );
}
