// npm run conformance -- BASE_URL: checks a gateway against gateway-spec.md and prints the table.
import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { ensureBuilt } from './built.mjs';

process.chdir(path.resolve(import.meta.dirname, '../..'));
ensureBuilt();
// What the environment names already stays.
for (const file of ['.env.local', '.env']) {
  try {
    process.loadEnvFile(file);
  } catch {
    // There is none.
  }
}
const { runConformance } = await import('../../dist/server/conformance.js');
process.exitCode = await runConformance(process.argv.slice(2), process.env, {
  send: fetch,
  now: () => performance.now(),
  newId: () => `bench-${randomUUID()}`,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  width: process.stdout.columns,
});
