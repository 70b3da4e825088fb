import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import type { BadgeText } from '../../gateway/http/badge.ts';
import { lazyOverlay, lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { WifiOff } from '../../ui/icons.tsx';
import { anchorPopover } from '../../ui/overlays/anchor-popover.ts';
import { popoverLook } from '../../ui/overlays/popover.ts';
import { useHealth } from './use-health.ts';

const GatewayDetails = lazyComponent(
  'Gateway details',
  async () => (await import('./gateway-details.tsx')).GatewayDetails,
  // Loaded first, because the details are needed when the server is unreachable.
  { loadTiming: 'first' },
);

const GatewayCheckDialog = lazyOverlay(
  'The gateway check',
  async () => (await import('./gateway-check-dialog.tsx')).GatewayCheckDialog,
);

const badgeLook = clsx(
  'relative flex h-7 items-center gap-2 text-12 whitespace-nowrap text-ink-2 phone:max-tablet:min-w-0',
  'max-phone:h-11 max-phone:min-w-11 max-phone:justify-center max-phone:px-2 max-phone:text-[13px]',
);
const latencyLook = clsx(
  'min-w-11.5 text-end text-ink-3 tabular-nums max-phone:leading-5 max-phone:normal-nums',
  'max-[400px]:hidden phone:max-[800px]:hidden',
);
const lampLook = clsx(
  'block size-2 flex-none rounded-[2px] forced-colors:border forced-colors:border-[CanvasText]',
);
const detailsLook = clsx(
  'max-h-[min(620px,calc(100dvh-72px))] w-[min(380px,calc(100vw-16px))] overflow-y-auto px-4 pt-3 pb-4 outline-none',
  'max-phone:inset-[52px_8px_auto] max-phone:m-0 max-phone:max-h-[calc(100dvh-68px)] max-phone:w-auto',
  'max-phone:[position-area:none]',
);

/** Gateway status as a word and a number; a click opens the details. */
export function HealthBadge() {
  const health = useHealth();
  const [open, setOpen] = useState(false);
  const [isCheckOpen, setCheckOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const { badge, lastReading } = health;
  const shape = getLampShape(badge.text);
  const latencyMs = shape === 'filled' || shape === 'half' ? lastReading?.latencyMs : undefined;
  const isRejected = badge.text === 'Key rejected';

  return (
    <div className={badgeLook}>
      <span
        id="gateway-health"
        className="flex items-center gap-2 phone:max-tablet:min-w-0"
        role="status"
        aria-live="off"
        aria-label="Gateway health"
      >
        {badge.text === 'Offline' ? (
          <WifiOff className="icon-14" aria-hidden />
        ) : (
          <i className={clsx(lampLook, lampLooks[shape])} aria-hidden />
        )}
        {/* Fixed widths, so that a longer number or word does not move neighbouring elements. */}
        <span
          className={clsx(
            'min-w-21 phone:max-tablet:truncate',
            latencyMs !== undefined && 'max-phone:sr-only',
          )}
        >
          {badge.text}
        </span>
        {latencyMs !== undefined && (
          <span className={latencyLook}> {Math.round(latencyMs).toLocaleString('en')} ms</span>
        )}
      </span>
      <button
        ref={button}
        type="button"
        className="absolute -inset-x-1.5 inset-y-0 rounded-2 hover:bg-ink/7 max-phone:inset-x-0"
        aria-label="Gateway details"
        aria-describedby="gateway-health"
        aria-haspopup="dialog"
        aria-expanded={open}
        popoverTarget="gateway-details"
      />
      <span role="alert" className="sr-only">
        {isRejected ? 'The gateway rejected the key.' : ''}
      </span>
      <div
        ref={details}
        id="gateway-details"
        popover="auto"
        role="dialog"
        aria-label="Gateway details"
        tabIndex={-1}
        className={clsx(popoverLook, detailsLook)}
        onToggle={(event) => {
          const isOpen = event.newState === 'open';
          setOpen(isOpen);
          if (!isOpen || !button.current || !details.current) return;
          anchorPopover(button.current, details.current, 'end');
          details.current.focus();
        }}
      >
        {open && (
          <GatewayDetails
            {...health}
            onCheck={() => {
              // Hiding the popover first returns the focus to the button, so that the dialog can return it there too.
              details.current?.hidePopover();
              setCheckOpen(true);
            }}
          />
        )}
      </div>
      {/* Rendered in the body: the bar is a banner landmark, which must not contain the header of a dialog. */}
      {isCheckOpen && createPortal(<GatewayCheckDialog onClose={() => setCheckOpen(false)} />, document.body)}
    </div>
  );
}

/** Lamp styles. The state is visible in the shape as well as in the colour: filled, half, hollow, or none yet. */
const lampLooks = {
  filled: 'bg-ok forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none',
  half: clsx(
    'bg-[linear-gradient(to_top,var(--warn-ink)_50%,transparent_50%)]',
    'inset-ring-[1.25px] inset-ring-warn-ink',
  ),
  hollow: 'inset-ring-[1.5px] inset-ring-err',
  waiting: 'inset-ring-[1.25px] inset-ring-edge',
};
type LampShape = keyof typeof lampLooks;

const lampShapes: Record<BadgeText, LampShape> = {
  'Gateway up': 'filled',
  'Demo gateway': 'filled',
  'Gateway slow': 'half',
  'Gateway degraded': 'half',
  'Gateway down': 'hollow',
  'Key rejected': 'hollow',
  Offline: 'hollow',
  Checking: 'waiting',
};

function getLampShape(text: BadgeText): LampShape {
  return lampShapes[text];
}
