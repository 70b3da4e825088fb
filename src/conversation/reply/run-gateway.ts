import { onlyGatewayName } from '../../lib/gateway-variables.ts';
import type { Run, Setup } from '../session/types.ts';

/** Names of a gateway of the server. */
export interface GatewayName {
  /** Name in setups and runs. */
  name: string;
  /** Name on screen. */
  label: string;
  /** ID that runs store; empty if the server reports none. */
  id: string;
  host: string;
}

/** Text for the gateway of a run from before gateways had names. */
const notRecordedLabel = 'not recorded';

/**
 * Returns the name on screen of the gateway that answered. A run of the only gateway says so only while that gateway has
 * the same address.
 */
export function getRunGatewayLabel(
  { gateway, gatewayId }: Pick<Run, 'gateway' | 'gatewayId'>,
  gateways: readonly GatewayName[],
): string {
  if (gateway === undefined) return notRecordedLabel;
  const sameIdGateways = gateways.filter(({ id }) => id !== '' && id === gatewayId);
  const current = sameIdGateways.find(({ name }) => name === gateway) ?? sameIdGateways[0];
  if (current) return current.label;
  return gateway === onlyGatewayName ? 'another gateway' : gateway;
}

/** Replaces labels that are hosts, which a file never contains, by names. */
export function withoutHosts(gateways: readonly GatewayName[]): GatewayName[] {
  return gateways.map((gateway) =>
    gateway.label === gateway.host ? { ...gateway, label: gateway.name } : gateway,
  );
}

/** Returns the name on screen of the gateway that a setup chooses. */
export function getSetupGatewayLabel({ gateway }: Setup, gateways: readonly GatewayName[]): string {
  const status = gateway === undefined ? gateways[0] : gateways.find(({ name }) => name === gateway);
  return status?.label ?? gateway ?? '';
}
