// npm start: builds when needed, then serves in this same process, so that signals reach it.
import path from 'node:path';

import { ensureBuilt } from './built.mjs';
import { stopWithNpm } from './test-run/steps.mjs';

process.chdir(path.resolve(import.meta.dirname, '../..'));
ensureBuilt();
process.env.NODE_ENV ??= 'production';
stopWithNpm();
await import('../../dist/server/main.js');
