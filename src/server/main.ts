import path from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { createRandomId } from '../lib/ids.ts';
import { createStaticFileHandler } from './build/static-files.ts';
import { createUpgradeListener } from './channel/upgrade.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import { createGuardSettings } from './guard/allowed-hosts.ts';
import { isApiPath } from './guard/guard.ts';
import { createHttpServer, listen } from './http-server.ts';
import { createNodeListener } from './node-adapter.ts';
import { createPlaygroundHandler, getStallTimeoutMs, type ServedGateway } from './playground-handler.ts';
import { createSettingLookup } from './settings-source.ts';
import { createShutdownHandler } from './shutdown.ts';

/** Set by the build. */
declare const BENCH_VERSION: string;

const DEFAULT_PORT = 4780;
const GRACE_MS = 10_000;

/**
 * Objects that a stream keeps between two events outlive V8's young generation: 1,000 streams move 18 MB per second to
 * the old generation, which by default may grow to three times its live size before collection. Half of that is enough.
 */
const HEAP_GROWING_PERCENT = 50;

/** Runs `npm start`: the app and the proxy in one process. */
async function main(): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  const config = readConfig(createSettingLookup(process.env, process.cwd()), { port: DEFAULT_PORT });
  const playground = createPlaygroundHandler(config, BENCH_VERSION);
  const handleStaticFile = createStaticFileHandler(path.join(import.meta.dirname, '../client'));
  let guardSettings = createGuardSettings(config, config.port);
  const common = {
    getGuardSettings: () => guardSettings,
    createId: () => createRandomId(Date.now()),
    log: (line: string) => {
      console.error(`${new Date().toISOString()} ${playground.redact(line)}`);
    },
  };
  const server = createHttpServer(
    createNodeListener({
      ...common,
      handle: async (request, context) =>
        (await playground.handle(request, context)) ?? handleStaticFile(request),
      isLogged: isApiPath,
      stallTimeoutMs: getStallTimeoutMs(config),
    }),
  );
  server.on('upgrade', createUpgradeListener({ ...common, getPlayground: async () => playground }));
  const port = await listen(server, config.listenHost.address, config.port);
  guardSettings = createGuardSettings(config, port);
  const stop = createShutdownHandler({
    server,
    channels: playground.channels,
    graceMs: GRACE_MS,
    now: () => performance.now(),
    exit: (code) => process.exit(code),
  });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const printNotice = (line: string) => console.error(playground.redact(line));
  for (const line of listStartNotices(config, playground.gateways)) printNotice(line);
  console.log(`Bench ready at ${guardSettings.canonicalOrigin}/`);
  await Promise.all(
    playground.gateways.map(async ({ remote, checkApiAddress, getApiAddress }) => {
      // A base URL that is only an origin does not need a check.
      if (remote === undefined || (remote.path.prefix === '' && !remote.path.isEndpointRemoved)) return;
      const failure = await checkApiAddress();
      if (failure !== undefined)
        printNotice(
          `Could not list models at ${getApiAddress()}/models (${failure}). Check ${remote.addressVariable}.`,
        );
    }),
  );
}

/** Returns notices that the user should read before opening the page. */
function listStartNotices(
  { listenHost, allowedHosts }: Config,
  gateways: readonly ServedGateway[],
): string[] {
  const lines = gateways.flatMap((gateway) => listGatewayNotices(gateway, gateways.length > 1));
  if (!listenHost.isLoopback) {
    lines.push(
      `Other machines can reach this server at ${listenHost.address}. Visitors need PLAYGROUND_PASSWORD.`,
    );
    if (listenHost.isWildcard && allowedHosts.length === 0) {
      lines.push(
        'PLAYGROUND_ALLOWED_HOSTS is not set, so pages open only at loopback names. Set it to the hosts that visitors use.',
      );
    }
  }
  return lines;
}

function listGatewayNotices({ name, remote, getApiAddress }: ServedGateway, hasSeveral: boolean): string[] {
  const title = hasSeveral ? `Gateway ${name}` : 'Gateway';
  if (remote === undefined)
    return [
      hasSeveral
        ? `${title}: the embedded demo gateway.`
        : 'No gateway is configured (GATEWAY_BASE_URL). Using the embedded demo gateway.',
    ];
  const { addressVariable, apiKey, path: apiPath, origin, isLoopback } = remote;
  return [
    `${title}: ${getApiAddress()}, ${apiKey === undefined ? 'without a key' : 'with a key'}.`,
    ...(apiPath.isEndpointRemoved
      ? [`${addressVariable} is an endpoint. Bench uses the base address of its API instead.`]
      : []),
    ...(apiKey !== undefined && origin.startsWith('http:') && !isLoopback
      ? [`${addressVariable} uses http, so the key is sent unencrypted.`]
      : []),
  ];
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
