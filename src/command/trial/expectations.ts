/** Expectations of a trial. They are separate, since the command line needs them before anything else. */

export const expectations = ['better', 'not-worse', 'same'] as const;
/** Result that every comparison with the baseline has to show. */
export type Expectation = (typeof expectations)[number];

/** A check and the rate from 0 to 1 that every column but the baseline has to reach. */
export interface Floor {
  check: string;
  rate: number;
}

export interface Expectations {
  expect: Expectation;
  floors: readonly Floor[];
}
