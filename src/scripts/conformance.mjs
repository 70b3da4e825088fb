// npm run conformance -- BASE_URL: checks a gateway against the API description and prints the findings.
import { randomUUID } from 'node:crypto';

import { ensureBuilt } from './ensure-built.mjs';
import { root } from './packages.mjs';

process.chdir(root);
ensureBuilt();
// Variables that are already set take precedence over the files.
for (const file of ['.env.local', '.env']) {
  try {
    process.loadEnvFile(file);
  } catch {
    // The file does not exist.
  }
}
const { runConformance } = await import('../../dist/server/conformance.js');
process.exitCode = await runConformance(process.argv.slice(2), process.env, {
  send: fetch,
  now: () => performance.now(),
  newId: () => `bench-${randomUUID()}`,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  width: process.stdout.columns,
});
