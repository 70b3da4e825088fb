// npm start, trial, conformance and demo-gateway: builds if necessary, then runs a subcommand in this process, so that
// signals reach it.
import { ensureBuilt } from './ensure-built.mjs';
import { root } from './packages.mjs';
import { stopWithNpm } from './test-run/steps.mjs';

// npm changes to the folder of the package; the names of files start from that of the user.
const folder = process.env.INIT_CWD ?? process.cwd();
process.chdir(root);
ensureBuilt();
process.env.NODE_ENV ??= 'production';
stopWithNpm();
const { runCommand } = await import('../../dist/server/command.js');
await runCommand(process.argv.slice(2), folder);
