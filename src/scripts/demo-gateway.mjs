// npm run demo-gateway: runs only the embedded gateway, in this process.
import { ensureBuilt } from './ensure-built.mjs';
import { root } from './packages.mjs';
import { stopWithNpm } from './test-run/steps.mjs';

process.chdir(root);
ensureBuilt();
process.env.NODE_ENV ??= 'production';
stopWithNpm();
await import('../../dist/server/demo-main.js');
