import { demoGatewayId } from '../../lib/channel-frames.ts';
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { OwnPrice } from '../models/model-price.ts';
import { parseResponseJson } from '../stream/response-json.ts';
import type { Http } from './http.ts';
import { parseOwnPrices } from './own-prices.ts';

const timeoutMs = 10_000;

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
  /** The embedded demo gateway is in use. */
  demo: boolean;
  keyConfigured: boolean;
  /** Limit of inference requests; 0 means none. */
  requestsPerMinute: number;
  /** Prices that the operator of the server has set. */
  prices?: readonly OwnPrice[];
}

/** Status of the playground server: its first gateway, and all of them by name. Never contains the key. */
export interface PlaygroundStatus extends Omit<GatewayStatus, 'label'> {
  /** Name of the gateway on screen. */
  name: string;
  /** Host of the configured gateway that the user has replaced with the demo gateway. */
  replacedHost?: string;
  version: string;
  /** All gateways, in the order of the configuration; missing in the answer of an older server. */
  gateways?: GatewayStatus[];
  /** The server requires its password and reports nothing else; set after a 401. */
  loginRequired?: boolean;
}

/** Sends GET /playground/status. Rejects with a GatewayError, or the signal's reason. */
export async function readStatus(http: Http, signal?: AbortSignal): Promise<PlaygroundStatus> {
  const request = { area: 'playground' as const, method: 'GET' as const, path: '/status', timeoutMs };
  const response = await http.read(signal ? { ...request, signal } : request);
  const loginRequired = response.status === 401;
  const value = loginRequired ? undefined : await parseResponseJson(response);
  return {
    id: getStringProperty(value, 'id') ?? '',
    name: getStringProperty(value, 'name') ?? '',
    host: getStringProperty(value, 'host') ?? '',
    address: getStringProperty(value, 'address') ?? '',
    demo: getOwnProperty(value, 'demo') === true,
    keyConfigured: getOwnProperty(value, 'keyConfigured') === true,
    requestsPerMinute: Math.max(0, getNumberProperty(value, 'requestsPerMinute') ?? 0),
    prices: parseOwnPrices(getOwnProperty(value, 'prices')),
    version: getStringProperty(value, 'version') ?? '',
    ...(loginRequired ? { loginRequired } : {}),
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

/** Returns the status with the demo gateway in place of the configured one. */
export function withDemoGateway(status: PlaygroundStatus): PlaygroundStatus {
  if (status.demo || status.loginRequired) return status;
  return {
    ...status,
    id: demoGatewayId,
    name: 'Demo gateway',
    host: '',
    address: '',
    demo: true,
    replacedHost: status.host,
    keyConfigured: false,
  };
}
