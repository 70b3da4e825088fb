import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { isRunnableDevEnvironment, loadEnv, type Plugin, type UserConfig, type ViteDevServer } from 'vite';

import { channelPath } from '../../lib/channel-frames.ts';
import { createRandomId } from '../../lib/ids.ts';
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { createUpgradeListener } from '../channel/upgrade.ts';
import { readConfig, type Config } from '../config.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { findExposedSecrets } from '../exposed-variables.ts';
import { createGuardSettings } from '../guard/allowed-hosts.ts';
import { isApiPath, checkRequest, withoutHeader, type GuardSettings } from '../guard/guard.ts';
import { createNodeListener } from '../node-adapter.ts';
import type * as playgroundModule from '../playground-handler.ts';
import type { PlaygroundHandler } from '../playground-handler.ts';
import { createSettingLookup } from '../settings-source.ts';

const DEV_PORT = 4781;

/**
 * Integrates the server into Vite. In development, it puts the same guard and proxy before Vite's own routes. The build
 * writes dist/client with precompressed files, dist/server, which needs no packages at run time, and dist/package with
 * both, for npm.
 */
export function createPlaygroundPlugin(root: string, outDir = 'dist'): Plugin {
  const version = readVersion(root);
  let config: Config | undefined;
  return {
    name: 'bench:playground-server',
    config(userConfig, { command, mode }) {
      const exposedSecrets = findExposedSecrets({ ...process.env, ...loadEnv(mode, root, 'VITE_') });
      if (exposedSecrets.length > 0) {
        throw new Error(
          `Remove ${exposedSecrets.join(', ')}: everyone could read it in the browser. The gateway's key belongs in GATEWAY_API_KEY.`,
        );
      }
      if (command === 'build') return getBuildSettings(version, outDir);
      config = readConfigOrExit(root, userConfig.server?.host);
      return {
        define: { BENCH_VERSION: JSON.stringify(version) },
        environments: { server: {} },
        server: {
          host: config.listenHost.address,
          // Vite's command-line options take precedence over PORT.
          port: userConfig.server?.port ?? config.port,
          strictPort: true,
          cors: false,
          allowedHosts: config.allowedHosts.map((name) => name.replace(/:\d+$/, '')),
        },
      };
    },
    configureServer(server) {
      if (config !== undefined) mount(server, config, version);
    },
    async writeBundle() {
      if (this.environment.name === 'client' && this.environment.mode === 'build') {
        await precompress(path.resolve(root, this.environment.config.build.outDir));
      }
    },
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
      await writePackage(root, path.resolve(root, outDir));
    },
  };
}

function getBuildSettings(version: string, outDir: string): UserConfig {
  return {
    builder: {},
    define: { BENCH_VERSION: JSON.stringify(version) },
    environments: {
      client: { build: { outDir: path.join(outDir, 'client') } },
      server: {
        resolve: { noExternal: true },
        build: {
          ssr: true,
          outDir: path.join(outDir, 'server'),
          copyPublicDir: false,
          emptyOutDir: true,
          target: 'es2023',
          rolldownOptions: {
            // ws works without these two optional packages.
            external: ['bufferutil', 'utf-8-validate'],
            // Hides timing warnings: a slow machine is not a fault of the build.
            checks: { bundlerTimings: false },
            input: {
              main: 'src/server/main.ts',
              'demo-main': 'src/server/demo-main.ts',
              command: 'src/command/command.ts',
              'score-thread': 'src/command/trial/score-thread.ts',
            },
            output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
          },
        },
      },
    },
  };
}

/** Name of the command in the package, and of the file that starts it. */
const COMMAND_NAME = 'gateway-playground';

/**
 * Writes the package that npm publishes: the build, the licence and a manifest without dependencies, since the build
 * contains them.
 */
async function writePackage(root: string, outFolder: string): Promise<void> {
  const folder = path.join(outFolder, 'package');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of ['client', 'server'])
    await cp(path.join(outFolder, name), path.join(folder, name), { recursive: true });
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const fields = ['name', 'version', 'description', 'license', 'type', 'engines'].map(
    (field) => [field, getOwnProperty(manifest, field)] as const,
  );
  const packageManifest = { ...Object.fromEntries(fields), bin: { [COMMAND_NAME]: `${COMMAND_NAME}.js` } };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(packageManifest, null, 2)}\n`);
  const start = [
    '#!/usr/bin/env node',
    "import { runCommand } from './server/command.js';",
    'await runCommand(process.argv.slice(2), process.cwd());',
    '',
  ];
  await writeFile(path.join(folder, `${COMMAND_NAME}.js`), start.join('\n'), { mode: 0o755 });
}

/** The dev server's request path: guard, proxy, then Vite. Changes to server code take effect with the next request. */
function mount(server: ViteDevServer, config: Config, version: string): void {
  let loadedServerCode: { module: typeof playgroundModule; playground: PlaygroundHandler } | undefined;
  const getPlayground = async (): Promise<PlaygroundHandler> => {
    const environment = server.environments['server'];
    if (environment === undefined || !isRunnableDevEnvironment(environment))
      throw new Error('The server environment is not running.');
    const module = await environment.runner.import<typeof playgroundModule>(
      '/src/server/playground-handler.ts',
    );
    if (loadedServerCode?.module !== module) {
      await loadedServerCode?.playground.close();
      loadedServerCode = { module, playground: module.createPlaygroundHandler(config, version) };
    }
    return loadedServerCode.playground;
  };
  const getGuardSettings = (): GuardSettings => {
    const boundAddress = server.httpServer?.address();
    return createGuardSettings(
      config,
      typeof boundAddress === 'object' && boundAddress !== null ? boundAddress.port : config.port,
    );
  };
  const logger = server.config.logger;
  const common = {
    getGuardSettings,
    createId: () => createRandomId(Date.now()),
    log: (line: string) => {
      logger.info(loadedServerCode?.playground.redact(line) ?? line, { timestamp: true });
    },
  };
  const listener = createNodeListener({
    ...common,
    handle: async (request, context) =>
      isApiPath(new URL(request.url).pathname) ? (await getPlayground()).handle(request, context) : undefined,
    isLogged: isApiPath,
  });
  server.middlewares.use(listener);
  const openChannel = createUpgradeListener({ ...common, getPlayground });
  // Hot reload is the only other upgrade. It passes the same guard, without the upgrade header.
  server.httpServer?.prependListener('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url === channelPath) return openChannel(request, socket, head);
    const rawHeaders = withoutHeader(request.rawHeaders, 'upgrade');
    const decision = checkRequest(
      { method: request.method ?? '', target: request.url ?? '', rawHeaders },
      getGuardSettings(),
    );
    if (decision.name === 'refused') socket.destroy();
  });
}

/** Vite's command-line options take precedence over HOST and are validated in the same way. */
function readConfigOrExit(root: string, viteHost: string | boolean | undefined): Config {
  const host = viteHost === true ? '0.0.0.0' : viteHost === false ? 'localhost' : viteHost;
  const getSetting = createSettingLookup(process.env, root);
  try {
    return readConfig((name) => (name === 'HOST' && host !== undefined ? host : getSetting(name)), {
      port: DEV_PORT,
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // Vite would print a stack trace and exit with 1; a configuration error is reported in one sentence and exits with
    // 2.
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

function readVersion(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return getStringProperty(manifest, 'version') ?? '0.0.0';
}

const COMPRESSIBLE_EXTENSIONS = new Set([
  '.css',
  '.html',
  '.js',
  '.json',
  '.svg',
  '.txt',
  '.md',
  '.webmanifest',
  '.wasm',
]);
const MIN_COMPRESSIBLE_BYTES = 1024;
/**
 * Quality 11 takes ten times as long for a saving of a few per cent, which would delay `npm start` in a fresh clone.
 */
const BROTLI_QUALITY = 9;

/** Writes a `.br` and a `.gz` file next to every file of a build folder that becomes smaller. */
export async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const files = names
    .map((name) => path.join(folder, name))
    .filter((file) => COMPRESSIBLE_EXTENSIONS.has(path.extname(file)));
  await Promise.all(files.map(compressFile));
}

async function compressFile(file: string): Promise<void> {
  if ((await stat(file)).size < MIN_COMPRESSIBLE_BYTES) return;
  const uncompressed = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(uncompressed, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(uncompressed, { level: 9 }),
  ]);
  if (br.length < uncompressed.length) await writeFile(`${file}.br`, br);
  if (gz.length < uncompressed.length) await writeFile(`${file}.gz`, gz);
}
