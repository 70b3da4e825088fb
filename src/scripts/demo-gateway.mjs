// npm run demo-gateway: the embedded gateway alone, in this same process.
import path from 'node:path';

import { ensureBuilt } from './built.mjs';
import { stopWithNpm } from './test-run/steps.mjs';

process.chdir(path.resolve(import.meta.dirname, '../..'));
ensureBuilt();
process.env.NODE_ENV ??= 'production';
stopWithNpm();
await import('../../dist/server/demo-main.js');
