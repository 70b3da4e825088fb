import { getRunGatewayLabel } from '../../conversation/reply/run-gateway.ts';
import type { Run } from '../../conversation/session/types.ts';
import { cn } from '../../ui/cn.ts';
import { useGatewayStatus, useGatewayStatuses } from './use-status.ts';

/** Name of a gateway on screen, by default of the first one; nothing if the server has only one gateway. */
export function GatewayLabel({ name, className }: { name: string | undefined; className?: string }) {
  const hasSeveralGateways = useGatewayStatuses().length > 1;
  const status = useGatewayStatus(name);
  if (!hasSeveralGateways) return null;
  return (
    <span className={cn('max-w-28 flex-none truncate text-12 text-ink-3', className)}>
      {status?.label ?? name}
    </span>
  );
}

/** Returns the name on screen of the gateway that answered, or "not recorded". */
export function useRunGatewayLabel(run: Run): string {
  return getRunGatewayLabel(run, useGatewayStatuses());
}
