import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';

import { getSetupGatewayLabel } from '../../../conversation/reply/run-gateway.ts';
import { diffSetups } from '../../../conversation/session/setup-diff.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { getSystemKey } from '../../../conversation/setup/setup.ts';
import { pluralize } from '../../../lib/format.ts';
import { useLane, useView } from '../../../state/contexts.tsx';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { Chip, chipVariants } from '../../../ui/display/tag.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { Clock } from '../../../ui/late-icons.tsx';
import { useRunGatewayLabel } from '../../health/gateway-label.tsx';
import { useGatewayStatuses } from '../../health/use-status.ts';
import { systemPrompt } from '../../workspace/playground-focus-targets.ts';
import { useSystemPromptLanes } from '../shared-system-prompt.ts';
import { SystemPromptHistory } from '../system-prompt-history.tsx';

/**
 * Setup used for this answer, if the lane's setup has changed since, and the parts of the conversation that were not
 * sent.
 */
export function MessageInfo({ turn, run }: { turn: Turn; run: Run }) {
  const setup = useLane(turn.laneId)?.setup;
  const namesHidden = useView((view) => view.namesHidden);
  const gatewayLabel = useRunGatewayLabel(run);
  const gateways = useGatewayStatuses();
  const setupDiff = setup && diffSetups(run.setup, setup);
  const differsInGateway =
    setup !== undefined &&
    run.gateway !== undefined &&
    gatewayLabel !== getSetupGatewayLabel(setup, gateways);
  const changes = namesHidden
    ? []
    : [
        ...(setupDiff?.model === undefined ? [] : [setupDiff.model]),
        ...(differsInGateway ? [`gateway ${gatewayLabel}`] : []),
        ...(setupDiff?.changes ?? []),
      ];
  const hasOtherSystem = !namesHidden && setupDiff?.hasOtherSystem === true;
  return (
    <>
      {(changes.length > 0 || hasOtherSystem) && (
        <div className="mt-1.5 flex flex-wrap items-center gap-1 text-12 text-ink-3 normal-nums">
          <span>Made with</span>
          {changes.map((change) => (
            <Chip key={change} title={change} className="max-w-full overflow-hidden">
              {change}
            </Chip>
          ))}
          {hasOtherSystem && <OlderPromptButton turn={turn} run={run} />}
        </div>
      )}
      {run.imagesLeftOut !== undefined && (
        <Remark>
          Sent without {pluralize(run.imagesLeftOut, 'image')}: the model is marked or listed as text-only.
        </Remark>
      )}
      {run.filesLeftOut !== undefined && (
        <Remark>
          Sent without {pluralize(run.filesLeftOut, 'file')}: the model is marked or listed as not accepting
          this kind.
        </Remark>
      )}
    </>
  );
}

function Remark({ children }: { children: ReactNode }) {
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-1 text-12 text-ink-3 normal-nums">{children}</p>
  );
}

/** Opens the history at the system prompt of this answer. */
function OlderPromptButton({ turn, run }: { turn: Turn; run: Run }) {
  const laneIds = useSystemPromptLanes(turn.laneId);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <ButtonElement
        type="button"
        className={clsx(chipVariants(), 'font-sans hover:bg-hover hover:text-ink max-phone:h-9')}
        {...getNextFocusAttributes(systemPrompt)}
        onClick={() => setIsOpen(true)}
      >
        <Clock className="icon-14" aria-hidden />
        {run.setup.system.trim() === '' ? 'No system prompt' : 'Older system prompt'}
      </ButtonElement>
      {isOpen && (
        <SystemPromptHistory
          laneIds={laneIds}
          initialKey={getSystemKey(run.setup)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
