/** Opens trials in memory and sends their requests through the code of the proxy, in one process and without a port. */
import { GatewayError, type ErrorKind, type ErrorReport } from '../../gateway/errors/errors.ts';
import { readConfig } from '../../server/config.ts';
import { createPlaygroundHandler } from '../../server/playground-handler.ts';
import type { SettingLookup } from '../../server/settings-source.ts';
import { createPlayground } from '../../state/create-playground.ts';
import { storeImportedTrial } from '../../state/trials/repository/trial-files.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { ImportedTrial } from '../../trials/files/trial-file.ts';
import type { Column } from '../../trials/trial.ts';
import { UsageError } from '../usage-error.ts';
import { createNodePage } from './node-page.ts';

/** Variables of a server that listens; the command opens no port. */
const listeningVariables = new Set(['HOST', 'PORT', 'PLAYGROUND_PASSWORD', 'PLAYGROUND_ALLOWED_HOSTS']);

export interface TrialHostOptions {
  getSetting: SettingLookup;
  version: string;
  /** Module of the thread that scores answers; without it, slow patterns block the process. */
  scoreThread?: URL | undefined;
  /** Requests per minute, if lower than the limit of the server. */
  requestsPerMinute?: number | undefined;
}

export interface TrialHost {
  /** Opens a trial. Throws a UsageError if an image of it is damaged. */
  open: (imported: ImportedTrial) => Promise<OpenTrial>;
  /**
   * Lists the models of the gateways that the columns use, which also gives their prices. Returns the error of the first
   * gateway that cannot be reached or that refuses the key.
   */
  checkGateways: (columns: readonly Column[]) => Promise<ErrorReport | undefined>;
  newId: () => string;
  close: () => Promise<void>;
}

/** Creates the host with the gateways that the settings name. Throws ConfigurationError. */
export async function createTrialHost(options: TrialHostOptions): Promise<TrialHost> {
  const { getSetting, version, scoreThread, requestsPerMinute } = options;
  const hasGateway = ['GATEWAYS', 'GATEWAY_BASE_URL'].some((name) => getSetting(name) !== undefined);
  const config = readConfig(
    (name) => {
      if (listeningVariables.has(name)) return undefined;
      // The demo gateway in this process needs no pause between requests.
      return getSetting(name) ?? (name === 'GATEWAY_RPM' && !hasGateway ? '0' : undefined);
    },
    { port: 0 },
  );
  const handler = createPlaygroundHandler(config, version);
  const page = createNodePage(
    (request) => handler.handle(request, { remoteAddress: '127.0.0.1' }),
    scoreThread,
  );
  const records = createAnswerStore();
  const playground = createPlayground(page, records);
  if (requestsPerMinute !== undefined) playground.prefs.setState({ requestsPerMinute });
  playground.setServerStatus((await playground.serverClient.readStatus()).gateways);
  const { gateways } = playground;

  return {
    newId: page.newId,
    open: async (imported) => {
      const damage = await storeImportedTrial(records, imported);
      if (damage) throw new UsageError(`Line ${damage.line}: ${damage.reason}`);
      const trials = await playground.lazyTrials.load();
      const trial = await trials.open(imported.trial.id);
      if (!trial) throw new Error('The trial could not be opened.');
      return trial;
    },
    checkGateways: async (columns) => {
      const names = new Set(columns.map(({ setup }) => gateways.resolveName(setup.gateway)));
      for (const name of names) {
        if (gateways.isUnknown(name)) continue;
        try {
          gateways.setListedModels((await gateways.getClient(name).listModels()).models, name);
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          // A gateway without a model list can still answer.
          if (isGatewayOut(error.report)) return error.report;
        }
      }
      return undefined;
    },
    close: () => handler.close(),
  };
}

/** Returns a store in memory that keeps no recordings, which would fill it. */
function createAnswerStore(): RecordStore {
  const records = createMemoryRecordStore();
  return {
    ...records,
    write: (writes, options) =>
      records.write(
        writes.filter(({ store }) => store !== 'tapes'),
        options,
      ),
  };
}

const outKinds: ReadonlySet<ErrorKind> = new Set([
  'key-rejected',
  'unreachable',
  'redirected',
  'offline',
  'connection-lost',
]);

/** Returns true if the gateway could not be reached or refused the key. */
export function isGatewayOut({ kind }: Pick<ErrorReport, 'kind'>): boolean {
  return outKinds.has(kind);
}
