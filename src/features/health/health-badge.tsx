import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import type { BadgeText } from '../../gateway/http/badge.ts';
import { lazyOverlay, lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { WifiOff } from '../../ui/icons.tsx';
import { GatewayLabel } from './gateway-label.tsx';
import { gatewayDetailsButton } from './health-focus-targets.ts';
import { useFocusedGateway } from './use-focused-gateway.ts';
import { useHealth } from './use-health.ts';
import { useGatewayStatuses } from './use-status.ts';

const GatewayDetailsPopover = lazyComponent(
  'Gateway details',
  async () => (await import('./gateway-details.tsx')).GatewayDetailsPopover,
  // Loaded first, because the details are needed when the server is unreachable.
  { loadTiming: 'first', fallback: null },
);

const GatewayCheckDialog = lazyOverlay(
  'The gateway check',
  async () => (await import('./gateway-check-dialog.tsx')).GatewayCheckDialog,
);

/** Gateway status as a word and a number; a click opens the details. */
export function HealthBadge() {
  const gatewayName = useFocusedGateway();
  const statuses = useGatewayStatuses();
  const health = useHealth(gatewayName);
  const [isOpen, setIsOpen] = useState(false);
  const [isCheckOpen, setCheckOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { badge, lastReading } = health;
  const shape = getLampShape(badge.text);
  const latencyMs = shape === 'filled' || shape === 'half' ? lastReading?.latencyMs : undefined;
  const isDemo = badge.text === 'Demo gateway';
  const isRejected = badge.text === 'Key rejected';

  return (
    <div className="relative flex h-7 items-center gap-2 text-12 whitespace-nowrap text-ink-2 max-phone:h-11 max-phone:min-w-11 max-phone:justify-center max-phone:px-2 max-phone:text-[13px] phone:max-tablet:min-w-0">
      <span
        id="gateway-health"
        className="flex items-center gap-2 phone:max-tablet:min-w-0"
        role="status"
        aria-live="off"
        aria-label="Gateway health"
      >
        {badge.text === 'Offline' ? (
          <WifiOff className="icon-14" aria-hidden />
        ) : isDemo ? null : (
          <i
            className={clsx(
              'block size-2 flex-none rounded-[2px] forced-colors:border forced-colors:border-[CanvasText]',
              shape === 'filled' &&
                'bg-ok forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none',
              shape === 'half' &&
                'bg-[linear-gradient(to_top,var(--warn-ink)_50%,transparent_50%)] inset-ring-[1.25px] inset-ring-warn-ink',
              shape === 'hollow' && 'inset-ring-[1.5px] inset-ring-err',
              shape === 'waiting' && 'inset-ring-[1.25px] inset-ring-edge',
            )}
            aria-hidden
          />
        )}
        {/* Fixed widths, so that a longer number or word does not move neighbouring elements. */}
        <span
          className={clsx(
            // The pill takes the room of the lamp, too.
            isDemo ? 'tablet:min-w-25' : 'min-w-21 phone:max-tablet:truncate',
            latencyMs !== undefined && !isDemo && 'max-phone:sr-only',
          )}
        >
          {/* The built-in gateway has the same name unless the operator has set another. */}
          {health.status?.label !== badge.text && (
            <GatewayLabel name={gatewayName} className={clsx(isDemo && 'max-phone:sr-only')} />
          )}{' '}
          {isDemo ? <DemoPill /> : badge.text}
        </span>
        {latencyMs !== undefined && (
          <span className="min-w-11.5 text-end text-ink-3 tabular-nums max-phone:leading-5 max-phone:normal-nums @max-4xl/page:hidden">
            {' '}
            {Math.round(latencyMs).toLocaleString('en')} ms
          </span>
        )}
        {statuses.map(({ name, label }) => {
          const isOther = statuses.length > 1 && name !== health.status?.name;
          return isOther && <OtherGateway key={name} name={name} label={label} />;
        })}
      </span>
      <button
        ref={button}
        type="button"
        className="absolute -inset-x-1.5 inset-y-0 rounded-2 hover:bg-ink/7 max-phone:inset-x-0"
        aria-label="Gateway details"
        aria-describedby="gateway-health"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...gatewayDetailsButton.attributes}
        onClick={() => setIsOpen(!isOpen)}
      />
      <span role="alert" className="sr-only">
        {isRejected ? 'The gateway rejected the key.' : ''}
      </span>
      {isOpen && (
        <GatewayDetailsPopover
          {...health}
          button={button}
          onClose={() => setIsOpen(false)}
          onCheck={() => {
            // The focus returns first, so that the dialog can return it to the button, too.
            button.current?.focus();
            setIsOpen(false);
            setCheckOpen(true);
          }}
        />
      )}
      {/* Rendered in the body: the bar is a banner landmark, which must not contain the header of a dialog. */}
      {isCheckOpen &&
        createPortal(
          <GatewayCheckDialog gatewayName={gatewayName} onClose={() => setCheckOpen(false)} />,
          document.body,
        )}
    </div>
  );
}

/** "Demo gateway" as a pill; narrow windows have room for its first word. */
function DemoPill() {
  return (
    <span className="rounded-full bg-sunken px-2 py-0.5 inset-ring inset-ring-line-2 forced-colors:border">
      Demo<span className="max-tablet:sr-only"> gateway</span>
    </span>
  );
}

interface OtherGatewayProps {
  name: string;
  label: string;
}

/** Problem of a gateway whose lane is not in focus; nothing while it works. */
function OtherGateway({ name, label }: OtherGatewayProps) {
  const { badge } = useHealth(name);
  const shape = getLampShape(badge.text);
  if (badge.text === 'Offline' || shape === 'filled' || shape === 'waiting') return null;
  return (
    <span className={shape === 'hollow' ? 'text-err-ink' : 'text-warn-ink'}>
      {' '}
      {label}: {badge.text}
    </span>
  );
}

/** The state is visible in the shape as well as in the colour: filled, half, hollow, or none yet. */
type LampShape = 'filled' | 'half' | 'hollow' | 'waiting';

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
