/**
 * Reads a promptfoo configuration as the draft of a trial. Nothing of it is executed or fetched, and files are read
 * through the caller only. What cannot be read is listed with its count and the reason.
 */
import { isEqual } from 'es-toolkit';

import { getContentText } from '../../../conversation/request/request.ts';
import { findVariables } from '../../../conversation/session/variables.ts';
import { defaultParams } from '../../../conversation/setup/params.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../../lib/json.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { createCaseIdAllocator, findSentFields } from '../../cases.ts';
import { createTrial } from '../../edit-trial.ts';
import type { TrialEnvironment } from '../../starters/trial-starters.ts';
import { trialLimits, type Case, type Check, type Column, type Trial } from '../../trial.ts';
import { buildChecks } from './build-checks.ts';
import { parseConfigDocument } from './config-document.ts';
import { createConfigFileReader, type ConfigFiles } from './config-files.ts';
import { createNoteCollector, type ConfigNote, type NoteCollector } from './config-notes.ts';
import { expandTests } from './expand-tests.ts';
import { readPrompts, type ReadPrompt } from './read-prompts.ts';
import { readProviders, type ReadProvider } from './read-providers.ts';
import { readTests } from './read-tests.ts';

/** Content of a trial that is not stored yet; IDs and times are added on creation. */
export interface TrialDraft extends Pick<Trial, 'messages' | 'fields' | 'repeats'> {
  /** Absent if the configuration has no description. */
  title?: string;
  columns: Omit<Column, 'id'>[];
  cases: Omit<Case, 'id'>[];
  checks: Omit<Check, 'id'>[];
  /** Index of the deciding check. */
  decides?: number;
}

export type PromptfooResult =
  | {
      ok: true;
      draft: TrialDraft;
      /** Parts that were not read, or not exactly; see `describeImportNote`. */
      notes: ConfigNote[];
      /** Paths of files that the configuration names and the caller did not have. */
      missingFiles: string[];
    }
  | { ok: false; reason: string };

/** Keys of a configuration that are read. */
const readKeys = [
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'defaultTest',
  'scenarios',
  'evaluateOptions',
];
/** Keys that change nothing in Bench. */
const harmlessKeys = new Set([
  '$schema',
  'assertionTemplates',
  'metadata',
  'tags',
  'sharing',
  'writeLatestResults',
  'version',
]);
/** Options that change how promptfoo runs, and no result. */
const harmlessOptions = new Set(['repeat', 'maxConcurrency', 'cache', 'showProgressBar', 'delay']);
const keyReasons: Readonly<Record<string, string>> = {
  env: 'environment variables are never read',
  extensions: 'Bench runs no code',
  hooks: 'Bench runs no code',
  nunjucksFilters: 'Bench runs no code',
  redteam: 'Bench creates no attacks',
  outputPath: 'Bench writes no other files',
};

/** Returns true for YAML by its name or keys, and for a JSON text that has prompts and providers. */
export function isPromptfooConfig(name: string, text: string): boolean {
  if (/\.ya?ml$/i.test(name)) return true;
  if (!/^\s*\{/.test(text)) return /^prompts\s*:/m.test(text) && /^(?:providers|targets)\s*:/m.test(text);
  const parsed = parseConfigDocument(text);
  const config = parsed.ok ? parsed.value : undefined;
  return ['prompts', 'providers'].every((key) => getOwnProperty(config, key) !== undefined);
}

/** Parses a configuration in YAML or JSON. Rejects only if `files` rejects. */
export async function parsePromptfooConfig(text: string, files: ConfigFiles): Promise<PromptfooResult> {
  const parsed = parseConfigDocument(text);
  if (!parsed.ok) return { ok: false, reason: `The configuration cannot be read: ${parsed.reason}.` };
  const config = parsed.value;
  if (!isRecord(config) || !readKeys.slice(1).some((key) => Object.hasOwn(config, key)))
    return {
      ok: false,
      reason: 'This is not a promptfoo configuration: it has no prompts, providers or tests.',
    };
  const notes = createNoteCollector();
  const context = { notes, files: createConfigFileReader(files, notes) };
  noteUnreadKeys(config, notes);
  const prompts = await readPrompts(getOwnProperty(config, 'prompts'), context);
  const providers = await readProviders(
    getOwnProperty(config, 'providers') ?? getOwnProperty(config, 'targets'),
    context,
  );
  const tests = await readTests(config, context);
  const columns = buildColumns(prompts, providers, notes);
  const messages = columns[0]?.messages ?? [];
  const draftColumns = columns.map(({ messages: own, ...column }) =>
    isEqual(own, messages) ? column : { ...column, ...(own ? { messages: own } : {}) },
  );
  const sentNames = findVariables(
    columns.flatMap((column) => [
      column.setup.system,
      ...(column.messages ?? []).map(({ content }) => getContentText(content)),
    ]),
  );
  const cases = expandTests(tests, sentNames, notes);
  const { checks, decides } = buildChecks(cases, notes);
  const decidingName = decides === undefined ? undefined : checks[decides]?.name;
  for (const _ of checks.slice(1))
    notes.addChange({
      subject: 'check',
      reason: `“${sanitizeForSentence(decidingName ?? '', 40)}” decides, and other checks are only counted`,
    });
  const description = getStringProperty(config, 'description')?.trim();
  return {
    ok: true,
    draft: {
      ...(description ? { title: description } : {}),
      messages,
      columns: draftColumns,
      fields: [...new Set(cases.flatMap(({ values }) => Object.keys(values)))],
      cases: cases.map(({ values }, index) => ({ values, line: index + 1 })),
      checks,
      ...(decides === undefined ? {} : { decides }),
      repeats: readRepeats(config, notes),
    },
    notes: notes.list(),
    missingFiles: [...context.files.missing],
  };
}

function noteUnreadKeys(config: Record<string, unknown>, notes: NoteCollector): void {
  for (const key of Object.keys(config)) {
    if (readKeys.includes(key) || harmlessKeys.has(key)) continue;
    const reason = Object.hasOwn(keyReasons, key) ? keyReasons[key] : undefined;
    notes.add({ subject: 'setting', name: key, reason: reason ?? 'Bench has no such setting' });
  }
}

function readRepeats(config: Record<string, unknown>, notes: NoteCollector): number {
  const options = getOwnProperty(config, 'evaluateOptions');
  for (const key of Object.keys(isRecord(options) ? options : {}))
    if (!harmlessOptions.has(key))
      notes.add({ subject: 'evaluation option', name: key, reason: 'Bench has its own settings for runs' });
  const repeats = Math.floor(getNumberProperty(options, 'repeat') ?? 1);
  if (repeats > trialLimits.repeats)
    notes.addChange({ subject: 'repeat setting', reason: `a trial has at most ${trialLimits.repeats}` });
  return Math.min(Math.max(1, repeats), trialLimits.repeats);
}

/** Combines providers and prompts, unless a provider names its prompts. Every column has its messages. */
function buildColumns(
  prompts: readonly ReadPrompt[],
  providers: readonly ReadProvider[],
  notes: NoteCollector,
): Omit<Column, 'id'>[] {
  const models: readonly ReadProvider[] =
    providers.length > 0 ? providers : [{ model: '', params: defaultParams }];
  const columns = models.flatMap(({ model, params, prompts: names }) => {
    const chosen = names
      ? prompts.filter((prompt) => prompt.names.some((name) => names.includes(name)))
      : prompts;
    return (chosen.length > 0 ? chosen : prompts).map(({ system, systemRole, messages }) => ({
      setup: { model, system, ...(systemRole ? { systemRole } : {}), params },
      messages,
    }));
  });
  for (const _ of columns.slice(trialLimits.columns))
    notes.add({ subject: 'column', reason: `a trial has at most ${trialLimits.columns}` });
  return columns.slice(0, trialLimits.columns);
}

/** Creates the trial of a draft, with new IDs. */
export async function createTrialFromDraft(
  {
    title,
    fields,
    repeats,
    messages,
    columns: draftColumns,
    checks: draftChecks,
    decides,
    ...draft
  }: TrialDraft,
  environment: TrialEnvironment,
): Promise<{ trial: Trial; cases: Case[] }> {
  const { newId } = environment;
  const columns = draftColumns.map((column) => ({ ...column, id: newId() }));
  const checks = draftChecks.map((check) => ({ ...check, id: newId() }));
  const decidingCheck = decides === undefined ? undefined : checks[decides];
  const createCaseId = createCaseIdAllocator(findSentFields({ messages, columns }));
  const cases: Case[] = [];
  for (const testCase of draft.cases) cases.push({ ...testCase, id: await createCaseId(testCase) });
  const trial = createTrial(columns, messages, environment);
  return {
    trial: {
      ...trial,
      ...(title === undefined ? {} : { title }),
      fields,
      repeats,
      checks,
      ...(decidingCheck ? { decides: decidingCheck.id } : {}),
      batches: [{ caseIds: cases.map(({ id }) => id), addedAt: trial.createdAt }],
    },
    cases,
  };
}
