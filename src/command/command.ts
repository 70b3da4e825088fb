/** The command `gateway-playground`: its subcommands, their options and exit codes. */
import { randomUUID } from 'node:crypto';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { ConfigurationError } from '../server/configuration-error.ts';
import { createSettingLookup } from '../server/settings-source.ts';
import type { Shard } from '../trials/shards.ts';
import { completionShells, findCompletions, writeCompletionScript } from './completion.ts';
import type { CommandContext } from './trial/command-context.ts';
import { expectations, type Floor } from './trial/expectations.ts';
import type { ExportFormat } from './trial/export-trial.ts';
import type { MergeOptions } from './trial/merge-trials.ts';
import type { RunTrialOptions } from './trial/ready-trial.ts';
import { UsageError } from './usage-error.ts';

/** Set by the build. */
declare const BENCH_VERSION: string;

const wrongUseCode = 2;

const trialHelp = `
FILE is an exported trial (JSON Lines) or a promptfoo configuration. Nothing in it is executed or fetched.
The gateways are those of the server: from the environment, .env.local and .env, else the demo gateway.

Exit codes:
  0  as expected
  1  decided against the expectation, or below a floor
  2  wrong use or file
  3  not decided
  4  the gateway could not be reached or refused the key
  5  stopped by a signal or a limit: run the command again to continue`;

/** Runs a subcommand in this process and ends it with its exit code, unless it serves. `folder` is that of file names. */
export async function runCommand(args: readonly string[], folder: string): Promise<void> {
  const createContext = () => createProcessContext(folder);
  const { printError } = createContext();
  const program = createProgram({ createContext, exit: (code) => process.exit(code) });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // The help and the version have been printed and are no errors.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : wrongUseCode);
    if (!(error instanceof UsageError || error instanceof ConfigurationError)) throw error;
    printError(error.message);
    process.exit(wrongUseCode);
  }
}

interface ProgramOptions {
  createContext: () => CommandContext;
  exit: (code: number) => void;
}

/** Builds the program with all subcommands. */
export function createProgram(options: ProgramOptions): Command {
  const { createContext, exit } = options;
  const program = new Command('gateway-playground')
    .description('Bench: a browser playground for OpenAI-compatible model gateways.')
    .version(typeof BENCH_VERSION === 'string' ? BENCH_VERSION : '0.0.0', '--version', 'print the version')
    .helpCommand(false)
    .exitOverride();
  program
    .command('start', { isDefault: true })
    .description('serve the playground and print its address (default)')
    .action(async () => void (await import('../server/main.ts')));
  addTrialCommands(program.command('trial'), options);
  program
    .command('conformance')
    .description('check a gateway against the API description with about 17 small requests')
    .argument('[base-url]', 'origin of the gateway, by default GATEWAY_BASE_URL; the key is GATEWAY_API_KEY')
    .option('--model <id>', 'chat model to use')
    .option('--embedding-model <id>', 'embedding model to use')
    .option('--json', 'print the findings as JSON', false)
    .addHelpText('after', '\nExits with 0 if nothing contradicts the specification, otherwise with 1.')
    .action(
      async (
        baseUrl: string | undefined,
        flags: { model?: string; embeddingModel?: string; json: boolean },
      ) => {
        const { runConformance } = await import('../conversation/conformance/conformance-command.ts');
        const { getSetting, print, printError } = createContext();
        exit(
          await runConformance({ ...flags, baseUrl }, getSetting, {
            send: fetch,
            now: () => performance.now(),
            newId: () => `bench-${randomUUID()}`,
            print,
            printError,
            width: process.stdout.columns,
          }),
        );
      },
    );
  program
    .command('demo-gateway')
    .description('serve the demo gateway alone, for any client of the chat-completions format')
    .action(async () => void (await import('../server/demo-main.ts')));
  program
    .command('completion')
    .description('print the script that turns on completion in a shell')
    .addArgument(program.createArgument('<shell>').choices(completionShells))
    .action((shell: (typeof completionShells)[number]) => {
      createContext().print(writeCompletionScript(shell, program.name()));
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const candidate of findCompletions(program, words)) createContext().print(candidate);
    });
  return program;
}

function addTrialCommands(trial: Command, { createContext, exit }: ProgramOptions): void {
  trial
    .description('run a trial without a browser, in one process or in shards')
    .helpCommand(false)
    .addHelpText('after', trialHelp);
  const withExpectations = (command: Command): Command =>
    command
      .addOption(
        new Option('--expect <result>', 'result that every comparison with the baseline has to show')
          .choices(expectations)
          .default('not-worse'),
      )
      .option(
        '--floor <check=rate>',
        'least rate of a check, such as "right team=0.9"; may be repeated',
        parseFloors,
        [],
      )
      .option('--stop-when-decided', 'stop once every comparison is decided')
      .addHelpText('after', trialHelp);
  withExpectations(trial.command('run'))
    .description('run the trial and write trial.jsonl, verdict.json, junit.xml and summary.md')
    .argument('<file>', 'exported trial or promptfoo configuration')
    .option('--out <folder>', 'folder of the results, by default FILE-results; run again to continue')
    .option('--cases <file>', 'further cases from CSV, JSON or JSON Lines')
    .option('--baseline <folder>', 'answers of an earlier run, as the baseline')
    .option('--max-requests <n>', 'pause after this many requests', parseCount)
    .option('--max-minutes <n>', 'pause after this time', parseMinutes)
    .option('--rpm <n>', 'requests per minute, if lower than the limit of the gateway', parseCount)
    .option('--shard <i/n>', 'run only this part of the cases', parseShard)
    .action(async (file: string, flags: RunTrialFlags, command: Command) => {
      checkShardFlags(flags, command);
      const { runTrial } = await import('./trial/run-trial.ts');
      const { floor: floors, ...options } = flags;
      exit(await runTrial(file, { ...options, floors }, createContext()));
    });
  withExpectations(trial.command('merge'))
    .description('merge the folders of shards, in any order, and compute the verdict')
    .argument('<folders...>', 'folders of the shards')
    .requiredOption('--out <folder>', 'folder of the results')
    .action(async (folders: string[], { floor: floors, ...options }: MergeFlags) => {
      const { mergeTrials } = await import('./trial/merge-trials.ts');
      exit(await mergeTrials(folders, { ...options, floors }, createContext()));
    });
  trial
    .command('check')
    .description('read the trial and show its plan, without sending anything')
    .argument('<file>', 'exported trial or promptfoo configuration')
    .action(async (file: string) => {
      const { checkTrial } = await import('./trial/check-trial.ts');
      exit(await checkTrial(file, createContext()));
    });
  trial
    .command('export')
    .description('write the trial in another format')
    .argument('<file>', 'exported trial or promptfoo configuration')
    .addOption(new Option('--as <format>', 'format').choices(['promptfoo', 'csv']).makeOptionMandatory())
    .option('--out <file>', 'file to write, by default standard output')
    .action(async (file: string, flags: { as: ExportFormat; out?: string }) => {
      const { exportTrial } = await import('./trial/export-trial.ts');
      exit(await exportTrial(file, flags, createContext()));
    });
}

/** Options with the names that commander gives them. */
type RunTrialFlags = Omit<RunTrialOptions, 'floors'> & { floor: Floor[] };
type MergeFlags = Omit<MergeOptions, 'floors'> & { floor: Floor[] };

/** A shard has no verdict: what concerns one belongs to merge. */
function checkShardFlags({ shard, stopWhenDecided, floor }: RunTrialFlags, command: Command): void {
  if (!shard) return;
  const name =
    command.getOptionValueSource('expect') === 'cli'
      ? '--expect'
      : floor.length > 0
        ? '--floor'
        : stopWhenDecided
          ? '--stop-when-decided'
          : undefined;
  if (name !== undefined)
    throw new UsageError(
      `${name} needs the answers of all shards. Give it to trial merge instead of trial run --shard.`,
    );
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count === 0)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  // A timer cannot wait longer than 24 days.
  if (text.trim() === '' || !(minutes > 0 && minutes <= 30_000))
    throw new InvalidArgumentError('It must be a number of minutes, at most 30000.');
  return minutes;
}

function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count))
    throw new InvalidArgumentError('It must be a shard and the number of shards, such as 3/8.');
  return shard;
}

function parseFloors(text: string, floors: Floor[]): Floor[] {
  // The name of a check may contain an equals sign.
  const separator = text.lastIndexOf('=');
  const rateText = text.slice(separator + 1).trim();
  const rate = Number(rateText);
  if (separator < 1 || rateText === '' || !(rate >= 0 && rate <= 1))
    throw new InvalidArgumentError('It must be a check and a rate from 0 to 1, such as "right team=0.9".');
  return [...floors, { check: text.slice(0, separator).trim(), rate }];
}

function createProcessContext(folder: string): CommandContext {
  const { stdout, stderr } = process;
  return {
    getSetting: createSettingLookup(process.env, process.cwd()),
    version: typeof BENCH_VERSION === 'string' ? BENCH_VERSION : '0.0.0',
    folder,
    print: (line) => void stdout.write(`${line}\n`),
    printError: (line) => void stderr.write(`${line}\n`),
    showProgress: stderr.isTTY
      ? (line) => void stderr.write(`\r\u001B[K${line.slice(0, Math.max(1, stderr.columns - 1))}`)
      : undefined,
    onInterrupt: (listener) => {
      let hasInterrupted = false;
      const handle = (): void => {
        if (hasInterrupted) process.exit(5);
        hasInterrupted = true;
        listener();
      };
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, handle);
      return () => {
        for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, handle);
      };
    },
    scoreThread: new URL('./score-thread.js', import.meta.url),
  };
}
