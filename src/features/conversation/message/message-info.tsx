import { getSetupGatewayLabel } from '../../../conversation/reply/run-gateway.ts';
import { diffSetups } from '../../../conversation/session/setup-diff.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { pluralize } from '../../../lib/format.ts';
import { useLane, useView } from '../../../state/contexts.tsx';
import { Chip } from '../../../ui/display/tag.tsx';
import { useRunGatewayLabel } from '../../health/gateway-label.tsx';
import { useGatewayStatuses } from '../../health/use-status.ts';
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
  return (
    <>
      {changes.length > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-1 text-12 text-ink-3 normal-nums">
          <span>Made with</span>
          {changes.map((change) => (
            <Chip key={change} title={change} className="max-w-full overflow-hidden">
              {change}
            </Chip>
          ))}
        </p>
      )}
      {run.imagesLeftOut !== undefined && (
        <p className="mt-1.5 flex flex-wrap items-center gap-1 text-12 text-ink-3 normal-nums">
          Sent without {pluralize(run.imagesLeftOut, 'image')}: the model is marked or listed as text-only.
        </p>
      )}
    </>
  );
}
