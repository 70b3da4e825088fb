/** Name of the gateway of a server without named gateways. */
export const onlyGatewayName = 'default';

/** Returns true for 1 to 20 of a to z, 0 to 9 and hyphens, a letter first: a safe part of a path and of a variable. */
export function isGatewayName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,19}$/.test(text);
}

/** Returns the beginning of the variables of a gateway: `GATEWAY_`, or `GATEWAY_EU_WEST_` for the gateway eu-west. */
export function getVariablePrefix(gatewayName: string): string {
  return gatewayName === onlyGatewayName
    ? 'GATEWAY_'
    : `GATEWAY_${gatewayName.replaceAll('-', '_').toUpperCase()}_`;
}

/** Replaces the variables of the only gateway in a sentence by those of the gateway with this name. */
export function nameVariables(text: string, gatewayName = onlyGatewayName): string {
  return text.replaceAll(
    /\bGATEWAY_(BASE_URL|API_KEY)\b/g,
    (_, suffix: string) => getVariablePrefix(gatewayName) + suffix,
  );
}
