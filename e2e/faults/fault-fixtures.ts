import { startFaultGateway, type FaultGateway } from '../../src/testing/faults/fault-gateway.ts';
import { startBench, type BenchServer } from '../bench-server.ts';
import { canaryKey, expect, test as base } from '../fixtures.ts';

interface FaultParts {
  /** Further settings of the server. */
  settings: Record<string, string>;
  faults: FaultGateway;
  /** A built server in front of the fault gateway. */
  faultServer: BenchServer;
}

export const test = base.extend<FaultParts>({
  settings: [{}, { option: true }],
  faults: async ({}, use) => {
    const gateway = await startFaultGateway();
    await use(gateway);
    await gateway.close();
  },
  faultServer: async ({ faults, settings }, use) => {
    const server = await startBench({
      GATEWAY_BASE_URL: faults.url,
      GATEWAY_API_KEY: canaryKey,
      ...settings,
    });
    await use(server);
    await server.stop();
  },
});

export { expect };
