// npm run mutants: draws mutants of the core with a seed and says how many the unit tests catch.
import { Stryker } from '@stryker-mutator/core';

await new Stryker({ configFile: '.stryker.config.json' }).runMutationTest();
