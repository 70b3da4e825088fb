import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { fillMessage, fillVariables } from '../../../conversation/session/variables.ts';
import {
  buildRequestFields,
  defaultParams,
  PARAMS,
  type Params,
} from '../../../conversation/setup/params.ts';
import type { Message } from '../../../gateway/wire.ts';
import { parseCheckSettings } from '../../checks/check-settings.ts';
import { getExpectedText, isExcluded } from '../../checks/score-answer.ts';
import { createTrial, withCases } from '../../edit-trial.ts';
import { createStarterTrial, starters } from '../../starters/trial-starters.ts';
import { getCaseValue, type Case, type Check, type Trial } from '../../trial.ts';
import { fieldKinds } from './build-checks.ts';
import { buildPromptfooConfig } from './build-promptfoo-config.ts';
import { describeExportNote } from './config-notes.ts';
import { createTrialFromDraft, parsePromptfooConfig } from './parse-promptfoo-config.ts';

const createEnvironment = () => {
  let count = 0;
  return { now: () => 1, newId: () => `id-${(count += 1)}`, seed: 7 };
};

const exportAndImport = async (trial: Trial, cases: readonly Case[]) => {
  const { text, notes } = buildPromptfooConfig(trial, cases);
  const result = await parsePromptfooConfig(text, { readFile: async () => undefined });
  if (!result.ok) throw new Error(`${result.reason}\n${text}`);
  const imported = await createTrialFromDraft(result.draft, createEnvironment());
  return { text, notes, imported };
};

/** Names of the parts of one kind that the notes of an export name. */
const listNoted = (notes: ReturnType<typeof buildPromptfooConfig>['notes'], subject: string) =>
  new Set(notes.flatMap((note) => (note.subject === subject ? [note.name ?? ''] : [])));

/** Requests of a column and case, without parts that the notes name. */
const buildRequests = (trial: Trial, cases: readonly Case[], omittedParams: ReadonlySet<string>) =>
  trial.columns.map(({ setup, messages }) => {
    const system: Message[] =
      setup.system.trim() === '' ? [] : [{ role: setup.systemRole ?? 'system', content: setup.system }];
    const fields = Object.entries(buildRequestFields(setup.params)).filter(
      ([name]) => !omittedParams.has(name),
    );
    return {
      model: setup.model,
      fields: Object.fromEntries(fields),
      prompts: cases.map(({ values }) =>
        [
          ...system.map((message) => ({ ...message, content: fillVariables(setup.system, values) })),
          ...(messages ?? trial.messages).map((message) => fillMessage(message, values)),
        ].map((message) => ({ ...message })),
      ),
    };
  });

/** Rules of each check with the text that it expects of a case; undefined where it does not count. */
const listRules = ({ checks }: Trial, cases: readonly Case[], omittedNames: ReadonlySet<string>) =>
  checks
    .filter(({ name }) => !omittedNames.has(name))
    .map((check) => ({
      name: check.name,
      kind: check.kind,
      settings: parseCheckSettings(check),
      field: fieldKinds.has(check.kind) && check.field ? check.field.match(/[^.[\]]+/g) : undefined,
      texts: cases.map(({ values }) =>
        isExcluded(check, values) ? undefined : normalizeExpected(check, getExpectedText(check, values)),
      ),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Kinds with lists expect the same if the lines are the same; other kinds ignore the text. */
const normalizeExpected = ({ kind }: Check, text: string | undefined) => {
  if (kind === 'equals') return text?.trim();
  if (!kind.startsWith('contains')) return '';
  return text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
};

const fieldNames = ['ticket', 'team', 'due date', 'naïve', 'a_b', 'constructor'];
const textArbitrary = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    '007',
    'yes',
    'null',
    '2024-01-01',
    '~',
    ' x ',
    'a: b',
    '# c',
    "it's",
    '"q"',
    'a\nb',
    'a, b',
  ),
  fc.constantFrom(
    '{{ticket}}',
    '{{ team }}!',
    '{{unknown}}',
    '{% if x %}',
    '{{ticket | upper}}',
    '{#',
    'x{{',
    'last\n',
  ),
  fc.constantFrom('file://a.txt', '[1]', '- role: user', 'notes.txt', 'https://x.example', 'exec:ls'),
);
const messageArbitrary: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constantFrom('user' as const, 'system' as const, 'developer' as const),
    content: textArbitrary,
  }),
  fc.record({ role: fc.constant('assistant' as const), content: textArbitrary }),
  fc.record({
    role: fc.constant('user' as const),
    content: fc.array(fc.record({ type: fc.constant('text' as const), text: textArbitrary }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
);
const messagesArbitrary = fc.oneof(
  { weight: 2, arbitrary: textArbitrary.map((content): Message[] => [{ role: 'user', content }]) },
  { weight: 1, arbitrary: fc.array(messageArbitrary, { minLength: 1, maxLength: 4 }) },
);
/** Stop sequences with a line break, and with a backslash before an n. */
const stopText = String.raw`END\n` + '\n' + String.raw`\\n`;
const paramsArbitrary: fc.Arbitrary<Params> = fc
  .subarray(PARAMS.filter(({ name }) => name !== 'stream_options'))
  .chain((rows) =>
    fc.tuple(fc.constant(rows), fc.array(fc.boolean(), { minLength: rows.length, maxLength: rows.length })),
  )
  .map(([rows, sent]) => ({
    ...defaultParams,
    ...Object.fromEntries(
      rows.map(({ name, initialText }, index) => [
        name,
        { sent: sent[index] ?? true, text: name === 'stop' ? stopText : initialText },
      ]),
    ),
    ...(rows.length % 3 === 1
      ? {
          'Extra provider fields': {
            sent: true,
            text: '{"service_tier": "flex", "api_key": "x", "big": 12345678901234567890}',
          },
        }
      : {}),
  }));
const expectedArbitrary = fc.oneof(
  textArbitrary.map((text) => ({ text })),
  fc.constantFrom(...fieldNames).map((value) => ({ value })),
);
const settingsArbitrary: fc.Arbitrary<Pick<Check, 'kind' | 'settings'>> = fc.constantFrom(
  { kind: 'equals', settings: {} },
  { kind: 'equals', settings: { ignoreCase: true } },
  { kind: 'one of', settings: {} },
  { kind: 'contains', settings: {} },
  { kind: 'contains', settings: { all: true, ignoreCase: true } },
  { kind: 'contains none', settings: { ignoreCase: true } },
  { kind: 'matches', settings: { pattern: '^{{a}} \\d{2}$', flags: '' } },
  { kind: 'matches', settings: { pattern: 'a', flags: 'i' } },
  { kind: 'matches none', settings: { pattern: '[' } },
  { kind: 'is JSON', settings: {} },
  { kind: 'is JSON', settings: { allowFence: true } },
  { kind: 'fits schema', settings: { schema: { type: 'object', required: ['a'] } } },
  { kind: 'fits schema', settings: {} },
  { kind: 'number within', settings: {} },
  { kind: 'finish reason', settings: { reason: 'stop' } },
  { kind: 'called tool', settings: { none: true } },
  { kind: 'length', settings: { atMost: 8, unit: 'words' } },
  { kind: 'length', settings: { atMost: 8 } },
  { kind: 'first token within', settings: { ms: 300 } },
  { kind: 'whole answer within', settings: { ms: 4000 } },
  { kind: 'marks', settings: {} },
);
const checkArbitrary = fc
  .record(
    {
      name: fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('right team', 'fast', '__proto__')),
      settings: settingsArbitrary,
      expected: expectedArbitrary,
      field: fc.constantFrom('', 'team', 'items[0].price', 'a.0', 'due date', 'a"b'),
    },
    { requiredKeys: ['name', 'settings', 'expected'] },
  )
  .map(({ settings, ...rest }): Omit<Check, 'id'> => ({ ...rest, ...settings }));

const trialArbitrary = fc
  .record({
    title: textArbitrary,
    messages: messagesArbitrary,
    columns: fc.array(
      fc.record({
        system: fc.oneof(fc.constant(''), textArbitrary),
        developer: fc.boolean(),
        params: paramsArbitrary,
        messages: fc.option(messagesArbitrary),
        model: fc.constantFrom('north/one', 'chat:x', 'gpt-4.1', ''),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    checks: fc.array(checkArbitrary, { maxLength: 6 }),
    values: fc.array(fc.dictionary(fc.constantFrom(...fieldNames), textArbitrary), { maxLength: 5 }),
    repeats: fc.integer({ min: 1, max: 20 }),
    decidingIndex: fc.nat({ max: 5 }),
  })
  .map(({ title, messages, columns, checks, values, repeats, decidingIndex }) => {
    const environment = createEnvironment();
    const trialColumns = columns.map(({ system, developer, params, messages: own, model }) => ({
      id: environment.newId(),
      setup: { model, system, params, ...(developer ? { systemRole: 'developer' as const } : {}) },
      ...(own ? { messages: own } : {}),
    }));
    const trialChecks = checks.map((check) => ({ ...check, id: environment.newId() }));
    const cases = values.map((each, index): Case => ({ id: `case-${index}`, values: each }));
    const decides = trialChecks[decidingIndex]?.id;
    const trial: Trial = {
      ...createTrial(trialColumns, messages, environment),
      title,
      fields: fieldNames,
      repeats,
      checks: trialChecks,
      ...(decides === undefined ? {} : { decides }),
      batches: [{ caseIds: cases.map(({ id }) => id), addedAt: 1 }],
    };
    return { trial, cases };
  });

describe('buildPromptfooConfig', () => {
  it('is read back without losing anything that the notes do not name', async () => {
    await fc.assert(
      fc.asyncProperty(trialArbitrary, async ({ trial, cases }) => {
        const { notes, imported } = await exportAndImport(trial, cases);
        const omittedFields = new Set([...listNoted(notes, 'value'), ...listNoted(notes, 'missing value')]);
        const omittedParams = listNoted(notes, 'parameter');
        const omittedColumns = listNoted(notes, 'column');
        const lostChecks = new Set(
          notes.flatMap(({ subject, name, isChanged }) =>
            subject === 'check' && !isChanged ? [name ?? ''] : [],
          ),
        );
        const columns = trial.columns.filter(
          (_, index) => !omittedColumns.has(String.fromCharCode(65 + index)),
        );
        const keptFields = fieldNames.filter((name) => !omittedFields.has(name));
        for (const field of keptFields)
          expect(imported.cases.map((testCase) => getCaseValue(testCase, field))).toEqual(
            cases.map((testCase) => getCaseValue(testCase, field)),
          );
        expect(imported.trial.repeats).toBe(trial.repeats);
        const streamLost = listNoted(notes, 'stream setting').size > 0;
        const omitted = new Set([...omittedParams, ...(streamLost ? ['stream', 'stream_options'] : [])]);
        // Values that the notes name are sent differently; prompts are compared without them.
        const withoutNoted = (list: readonly Case[]) =>
          list.map((testCase) => ({
            ...testCase,
            values: Object.fromEntries(keptFields.map((name) => [name, getCaseValue(testCase, name)])),
          }));
        if (columns.length > 0)
          expect(buildRequests(imported.trial, withoutNoted(imported.cases), omitted)).toEqual(
            buildRequests({ ...trial, columns }, withoutNoted(cases), omitted),
          );
        const dependsOnNoted = trial.checks.flatMap(({ name, expected }) =>
          expected && 'value' in expected && omittedFields.has(expected.value) ? [name] : [],
        );
        const omittedChecks = new Set([...lostChecks, ...dependsOnNoted]);
        expect(listRules(imported.trial, imported.cases, omittedChecks)).toEqual(
          listRules(trial, cases, omittedChecks),
        );
        if (!listNoted(notes, 'deciding check').has('')) {
          const getDecidingName = ({ checks, decides }: Trial) =>
            checks.find(({ id }) => id === decides)?.name;
          expect(getDecidingName(imported.trial)).toBe(getDecidingName(trial));
        }
      }),
      { seed: 4711, numRuns: 400 },
    );
  });

  it('writes texts that other versions of YAML read as dates or switches', () => {
    const trial = withCases(createTrial([], [], createEnvironment()), ['a'], 1);
    const { text } = buildPromptfooConfig(trial, [{ id: 'a', values: { day: '2024-01-01', state: 'yes' } }]);
    const read: unknown = parse(text, { version: '1.1' });
    expect(read).toMatchObject({ tests: [{ vars: { day: '2024-01-01', state: 'yes' } }] });
  });

  it('leaves out retired cases', async () => {
    const [starter] = starters;
    if (!starter) throw new Error('There are no starters');
    const { trial, cases } = await createStarterTrial(
      starters[0]!,
      [{ model: 'demo/quiz' }],
      createEnvironment(),
    );
    const [firstCase] = cases;
    if (!firstCase) throw new Error('The starter has no cases');
    const retired = { columns: [], caseIds: [firstCase.id] };
    expect((await exportAndImport({ ...trial, retired }, cases)).imported.cases).toHaveLength(59);
  });

  it('names every kind of part that promptfoo lacks', () => {
    const environment = createEnvironment();
    const params: Params = {
      ...defaultParams,
      top_k: { sent: false, text: '1' },
      stream: { sent: true, text: 'false' },
    };
    const setup = { model: 'm', system: '', params, gateway: 'staging', sendReasoning: 'never' as const };
    const savedAnswers = { title: 'a', letter: 'A', firstAt: 1, lastAt: 1, unmatchedCases: 0 };
    const image = { type: 'image_url' as const, image_url: { url: 'sha256:x' } };
    const trial: Trial = {
      ...createTrial([{ id: 'c', setup, savedAnswers }], [{ role: 'user', content: [image] }], environment),
      groupField: 'team',
      margin: 3,
      giveUpAfterMs: 1,
      baseline: 'd',
      budget: { amount: 1, currency: 'USD' },
      stopWhenDecided: true,
      leavesOutTimeouts: true,
    };
    const history: Message[] = [{ role: 'user', content: 'a' }];
    const { notes } = buildPromptfooConfig(withCases(trial, ['a'], 1), [{ id: 'a', values: {}, history }]);
    expect(notes.map(({ subject, name }) => (name === undefined ? subject : `${subject} ${name}`))).toEqual([
      'column with saved answers',
      'image or file',
      'stream setting',
      'gateway of a column',
      'reasoning setting',
      'parameter top_k',
      'trial setting seed of the case order',
      'trial setting group',
      'trial setting margin',
      'trial setting timeout',
      'trial setting baseline',
      'trial setting budget',
      'trial setting stop when decided',
      'trial setting leave out timeouts',
      'list of earlier messages',
    ]);
  });

  it('names what promptfoo lacks for the checks of starters', async () => {
    const listNotes = async (index: number) => {
      const starter = starters[index];
      if (!starter) throw new Error('The starter is missing');
      const { trial, cases } = await createStarterTrial(
        starter,
        [{ model: 'demo/quiz' }],
        createEnvironment(),
      );
      return buildPromptfooConfig(trial, cases).notes.map(describeExportNote);
    };
    expect(await listNotes(0)).toEqual([
      '1 check “right team” was written with a difference: promptfoo also compares whitespace at both ends.',
      '1 check “short why” was written with a difference: promptfoo reads fields only of JSON without a code fence.',
      '1 trial setting “seed of the case order” was not written: promptfoo has no such setting.',
    ]);
    expect(await listNotes(1)).toEqual([
      '1 check “right number” was not written: promptfoo has no such assertion.',
      '1 deciding check was not written: every assertion decides in promptfoo.',
      '1 trial setting “seed of the case order” was not written: promptfoo has no such setting.',
    ]);
  });
});
