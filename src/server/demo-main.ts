import { randomBytes } from 'node:crypto';

import { createDemoGateway } from '../demo-gateway/gateway.ts';
import { createRandomId } from '../lib/ids.ts';
import { readDemoTokensPerSecond, readDemoQuirks, readHostSetting, readPort } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readRequestsPerMinute } from './gateway-settings.ts';
import { createHttpServer, listen } from './http-server.ts';
import { createNodeListener } from './node-adapter.ts';
import { createSettingLookup } from './settings-source.ts';
import { createShutdownHandler } from './shutdown.ts';

const DEFAULT_PORT = 4788;
const GRACE_MS = 10_000;

/** Runs `npm run demo-gateway`: only the embedded gateway, for any OpenAI-compatible client. */
async function main(): Promise<void> {
  const getSetting = createSettingLookup(process.env, process.cwd());
  const listenHost = readHostSetting(getSetting);
  const key = getSetting('DEMO_GATEWAY_KEY') ?? `fk-${randomBytes(24).toString('base64url')}`;
  const server = createHttpServer(
    createNodeListener({
      handle: createDemoGateway({
        key,
        requestsPerMinute: readRequestsPerMinute(getSetting),
        tokensPerSecond: readDemoTokensPerSecond(getSetting),
        hasQuirks: readDemoQuirks(getSetting),
      }),
      createId: () => createRandomId(Date.now()),
      isLogged: () => true,
      log: (line) => process.stderr.write(`${new Date().toISOString()} ${line}\n`),
    }),
  );
  const port = await listen(server, listenHost.address, readPort(getSetting, DEFAULT_PORT));
  const stop = createShutdownHandler({
    server,
    graceMs: GRACE_MS,
    now: () => performance.now(),
    exit: (code) => process.exit(code),
  });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.write(`Demo gateway ready at http://${listenHost.urlHost}:${port} with key ${key}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
