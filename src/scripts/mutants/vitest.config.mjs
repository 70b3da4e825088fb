// The unit tests as `npm run mutants` runs them.
import path from 'node:path';

import { mergeConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

import base from '../../../vite.config.ts';

/** Tests that cannot tell a mutant from the source, or cost more than they tell. */
const LEFT_OUT = [
  // They read the sources, which are full of switches between mutants here.
  'src/architecture.test.ts',
  // They build the app and start it as a process of its own, where no mutant is on.
  'src/scripts/**',
  'src/server/{main,load,attacks,build/vite-plugin}.test.ts',
  // Nothing that is mutated is imported by these.
  'src/{demo-gateway,documentation,embedding,markdown,trials/statistics,ui}/**',
];

/** The first test that fails ends the run of a mutant, so the shortest files go first. */
class ShortestFirst extends BaseSequencer {
  async sort(files) {
    const tookMs = ({ project, moduleId }) =>
      this.ctx.cache.getFileTestResults(`${project.name}:${path.relative(this.ctx.config.root, moduleId)}`)
        ?.duration ?? 0;
    return files.toSorted((one, other) => tookMs(one) - tookMs(other));
  }
}

const own = {
  test: {
    sequence: { sequencer: ShortestFirst },
    exclude: ['**/node_modules/**', ...LEFT_OUT],
    setupFiles: ['src/scripts/mutants/setup.mjs'],
    // Every mutant has a thread of its own, in which each module is loaded once for all files of tests.
    isolate: false,
    // A mutant that makes a test hang is caught by this, if Stryker has not ended it before.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};

export default (env) => mergeConfig(base(env), own);
