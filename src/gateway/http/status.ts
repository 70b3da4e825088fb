import { demoGatewayId } from '../../lib/channel-frames.ts';
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { OwnPrice } from '../models/model-price.ts';
import { parseResponseJson } from '../stream/response-json.ts';
import type { Http } from './http.ts';
import { parseOwnPrices } from './own-prices.ts';

const timeoutMs = 10_000;

/** Limit of inference requests per minute until the server has reported its own. */
export const defaultRequestsPerMinute = 50;

/** A gateway of the playground server. Never contains the key. */
export interface GatewayStatus {
  /** Name in routes and records; `default` for the only one. */
  name: string;
  /** Name on screen. */
  label: string;
  /**
   * The first 16 hexadecimal digits of the SHA-256 of the gateway's base URL; empty if the server does not report it.
   */
  id: string;
  /** Host and port of the gateway; empty for the embedded one. */
  host: string;
  /** URL prefix of the gateway's API routes, such as `https://gateway.example/v1`; empty for the embedded one. */
  address: string;
  /** True for the embedded demo gateway. */
  demo: boolean;
  /** Label of the gateway that the user replaced with the demo gateway. */
  replacedLabel?: string;
  keyConfigured: boolean;
  /** Limit of inference requests; 0 means none. */
  requestsPerMinute: number;
  /** Prices that the operator of the server has set. */
  prices?: readonly OwnPrice[];
}

/** Status of the playground server. Never contains a key. */
export interface PlaygroundStatus {
  version: string;
  /** Gateways in the order of the configuration; empty if the server reports nothing before the login. */
  gateways: GatewayStatus[];
  /** The server requires its password and reports nothing else; set after a 401. */
  loginRequired?: boolean;
}

/** Sends GET /playground/status. Rejects with a GatewayError, or the signal's reason. */
export async function readStatus(http: Http, signal?: AbortSignal): Promise<PlaygroundStatus> {
  const request = { area: 'playground' as const, method: 'GET' as const, path: '/status', timeoutMs };
  const response = await http.read(signal ? { ...request, signal } : request);
  if (response.status === 401) return { version: '', gateways: [], loginRequired: true };
  const value = await parseResponseJson(response);
  const gateways = getOwnProperty(value, 'gateways');
  return {
    version: getStringProperty(value, 'version') ?? '',
    gateways: Array.isArray(gateways) ? gateways.map(readGatewayStatus) : [],
  };
}

function readGatewayStatus(value: unknown): GatewayStatus {
  const name = getStringProperty(value, 'name') ?? '';
  return {
    name,
    label: getStringProperty(value, 'label') ?? name,
    id: getStringProperty(value, 'id') ?? '',
    host: getStringProperty(value, 'host') ?? '',
    address: getStringProperty(value, 'address') ?? '',
    demo: getOwnProperty(value, 'demo') === true,
    keyConfigured: getOwnProperty(value, 'keyConfigured') === true,
    requestsPerMinute: Math.max(0, getNumberProperty(value, 'requestsPerMinute') ?? 0),
    prices: parseOwnPrices(getOwnProperty(value, 'prices')),
  };
}

/**
 * Sends POST /playground/login. Resolves once the session cookie is set; rejects with a GatewayError if the password is
 * wrong.
 */
export async function login(http: Http, password: string): Promise<void> {
  const response = await http.read({
    area: 'playground',
    method: 'POST',
    path: '/login',
    body: { password },
    timeoutMs,
  });
  if (!response.ok) await parseResponseJson(response);
}

/** Returns the demo gateway in place of these gateways, or the gateways if the demo gateway is the only one. */
export function replaceWithDemoGateway(gateways: readonly GatewayStatus[]): readonly GatewayStatus[] {
  const [first, ...others] = gateways;
  if (first?.demo && others.length === 0) return gateways;
  const demoGateway: GatewayStatus = {
    id: demoGatewayId,
    name: 'demo',
    label: 'Demo gateway',
    host: '',
    address: '',
    demo: true,
    replacedLabel: first && others.length === 0 ? first.label : 'the configured gateways',
    keyConfigured: false,
    requestsPerMinute: first?.requestsPerMinute ?? defaultRequestsPerMinute,
  };
  return [demoGateway];
}
