import { X } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';

import type { Density, Theme } from '../../state/prefs-store.ts';
import { usePlayground, usePrefs } from '../../state/react.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { useOpenedPopover } from '../../ui/overlays/use-opened-popover.ts';
import { settingsButton, workspacesMenu } from '../page/places.ts';
import { RequestsAMinute } from './requests-per-minute.tsx';
import { StoredHere } from './stored-here.tsx';

import './settings.css';

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const densities: readonly { value: Density; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
];

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
      className="pop set"
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
      <div className="set-h">
        <h2>Settings</h2>
        <span className="grow" />
        <IconButton label="Close" onClick={close}>
          <X className="i" aria-hidden />
        </IconButton>
      </div>
      <Row name="Theme">
        <Segmented
          label="Theme"
          value={theme}
          choices={themes}
          onChange={(value) => prefs.setState({ theme: value })}
        />
      </Row>
      <Row name="Density" about="Comfortable: taller rows and larger text.">
        <Segmented
          label="Density"
          value={density}
          choices={densities}
          onChange={(value) => prefs.setState({ density: value })}
        />
      </Row>
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

function Row({ name, about, children }: { name: string; about?: string; children: ReactNode }) {
  return (
    <div className="set-r">
      <span className="set-n">{name}</span>
      {children}
      {about && <p>{about}</p>}
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
    <div className="set-r">
      <span className="set-n" aria-hidden>
        {name}
      </span>
      <Switch label={name} describedBy={id} checked={checked} onChange={onChange} />
      <p id={id}>{about}</p>
    </div>
  );
}
