import { clsx } from 'clsx';
import { useId, useState } from 'react';

import { usePrefs, useAppServices } from '../../state/contexts.tsx';
import type { Density, Theme } from '../../state/prefs-store.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { X } from '../../ui/icons.tsx';
import { settingsButton, workspacesMenu } from '../page/app-focus-targets.ts';
import { RequestsPerMinute } from './requests-per-minute.tsx';
import { SettingRow } from './setting-row.tsx';
import { StoredDataSection } from './stored-data-section.tsx';

const themeChoices: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const densityChoices: readonly { value: Density; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
];

/** Shows the panel in the top layer, with the focus inside. */
function showWithFocus(panel: HTMLElement | null): void {
  panel?.showPopover();
  panel?.focus();
}

/** The settings panel beside the page, which shows each change immediately. Escape and a click outside close it. */
export function SettingsPanel({ onClose }: { onClose: () => void }) {
  const { prefs } = useAppServices();
  const theme = usePrefs((state) => state.theme);
  const density = usePrefs((state) => state.density ?? 'compact');
  const readBySentence = usePrefs((state) => state.readBySentence === true);
  const singleKeys = usePrefs((state) => state.singleKeys);
  const [previousFocus] = useState(() => document.activeElement);

  // Hiding the popover would restore focus while it is being hidden, when a tooltip cannot open.
  const close = () => {
    onClose();
    queueMicrotask(() => {
      if (
        previousFocus instanceof HTMLElement &&
        previousFocus !== document.body &&
        previousFocus.checkVisibility()
      )
        previousFocus.focus();
      else if (!settingsButton.focus()) workspacesMenu.focus();
    });
  };

  return (
    <div
      popover="auto"
      role="dialog"
      aria-label="Settings"
      tabIndex={-1}
      className={clsx(
        'fixed inset-auto top-14 right-3 w-[min(400px,calc(100vw-24px))] rounded-3 border border-line-2 bg-raised px-5 pt-1 pb-4',
        'max-h-[calc(100dvh-64px)] [scrollbar-width:thin] overflow-y-auto overscroll-contain text-left font-sans text-13',
        'tracking-[0.004em] whitespace-normal text-ink normal-nums shadow-e-2 open:animate-rise',
        'max-phone:inset-x-0 max-phone:top-13 max-phone:max-h-[calc(100dvh-52px)] max-phone:w-screen',
      )}
      ref={showWithFocus}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onToggle={(event) => {
        if (event.newState === 'closed' && event.target === event.currentTarget) onClose();
      }}
    >
      <div className="mt-2 -mr-2 mb-1 flex items-center">
        <h2 className="flex-1 text-18 tracking-[-0.008em]">Settings</h2>
        <IconButton label="Close" onClick={close}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </div>
      <SettingRow name="Theme">
        <Segmented
          label="Theme"
          value={theme}
          choices={themeChoices}
          onChange={(value) => prefs.setState({ theme: value })}
        />
      </SettingRow>
      <SettingRow name="Density" description="Comfortable has taller rows and larger text.">
        <Segmented
          label="Density"
          value={density}
          choices={densityChoices}
          onChange={(value) => prefs.setState({ density: value })}
        />
      </SettingRow>
      <RequestsPerMinute />
      <SwitchRow
        name="Read replies sentence by sentence"
        description="Screen readers announce each sentence in the focused lane as it arrives."
        checked={readBySentence}
        onChange={(checked) => prefs.setState({ readBySentence: checked })}
      />
      <SwitchRow
        name="Single-key shortcuts"
        description="Shortcuts without Ctrl, such as “?”. Turn them off if you use dictation."
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      <StoredDataSection />
    </div>
  );
}

interface SwitchRowProps {
  name: string;
  description: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function SwitchRow({ name, description, checked, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <SettingRow name={name} description={description} descriptionId={id} inline>
      <Switch label={name} describedBy={id} checked={checked} onChange={onChange} />
    </SettingRow>
  );
}
