import { useAppServices, useSession, useView } from '../../state/contexts.tsx';
import { useGatewayStatuses } from './use-status.ts';

/**
 * Returns the name of the gateway of the lane in focus, by default of the first lane. Undefined for the first gateway,
 * and for a name that the server does not have.
 */
export function useFocusedGateway(): string | undefined {
  const { gateways } = useAppServices();
  useGatewayStatuses();
  const focusedLaneId = useView((view) => view.focusedLaneId);
  const name = useSession(({ session, lanes }) => {
    const laneId = session.laneIds.find((id) => id === focusedLaneId) ?? session.laneIds[0];
    return lanes[laneId ?? '']?.setup.gateway;
  });
  return gateways.isUnknown(name) ? undefined : name;
}
