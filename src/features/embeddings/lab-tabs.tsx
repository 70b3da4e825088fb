import { useRef, type KeyboardEvent } from 'react';

import type { LabTab } from '../../state/lab/lab-state.ts';
import { useLab } from './hooks/use-lab.ts';

const labels: Record<LabTab, string> = {
  overview: 'Overview',
  texts: 'Texts',
  map: 'Map',
  similarity: 'Similarity',
  nearest: 'Nearest',
  dimensions: 'Dimensions',
  compare: 'Compare',
  wire: 'Wire',
};

interface LabTabsProps {
  tabs: readonly LabTab[];
  shown: LabTab;
  panelId: string;
}

/** The views of the lab: one tab stop, arrows choose. */
export function LabTabs({ tabs, shown, panelId }: LabTabsProps) {
  const { show } = useLab();
  const buttons = useRef<Partial<Record<LabTab, HTMLButtonElement | null>>>({});
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(shown);
    const places: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const next = tabs[(place + tabs.length) % tabs.length] ?? shown;
    show(next);
    buttons.current[next]?.focus();
  };
  return (
    <div className="lab-tabs" role="tablist" tabIndex={-1} aria-label="Views" onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          ref={(button) => {
            buttons.current[tab] = button;
          }}
          type="button"
          role="tab"
          id={`${panelId}-${tab}`}
          aria-selected={tab === shown}
          aria-controls={panelId}
          tabIndex={tab === shown ? 0 : -1}
          onClick={() => show(tab)}
        >
          {labels[tab]}
        </button>
      ))}
    </div>
  );
}
