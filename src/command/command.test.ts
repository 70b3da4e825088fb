/** Runs the built command in processes of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { prepareBuiltServer, type BuiltServer } from '../server/testing/built-server.ts';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';
import { createTrialText } from '../testing/trial-command.ts';
import { testCheck } from '../testing/trials.ts';
import { createProgram } from './command.ts';
import { findCompletions } from './completion.ts';

let builtServer: BuiltServer;
beforeAll(async () => {
  builtServer = await prepareBuiltServer();
  writeFileSync(path.join(builtServer.folder, 'trial.jsonl'), createTrialText(3));
});
afterAll(() => builtServer.remove());

async function run(args: readonly string[], settings?: Record<string, string>) {
  const command = builtServer.runCommand(args, settings);
  const exitCode = await command.exitResult;
  return { exitCode, stdout: command.getStdout(), stderr: command.getStderr() };
}

describe('gateway-playground', () => {
  it.each<[string[], string]>([
    [['trial', 'run'], "missing required argument 'file'"],
    [['trial', 'run', 'none.jsonl'], 'Could not read'],
    [['trial', 'run', 'trial.jsonl', '--fast'], "unknown option '--fast'"],
    [['trial', 'run', 'trial.jsonl', '--shard', '9/8'], 'such as 3/8'],
    [['trial', 'run', 'trial.jsonl', '--floor', 'right team'], 'a check and a rate'],
    [['trial', 'run', 'trial.jsonl', '--expect', 'worse'], 'better, not-worse, same'],
    [['trial', 'run', 'trial.jsonl', '--max-minutes', '-1'], 'a number of minutes'],
    [['trial', 'run', 'trial.jsonl', '--shard', '1/2', '--expect', 'same'], 'trial merge'],
    [['trial', 'run', 'trial.jsonl', '--shard', '1/2', '--stop-when-decided'], 'trial merge'],
    [['trial', 'merge', 'none', '--out', 'merged'], 'contains no trial.jsonl'],
    [['trial', 'export', 'trial.jsonl', '--as', 'pdf'], 'promptfoo, csv'],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
  ])('exits with 2 and says what is wrong: %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('names a wrong setting and exits with 2', async () => {
    const result = await run(['trial', 'check', 'trial.jsonl'], { GATEWAY_API_KEY: 'fk-0123456789' });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('GATEWAY_BASE_URL');
    expect(result.stderr).not.toContain('fk-0123456789');
  });

  it('shows the plan of a trial without sending anything', async () => {
    const { exitCode, stdout } = await run(['trial', 'check', 'trial.jsonl'], {
      GATEWAY_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('3 cases × 2 columns = 6 requests');
  });

  it('exports a trial as CSV and as a promptfoo configuration that can be checked', async () => {
    const csv = await run(['trial', 'export', 'trial.jsonl', '--as', 'csv']);
    expect(csv.stdout).toContain('trial,case,line,ticket,team,column,');
    const { exitCode } = await run([
      'trial',
      'export',
      'trial.jsonl',
      '--as',
      'promptfoo',
      '--out',
      'config.yaml',
    ]);
    expect(exitCode).toBe(0);
    expect(readFileSync(path.join(builtServer.folder, 'config.yaml'), 'utf8')).toContain('{{ticket}}');
    const check = await run(['trial', 'check', 'config.yaml']);
    expect(check.stdout).toContain('3 cases × 2 columns = 6 requests');
  });

  it('ends a pattern that would run for ever', async () => {
    const gateway = await startScriptedGateway();
    onTestFinished(gateway.close);
    gateway.setChatScript((answer) => answer.sendAnswer(`${'a'.repeat(60)}!`));
    const check = { ...testCheck, kind: 'matches' as const, settings: { pattern: '^(a+)+$' } };
    const { field: _, expected: __, ...patternCheck } = check;
    writeFileSync(
      path.join(builtServer.folder, 'pattern.jsonl'),
      createTrialText(2, { checks: [patternCheck] }),
    );
    const { exitCode, stdout } = await run(['trial', 'run', 'pattern.jsonl'], {
      GATEWAY_BASE_URL: gateway.url,
    });
    expect(exitCode).toBe(3);
    expect(stdout).toContain('gave no answer 2 of 2 times');
  });

  it('prints help for every subcommand', async () => {
    const { exitCode, stdout } = await run(['--help']);
    expect(exitCode).toBe(0);
    for (const name of ['start', 'trial', 'conformance', 'demo-gateway'])
      expect(stdout).toContain(`  ${name}`);
  });
});

it.each<[string[], string[]]>([
  [[''], ['start', 'trial', 'conformance', 'demo-gateway', 'completion']],
  [['tr'], ['trial']],
  [
    ['trial', ''],
    ['run', 'merge', 'check', 'export'],
  ],
  [['trial', 'run', '--sh'], ['--shard']],
  [
    ['trial', 'run', 'trial.jsonl', '--expect', ''],
    ['better', 'not-worse', 'same'],
  ],
  [['trial', 'run', ''], []],
  [['trial', 'merge', '--out', ''], []],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
])('completes %j', (words, candidates) => {
  const program = createProgram({
    createContext: () => {
      throw new Error('Completion runs no command.');
    },
    exit: () => undefined,
  });
  expect(findCompletions(program, words)).toEqual(candidates);
});
