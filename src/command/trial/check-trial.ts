/** Reads a trial and shows its plan without sending anything. */
import path from 'node:path';

import { getColumnNames } from '../../features/trials/format-columns.ts';
import {
  describePlan,
  describePlanRuler,
  formatPlanDuration,
  formatPlanSize,
  getPlanHints,
  getRunBlocker,
} from '../../features/trials/verdict/format-plan.ts';
import { describeSetupChanges } from '../../trials/setup-changes.ts';
import { getColumnLetter } from '../../trials/trial.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { readTrialSource } from './read-source.ts';
import { createTrialHost } from './trial-host.ts';

/** Prints columns, checks and the plan. Returns 2 if the trial cannot run. Throws UsageError and ConfigurationError. */
export async function checkTrial(file: string, context: CommandContext): Promise<ExitCode> {
  const { print, printError } = context;
  const host = await createTrialHost(context);
  try {
    const source = await readTrialSource(path.resolve(context.folder, file), host.newId);
    const openTrial = await host.open(source.imported);
    const state = openTrial.state.getState();
    const { trial, plan } = state;
    const baseline = trial.columns.find(({ id }) => id === trial.baseline);
    const names = getColumnNames(trial.columns);
    print(trial.title);
    trial.columns.forEach((column, index) => {
      const changes = baseline && column !== baseline ? describeSetupChanges(column, baseline) : [];
      const marks = [...changes, ...(column === baseline ? ['baseline'] : [])];
      const name = names[index]?.name ?? '';
      print(
        `${getColumnLetter(index)}  ${[column.setup.model, ...(name === '' || marks.length > 0 ? marks : [name])].join(', ')}`,
      );
    });
    for (const { id, name, kind } of trial.checks)
      print(`Check ${JSON.stringify(name)} (${kind})${id === trial.decides ? ' decides' : ''}`);
    print(`${formatPlanSize(plan)}, ${formatPlanDuration(plan)}`);
    // The last sentence is about the storage of the browser.
    for (const line of describePlan(state).slice(0, -1)) print(line);
    if (trial.columns.length > 1 && trial.decides !== undefined) print(`${describePlanRuler(state)}.`);
    for (const note of [...source.notes, ...getPlanHints(state)]) printError(note);
    const blocker = getRunBlocker(state);
    if (blocker === undefined) return exitCodes.asExpected;
    printError(blocker);
    return exitCodes.wrongUse;
  } finally {
    await host.close();
  }
}
