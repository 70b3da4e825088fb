import { WifiOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import type { BadgeText } from '../../gateway/http/badge.ts';
import { classes } from '../../ui/classes.ts';
import { lazyOverlay, lazyView } from '../../ui/hooks/lazy-view.tsx';
import { placeBeside } from '../../ui/overlays/place-beside.ts';
import { popoverLook } from '../../ui/overlays/popover.ts';
import { useHealth } from './use-health.ts';

import './health.css';

const GatewayDetails = lazyView(
  'The details of the gateway',
  async () => (await import('./gateway-details.tsx')).GatewayDetails,
  // What they say is wanted when the server can no longer be reached.
  { fetch: 'first' },
);

const GatewayCheckDialog = lazyOverlay(
  'The check of the gateway',
  async () => (await import('./gateway-check.tsx')).GatewayCheckDialog,
);

/** How the gateway does, in a word and a number; a click shows what that rests on. */
export function HealthBadge() {
  const health = useHealth();
  const [open, setOpen] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const { badge, last } = health;
  const shape = lampShapeOf(badge.text);
  const isAnswering = shape === 'filled' || shape === 'half';
  const rejected = badge.text === 'Key rejected';

  return (
    <div className="health">
      <span id="gateway-health" role="status" aria-live="off" aria-label="Gateway health">
        {badge.text === 'Offline' ? (
          <WifiOff className="icon-14" aria-hidden />
        ) : (
          <i className={`hl ${shape}`} aria-hidden />
        )}
        <span className="word">{badge.text}</span>
        {isAnswering && last && (
          <span className="num tabular-nums"> {Math.round(last.latencyMs).toLocaleString('en')} ms</span>
        )}
      </span>
      <button
        ref={button}
        type="button"
        className="health-b"
        aria-label="Gateway details"
        aria-describedby="gateway-health"
        aria-haspopup="dialog"
        aria-expanded={open}
        popoverTarget="gateway-details"
      />
      <span role="alert" className="sr-only">
        {rejected ? 'The gateway does not accept this key.' : ''}
      </span>
      <div
        ref={details}
        id="gateway-details"
        popover="auto"
        role="dialog"
        aria-label="Gateway details"
        tabIndex={-1}
        className={classes('gw', popoverLook)}
        onToggle={(event) => {
          const isOpen = event.newState === 'open';
          setOpen(isOpen);
          if (!isOpen || !button.current || !details.current) return;
          placeBeside(button.current, details.current, 'end');
          details.current.focus();
        }}
      >
        {open && (
          <GatewayDetails
            {...health}
            onCheck={() => {
              // It gives the focus back first, so that the dialog does, too.
              details.current?.hidePopover();
              setChecked(true);
            }}
          />
        )}
      </div>
      {/* The bar is a banner, which cannot contain the header of a dialog. */}
      {isChecked && createPortal(<GatewayCheckDialog onClose={() => setChecked(false)} />, document.body)}
    </div>
  );
}

/** The lamp says it by its shape before its colour: filled, half, hollow, or none yet. */
type LampShape = 'filled' | 'half' | 'hollow' | 'waiting';

const shapes: Record<BadgeText, LampShape> = {
  'Gateway up': 'filled',
  'Demo gateway': 'filled',
  'Gateway slow': 'half',
  'Gateway degraded': 'half',
  'Gateway down': 'hollow',
  'Key rejected': 'hollow',
  Offline: 'hollow',
  Checking: 'waiting',
};

function lampShapeOf(text: BadgeText): LampShape {
  return shapes[text];
}
