/** Reads the tests of a configuration, from the configuration itself or from files, as values and assertions. */
import { getOwnProperty, getStringProperty, isRecord, parseJson } from '../../../lib/json.ts';
import { readTable } from '../../../lib/table/read-table.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { findUnreadReason, parseCsvAssertion } from './assertion-types.ts';
import { parseConfigDocument } from './config-document.ts';
import { isFileReference, type ReadConfigFile } from './config-files.ts';
import type { NoteCollector } from './config-notes.ts';
import type { ReadContext } from './read-prompts.ts';

/** A test with the values and assertions of the default test and of its scenario. */
export interface ReadTest {
  /** A list stands for one case for each of its items. */
  vars: Record<string, unknown>;
  assertions: unknown[];
  description?: string;
  metadata: Record<string, unknown>;
  /** Code that changes the answer before it is checked. */
  transform?: unknown;
  expandsLists: boolean;
  /** True if the assertions of the default test do not apply. */
  skipsDefaultAssertions?: true;
}

const emptyTest: ReadTest = { vars: {}, assertions: [], metadata: {}, expandsLists: true };

/** Reads `tests`, `scenarios` and `defaultTest`. Without tests, the prompts are sent once. */
export async function readTests(config: Record<string, unknown>, context: ReadContext): Promise<ReadTest[]> {
  const [defaultTest = emptyTest] = await readTestList(config['defaultTest'], config, context);
  const hasTests = config['tests'] !== undefined || config['scenarios'] !== undefined;
  const tests = hasTests ? await readTestList(config['tests'], config, context) : [emptyTest];
  const scenarioTests = await readScenarios(config, context);
  return [...tests, ...scenarioTests].map((test) => mergeTests(defaultTest, test));
}

function mergeTests(base: ReadTest, test: ReadTest): ReadTest {
  return {
    ...base,
    ...test,
    vars: { ...base.vars, ...test.vars },
    assertions: [...(test.skipsDefaultAssertions ? [] : base.assertions), ...test.assertions],
    metadata: { ...base.metadata, ...test.metadata },
    expandsLists: base.expandsLists && test.expandsLists,
  };
}

/** Combines each entry of a scenario's `config` with each of its tests. */
async function readScenarios(config: Record<string, unknown>, context: ReadContext): Promise<ReadTest[]> {
  const scenarios = await resolveFiles(config['scenarios'], 'scenario', context);
  const tests: ReadTest[] = [];
  for (const scenario of scenarios) {
    const bases = await readTestList(getOwnProperty(scenario, 'config'), config, context);
    const scenarioTests = await readTestList(getOwnProperty(scenario, 'tests'), config, context);
    for (const base of bases)
      for (const test of scenarioTests.length > 0 ? scenarioTests : [emptyTest])
        tests.push(mergeTests(base, test));
  }
  return tests;
}

/** Returns the items of a list, with those of files in place of references. */
async function resolveFiles(value: unknown, subject: string, { files }: ReadContext): Promise<unknown[]> {
  const items: unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : [value];
  const resolved: unknown[] = [];
  for (const item of items)
    resolved.push(...(isFileReference(item) ? (await files.readValues(item, subject)).flat() : [item]));
  return resolved;
}

async function readTestList(
  value: unknown,
  config: Record<string, unknown>,
  context: ReadContext,
): Promise<ReadTest[]> {
  const entries: unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : [value];
  const tests: ReadTest[] = [];
  for (const entry of entries) {
    if (typeof entry === 'string') tests.push(...(await readTestFiles(entry, config, context)));
    else if (isRecord(entry) && typeof entry['path'] === 'string') {
      context.notes.add({ subject: 'test generator', reason: 'Bench runs no code' });
    } else if (isRecord(entry)) tests.push(await readTest(entry, config, context));
    else context.notes.add({ subject: 'test', reason: 'it is neither a map nor the name of a file' });
  }
  return tests;
}

async function readTestFiles(
  reference: string,
  config: Record<string, unknown>,
  context: ReadContext,
): Promise<ReadTest[]> {
  if (!isFileReference(reference) && /^[a-z][\w+.-]*:/i.test(reference)) {
    context.notes.add({ subject: 'test file', reason: 'Bench fetches nothing that a file names' });
    return [];
  }
  const tests: ReadTest[] = [];
  for (const file of await context.files.read(reference, 'test file')) {
    if (file.extension === 'csv') tests.push(...readCsvTests(file, context.notes));
    else {
      for (const value of readFileValues(file, context.notes))
        if (isRecord(value)) tests.push(await readTest(value, config, context));
        else
          context.notes.add({
            subject: 'test',
            reason: `it is not a map in ${sanitizeForSentence(file.path)}`,
          });
    }
  }
  return tests;
}

/** Returns the tests in a JSON, JSON Lines or YAML file. */
function readFileValues({ extension, path, text }: ReadConfigFile, notes: NoteCollector): unknown[] {
  if (extension === 'jsonl')
    return text.split('\n').flatMap((line) => {
      if (line.trim() === '') return [];
      const parsed = parseJson(line);
      if (!parsed.ok) notes.add({ subject: 'test file line', reason: 'it is not JSON' });
      return parsed.ok ? [parsed.value] : [];
    });
  const parsed = parseConfigDocument(text);
  if (parsed.ok) return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  notes.add({
    subject: 'test file',
    reason: `${sanitizeForSentence(path)} cannot be read: ${parsed.reason}`,
  });
  return [];
}

function readCsvTests({ text, path }: ReadConfigFile, notes: NoteCollector): ReadTest[] {
  const { columns, rows, invalidLines } = readTable(text, {
    name: path,
    format: 'delimited',
    hasHeader: true,
  });
  for (const _ of invalidLines)
    notes.add({ subject: 'test file line', reason: 'its fields do not match the header' });
  return rows.map(({ cells }) => {
    const test: ReadTest = { ...emptyTest, vars: {}, assertions: [], metadata: {}, expandsLists: false };
    let metric: string | undefined;
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? '';
      if (column.startsWith('__expected')) {
        if (cell.trim() !== '') test.assertions.push(parseCsvAssertion(cell));
      } else if (column === '__description') test.description = cell;
      else if (column === '__metric') metric = cell;
      else if (column.startsWith('__metadata:')) test.metadata[column.slice('__metadata:'.length)] = cell;
      else if (column.startsWith('__')) {
        if (cell !== '')
          notes.add({ subject: 'test setting', name: column, reason: 'Bench has no such setting' });
      } else test.vars[column] = cell;
    }
    if (metric)
      for (const assertion of test.assertions) if (isRecord(assertion)) assertion['metric'] = metric;
    return test;
  });
}

/** Settings of a test that are read, or that change nothing in Bench. */
const readSettings = new Set(['vars', 'assert', 'description', 'metadata', 'options']);
const optionReasons: Readonly<Record<string, string>> = {
  provider: 'no check of Bench asks a model',
  rubricPrompt: 'no check of Bench asks a model',
  factuality: 'no check of Bench asks a model',
};
/** Options that are applied where the assertions are read. */
const readOptions = new Set(['transform', 'postprocess', 'disableVarExpansion', 'disableDefaultAsserts']);

async function readTest(
  test: Record<string, unknown>,
  config: Record<string, unknown>,
  context: ReadContext,
): Promise<ReadTest> {
  const { notes } = context;
  const options = getOwnProperty(test, 'options');
  for (const [key, value] of Object.entries(test))
    if (!readSettings.has(key) && value !== undefined && value !== null)
      notes.add({ subject: 'test setting', name: key, reason: 'Bench has no such setting' });
  for (const key of Object.keys(isRecord(options) ? options : {}))
    if (!readOptions.has(key))
      notes.add({
        subject: 'test option',
        name: key,
        reason:
          (Object.hasOwn(optionReasons, key) ? optionReasons[key] : undefined) ?? 'Bench has no such setting',
      });
  const transform = getOwnProperty(options, 'transform') ?? getOwnProperty(options, 'postprocess');
  const description = getStringProperty(test, 'description');
  const metadata = getOwnProperty(test, 'metadata');
  return {
    vars: await readVars(getOwnProperty(test, 'vars'), context),
    assertions: await readAssertions(getOwnProperty(test, 'assert'), config, context),
    metadata: isRecord(metadata) ? withoutUnsafeNames(metadata, notes) : {},
    expandsLists: getOwnProperty(options, 'disableVarExpansion') !== true,
    ...(getOwnProperty(options, 'disableDefaultAsserts') === true ? { skipsDefaultAssertions: true } : {}),
    ...(description === undefined ? {} : { description }),
    ...(transform === undefined || transform === null ? {} : { transform }),
  };
}

/** Reads the values of a test. A value may be in a file, and so may all of them. */
async function readVars(value: unknown, context: ReadContext): Promise<Record<string, unknown>> {
  const vars: Record<string, unknown> = {};
  for (const part of await resolveFiles(value, 'value file', context))
    if (isRecord(part)) {
      for (const [name, item] of Object.entries(withoutUnsafeNames(part, context.notes)))
        vars[name] = await readVarItem(item, context);
    }
  return vars;
}

/** Returns a value with those of files in the place of references. */
async function readVarItem(item: unknown, context: ReadContext): Promise<unknown> {
  if (isFileReference(item)) return readVarFile(item, context);
  if (!Array.isArray(item) || !item.some(isFileReference)) return item;
  const items: unknown[] = item;
  const values: unknown[] = [];
  for (const each of items) {
    if (!isFileReference(each)) values.push(each);
    else {
      const value = await readVarFile(each, context);
      const list: unknown[] = Array.isArray(value) ? value : [value];
      values.push(...list);
    }
  }
  return values;
}

/** Returns the value in a file: data of JSON and YAML, otherwise its text. */
async function readVarFile(
  reference: string,
  { files, notes }: ReadContext,
  subject = 'value file',
): Promise<unknown> {
  const values = (await files.read(reference, subject)).map((file) => {
    if (!['json', 'yaml', 'yml'].includes(file.extension)) return file.text.trim();
    const parsed = parseConfigDocument(file.text);
    if (!parsed.ok) notes.add({ subject, reason: `it cannot be read: ${parsed.reason}` });
    return parsed.ok ? parsed.value : '';
  });
  return values.length > 1 ? values : (values[0] ?? '');
}

function withoutUnsafeNames(record: Record<string, unknown>, notes: NoteCollector): Record<string, unknown> {
  if (!Object.hasOwn(record, '__proto__')) return record;
  notes.add({ subject: 'value', name: '__proto__', reason: 'Bench has no values of this name' });
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== '__proto__'));
}

const maxReferenceHops = 5;
const maxSetDepth = 5;

/** Returns the assertions of a list, with those of files, `$ref` and sets in their place. */
async function readAssertions(
  value: unknown,
  config: Record<string, unknown>,
  context: ReadContext,
  depth = 0,
): Promise<unknown[]> {
  const assertions: unknown[] = [];
  for (const item of await resolveFiles(value, 'assertion file', context)) {
    const assertion = resolveReference(item, config);
    const isSet =
      getStringProperty(assertion, 'type') === 'assert-set' &&
      getOwnProperty(assertion, 'threshold') === undefined;
    if (isSet && depth < maxSetDepth)
      assertions.push(
        ...(await readAssertions(getOwnProperty(assertion, 'assert'), config, context, depth + 1)),
      );
    else assertions.push(await readAssertionFile(assertion, context));
  }
  return assertions;
}

/** Follows references into the configuration, such as `$ref: '#/assertionTemplates/short'`. */
function resolveReference(value: unknown, config: Record<string, unknown>): unknown {
  let resolved = value;
  for (let hop = 0; hop < maxReferenceHops; hop += 1) {
    const reference = getStringProperty(resolved, '$ref');
    if (reference?.startsWith('#/') !== true) return resolved;
    resolved = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => getOwnProperty(node, key), config);
  }
  return resolved;
}

/** Returns the assertion with the content of the file that its value names. */
async function readAssertionFile(assertion: unknown, context: ReadContext): Promise<unknown> {
  const reference = getOwnProperty(assertion, 'value');
  if (!isRecord(assertion) || !isFileReference(reference)) return assertion;
  if (findUnreadReason(assertion) !== undefined) return assertion;
  if (!/\.(?:txt|md|json|ya?ml|csv|jsonl)$/i.test(reference)) return assertion;
  return { ...assertion, value: await readVarFile(reference, context, 'assertion file') };
}
