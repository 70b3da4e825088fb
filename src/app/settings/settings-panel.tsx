import { useId, useRef, useState } from 'react';

import type { Density, Theme } from '../../state/prefs-store.ts';
import { usePlayground, usePrefs } from '../../state/use-playground.tsx';
import { classes } from '../../ui/cn.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { X } from '../../ui/icons.tsx';
import { popoverLook } from '../../ui/overlays/popover.ts';
import { useOpenedPopover } from '../../ui/overlays/use-popover-on-mount.ts';
import { settingsButton, workspacesMenu } from '../page/app-focus-targets.ts';
import { RequestsAMinute } from './requests-per-minute.tsx';
import { SettingRow } from './setting-row.tsx';
import { StoredHere } from './stored-data-section.tsx';

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const densities: readonly { value: Density; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
];

const panelLook = classes(
  'max-h-[calc(100dvh-64px)] [scrollbar-width:thin] overflow-y-auto overscroll-contain px-5 pt-1 pb-4',
  'top-13 right-3 w-[min(400px,calc(100vw-24px))]',
  'max-phone:inset-x-0 max-phone:top-12 max-phone:max-h-[calc(100dvh-48px)] max-phone:w-screen',
);

/** The settings beside the page, which shows each change at once. Escape and a click outside close. */
export function SettingsPanel({ onClose }: { onClose: () => void }) {
  const { prefs } = usePlayground();
  const panel = useRef<HTMLDivElement>(null);
  useOpenedPopover(panel);
  const theme = usePrefs((state) => state.theme);
  const density = usePrefs((state) => state.density ?? 'compact');
  const readBySentence = usePrefs((state) => state.readBySentence === true);
  const singleKeys = usePrefs((state) => state.singleKeys);
  const [before] = useState(() => document.activeElement);

  // Not by hiding the popover: that gives the focus back while it is being hidden, and a tooltip cannot show then.
  const close = () => {
    onClose();
    queueMicrotask(() => {
      if (before instanceof HTMLElement && before !== document.body && before.checkVisibility())
        before.focus();
      else if (!settingsButton.focus()) workspacesMenu.focus();
    });
  };

  return (
    <div
      popover="auto"
      role="dialog"
      aria-label="Settings"
      tabIndex={-1}
      className={classes(popoverLook, panelLook)}
      ref={panel}
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
          choices={themes}
          onChange={(value) => prefs.setState({ theme: value })}
        />
      </SettingRow>
      <SettingRow name="Density" about="Comfortable: taller rows and larger text.">
        <Segmented
          label="Density"
          value={density}
          choices={densities}
          onChange={(value) => prefs.setState({ density: value })}
        />
      </SettingRow>
      <RequestsAMinute />
      <SwitchRow
        name="Read replies by sentence"
        about="For screen readers: reads each sentence in the focused lane as it arrives."
        checked={readBySentence}
        onChange={(checked) => prefs.setState({ readBySentence: checked })}
      />
      <SwitchRow
        name="Single-key shortcuts"
        about="Shortcuts without Ctrl, such as ?. Turn off if you dictate text."
        checked={singleKeys}
        onChange={(checked) => prefs.setState({ singleKeys: checked })}
      />
      <StoredHere />
    </div>
  );
}

interface SwitchRowProps {
  name: string;
  about: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function SwitchRow({ name, about, checked, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <SettingRow name={name} about={about} aboutId={id} inline>
      <Switch label={name} describedBy={id} checked={checked} onChange={onChange} />
    </SettingRow>
  );
}
