// npm start: builds if necessary, then serves in this process, so that signals reach it.
import { ensureBuilt } from './ensure-built.mjs';
import { root } from './packages.mjs';
import { stopWithNpm } from './test-run/steps.mjs';

process.chdir(root);
ensureBuilt();
process.env.NODE_ENV ??= 'production';
stopWithNpm();
await import('../../dist/server/main.js');
