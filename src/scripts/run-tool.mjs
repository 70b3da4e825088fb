// node src/scripts/run-tool.mjs TOOL [arguments]: runs a program from node_modules, within npm run.
import { spawnSync } from 'node:child_process';

import { requirePackage } from './packages.mjs';

const [tool, ...args] = process.argv.slice(2);
requirePackage(`.bin/${tool}`);
const { status } = spawnSync(tool, args, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exit(status ?? 1);
