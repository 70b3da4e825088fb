// What Stryker is given to follow: the mutants that were drawn. Its workers load this file too, so it does nothing by itself.

/** Set by mutants.mjs before Stryker starts. */
export const follow = {
  /** Leaves those of the planned mutants that are to be run. */
  choose: (plans) => plans,
  tested: (_result) => {},
};

export const strykerPlugins = [
  {
    kind: 'Reporter',
    name: 'bench',
    value: {
      // A range of the source holds more than the mutant that was drawn. Stryker runs what is left in this array.
      onMutationTestingPlanReady: ({ mutantPlans }) => {
        mutantPlans.splice(0, mutantPlans.length, ...follow.choose(mutantPlans));
      },
      onMutantTested: (result) => follow.tested(result),
    },
  },
];
