import { useRef, type KeyboardEvent } from 'react';

import type { InspectorTab } from '../../../state/runs/inspector.ts';

export const inspectorTabs: readonly { value: InspectorTab; label: string }[] = [
  { value: 'events', label: 'Events' },
  { value: 'request', label: 'Request and code' },
  { value: 'response', label: 'Response' },
];

interface InspectorTabsProps {
  tab: InspectorTab;
  panelId: string;
  onChange: (tab: InspectorTab) => void;
}

/** The tabs of the inspector: one tab stop, arrows choose. */
export function InspectorTabs({ tab, panelId, onChange }: InspectorTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    if (step === 0) return;
    event.preventDefault();
    // Left and right are also the keys of the list of events, where they fold.
    event.stopPropagation();
    const at = inspectorTabs.findIndex(({ value }) => value === tab);
    const next = (at + step + inspectorTabs.length) % inspectorTabs.length;
    onChange(inspectorTabs[next]?.value ?? tab);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={list} className="seg" role="tablist" tabIndex={-1} aria-label="Views" onKeyDown={onKeyDown}>
      {inspectorTabs.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          role="tab"
          id={`${panelId}-${value}`}
          aria-selected={value === tab}
          aria-controls={panelId}
          tabIndex={value === tab ? 0 : -1}
          onClick={() => onChange(value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
