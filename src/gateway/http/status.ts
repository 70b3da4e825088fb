import { demoGatewayId } from '../../lib/channel/frames.ts';
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { parseResponseJson } from '../stream/response-json.ts';
import type { Http } from './http.ts';

const timeoutMs = 10_000;

/** The status of the playground's own server. Never holds the key. */
export interface PlaygroundStatus {
  /** The first 16 hexadecimal digits of the SHA-256 of the gateway's base URL; empty where the server does not tell. */
  id: string;
  /** What to call the gateway on screen. */
  name: string;
  /** Name and port of the gateway; empty for the embedded one. */
  host: string;
  /** The URL that the routes of the gateway's API follow, as `https://gateway.example/v1`; empty for the embedded one. */
  address: string;
  /** Whether the embedded demo gateway answers. */
  demo: boolean;
  /** The configured gateway that it stands in for, where the person chose it. */
  replacedHost?: string;
  keyConfigured: boolean;
  /** Inference requests; 0: not paced. */
  requestsPerMinute: number;
  version: string;
  /** The server asks for its password first and says nothing else: the reader of the refusal sets it. */
  loginRequired?: boolean;
}

/** GET /playground/status. Rejects with a GatewayError, or the signal's reason. */
export async function readStatus(http: Http, signal?: AbortSignal): Promise<PlaygroundStatus> {
  const request = { area: 'playground' as const, method: 'GET' as const, path: '/status', timeoutMs };
  const response = await http.read(signal ? { ...request, signal } : request);
  if (response.status === 401) {
    return {
      id: '',
      name: '',
      host: '',
      address: '',
      demo: false,
      keyConfigured: false,
      requestsPerMinute: 0,
      version: '',
      loginRequired: true,
    };
  }
  const value = await parseResponseJson(response);
  return {
    id: getStringProperty(value, 'id') ?? '',
    name: getStringProperty(value, 'name') ?? '',
    host: getStringProperty(value, 'host') ?? '',
    address: getStringProperty(value, 'address') ?? '',
    demo: getOwnProperty(value, 'demo') === true,
    keyConfigured: getOwnProperty(value, 'keyConfigured') === true,
    requestsPerMinute: Math.max(0, getNumberProperty(value, 'requestsPerMinute') ?? 0),
    version: getStringProperty(value, 'version') ?? '',
  };
}

/** POST /playground/login. Resolves once the session cookie is set; rejects with a GatewayError when the password is wrong. */
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

/** The same while the demo gateway stands in for the configured one. */
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
