import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { getContentText } from '../../../conversation/request/request.ts';
import { defaultParams } from '../../../conversation/setup/params.ts';
import type { Check } from '../../trial.ts';
import type { ConfigFiles } from './config-files.ts';
import { describeImportNote } from './config-notes.ts';
import {
  createTrialFromDraft,
  isPromptfooConfig,
  parsePromptfooConfig,
  type TrialDraft,
} from './parse-promptfoo-config.ts';

const fixtures = join(import.meta.dirname, '__fixtures__');
const fixtureFiles: ConfigFiles = {
  readFile: async (path) => ({ ok: true, text: readFileSync(join(fixtures, path), 'utf8') }),
  listFiles: async (folder) => readdirSync(join(fixtures, folder)),
};
const noFiles: ConfigFiles = { readFile: async () => undefined };

const read = async (text: string, files: ConfigFiles = noFiles) => {
  const result = await parsePromptfooConfig(text, files);
  if (!result.ok) throw new Error(result.reason);
  return { ...result, sentences: result.notes.map(describeImportNote) };
};

const describeExpected = ({ expected }: Pick<Check, 'expected'>): string[] =>
  expected ? ['text' in expected ? `“${expected.text}”` : `{${expected.value}}`] : [];

const describeChecks = ({ checks }: TrialDraft): string[] =>
  checks.map((check) =>
    [
      `${check.name}:`,
      check.kind,
      ...(Object.keys(check.settings).length > 0 ? [JSON.stringify(check.settings)] : []),
      ...(check.field === undefined ? [] : [`of ${check.field}`]),
      ...describeExpected(check),
    ].join(' '),
  );

const describeColumns = ({ columns, messages }: TrialDraft): string[] =>
  columns.map(({ setup, messages: own = messages }) => {
    const params = Object.entries(setup.params).flatMap(([name, param]) =>
      Object.hasOwn(defaultParams, name) ? [] : [`${name}=${param.text}`],
    );
    const system = setup.system === '' ? [] : [`${setup.systemRole ?? 'system'}: ${setup.system}`];
    const texts = own.map(
      ({ role, content }) => `${role === 'user' ? '' : `${role}: `}${getContentText(content)}`,
    );
    return [setup.model, ...params, ...system, ...texts].join(' | ');
  });

interface FixtureRow {
  file: string;
  columns: string[];
  cases: Record<string, string>[];
  checks: string[];
  notes: string[];
  repeats?: number;
}

const fixtureRows: FixtureRow[] = [
  {
    file: 'chat-config.json',
    columns: [
      'gpt-4.1 | developer: Answer in {{language}}. | Hi | assistant: Hello, how can I help? | {{question}}',
      'gpt-4.1-nano | top_p=0.5 | developer: Answer in {{language}}. | Hi | assistant: Hello, how can I help? | {{question}}',
    ],
    cases: [
      { language: 'English', question: 'What is 2 + 2?', 'expected regex': 'yes', 'expected regex 2': '' },
      { language: 'English', question: 'What is "3"?', 'expected regex': '', 'expected regex 2': 'yes' },
    ],
    checks: [
      'regex: matches {"pattern":"\\\\b4\\\\b"} {expected regex}',
      'regex 2: matches {"pattern":"\\\\b3\\\\b"} {expected regex 2}',
    ],
    notes: ['1 check was read with a difference: “regex” decides, and other checks are only counted.'],
  },
  {
    file: 'defaults.yaml',
    columns: ['gpt-4.1 | {{question}}'],
    cases: [
      { tone: 'friendly', question: 'Who wrote Hamlet?', 'expected Author': 'Shakespeare' },
      { tone: 'friendly', question: 'Who wrote Faust?', 'expected Author': 'Goethe' },
      { tone: 'friendly', question: 'Say anything.', 'expected Author': '' },
    ],
    checks: [
      'No disclaimer: contains none {"ignoreCase":true} “as an AI”',
      'latency: whole answer within {"ms":4000}',
      'word-count: length {"atMost":80,"unit":"words"}',
      'Author: contains {"all":true} {expected Author}',
    ],
    notes: [
      '1 setting “common” was not read: Bench has no such setting.',
      '3 checks were read with a difference: “No disclaimer” decides, and other checks are only counted.',
    ],
  },
  {
    file: 'files.yaml',
    columns: [
      'gpt-5-mini | Which team handles this?\n{{ticket}}',
      'gpt-5-mini | Route the ticket to one team.\n\n{{ticket}}',
      'gpt-5-mini | system: You route tickets for {{shop}}. | {{ticket}}',
    ],
    cases: [
      {
        ticket: 'I was charged twice, please help',
        shop: 'Alpha',
        description: 'double charge',
        area: 'money',
        'expected equals': 'billing',
        'expected is-json': 'yes',
        'expected contains-any': '',
      },
      {
        ticket: 'My parcel is late',
        shop: 'Alpha',
        description: 'late parcel',
        area: 'parcels',
        'expected equals': 'shipping',
        'expected is-json': '',
        'expected contains-any': '',
      },
      {
        ticket: 'The app crashes',
        shop: 'Beta',
        description: 'crash',
        area: 'software',
        'expected equals': '',
        'expected is-json': '',
        'expected contains-any': 'technical\ntech support',
      },
    ],
    checks: [
      'equals: equals {expected equals}',
      'is-json: is JSON {expected is-json}',
      'contains-any: contains {expected contains-any}',
    ],
    notes: ['2 checks were read with a difference: “equals” decides, and other checks are only counted.'],
    repeats: 3,
  },
  {
    file: 'formats.yaml',
    columns: [
      'gpt-4.1 | tools=[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}] | tool_choice=function:get_weather | response_format=json_object | stop=END\\n\n### | reasoning_effort=low | seed=7 | Extra provider fields={"service_tier":"flex"} | Weather in {{city}}?',
    ],
    cases: [
      { city: 'Oslo', 'expected is-json': 'yes', 'expected is-json 2': '' },
      { city: 'Rome', 'expected is-json': '', 'expected is-json 2': 'yes' },
    ],
    checks: [
      'is-json: fits schema {"schema":{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}} {expected is-json}',
      'finish-reason: finish reason {"reason":"tool_calls"} {expected is-json}',
      'starts-with: matches {"pattern":"^\\\\{"} {expected is-json}',
      'not-equals: matches none {"pattern":"^\\\\s*\\\\{\\\\}\\\\s*$"} {expected is-json}',
      'is-json 2: is JSON {expected is-json 2}',
    ],
    notes: [
      '1 provider setting “functionToolCallbacks” was not read: Bench has no such setting.',
      '1 is-valid-openai-tools-call assertion in 1 case was not read: Bench has no such check.',
      '4 checks were read with a difference: “is-json” decides, and other checks are only counted.',
    ],
  },
  {
    file: 'graded.yaml',
    columns: ['gpt-4.1 | Explain {{topic}}'],
    cases: [
      { topic: 'tides', 'expected contains': 'moon', 'expected icontains-all': '' },
      { topic: 'rain', 'expected contains': 'rain', 'expected icontains-all': 'water\ncloud' },
    ],
    checks: [
      'contains: contains {"all":true} {expected contains}',
      'icontains-all: contains {"ignoreCase":true,"all":true} {expected icontains-all}',
    ],
    notes: [
      '1 setting “extensions” was not read: Bench runs no code.',
      '1 prompt was not read: Bench runs no code.',
      '1 prompt was not read: Bench fetches nothing that a file names.',
      '1 test option “provider” was not read: no check of Bench asks a model.',
      '1 llm-rubric assertion in 2 cases was not read: no check of Bench asks a model.',
      '2 javascript assertions in 2 cases were not read: Bench runs no code.',
      '1 similar assertion in 1 case was not read: no check of Bench asks a model.',
      '1 python assertion in 1 case was not read: Bench runs no code.',
      '1 cost assertion in 1 case was not read: Bench has no such check.',
      '1 assertion weight was not read: one check decides in Bench.',
      '1 check was read with a difference: “contains” decides, and other checks are only counted.',
    ],
  },
  {
    file: 'lists.yaml',
    columns: ['gpt-4.1 | Write one {{style}} sentence about {{topic}} for {{reader.name}}.'],
    cases: [
      {
        topic: 'owls',
        style: 'formal',
        reader: '{"name":"Ada","age":36}',
        'reader.name': 'Ada',
        expected: 'owls',
      },
      {
        topic: 'owls',
        style: 'casual',
        reader: '{"name":"Ada","age":36}',
        'reader.name': 'Ada',
        expected: 'owls',
      },
      {
        topic: 'rivers',
        style: 'formal',
        reader: '{"name":"Ada","age":36}',
        'reader.name': 'Ada',
        expected: 'rivers',
      },
      {
        topic: 'rivers',
        style: 'casual',
        reader: '{"name":"Ada","age":36}',
        'reader.name': 'Ada',
        expected: 'rivers',
      },
      {
        topic: 'trains',
        style: 'formal',
        reader: '{"name":"Ada","age":36}',
        'reader.name': 'Ada',
        expected: 'trains',
      },
      {
        topic: 'trains',
        style: 'casual',
        reader: '{"name":"Ada","age":36}',
        'reader.name': 'Ada',
        expected: 'trains',
      },
      {
        topic: '["a","b"]',
        style: 'plain',
        reader: '{"name":"Bo"}',
        both: 'plain and ["a","b"]',
        'reader.name': 'Bo',
        expected: '',
      },
    ],
    checks: ['contains: contains {"all":true} {expected}'],
    notes: [],
  },
  {
    file: 'providers.yaml',
    columns: [
      'claude-sonnet-4-5 | max_tokens=500 | temperature=0.2 | {{question}}',
      'meta-llama/llama-4-scout:free | {{question}}',
      'llama3.3:70b | {{question}}',
      'gpt-4.1 | top_k=20 | {{question}}',
    ],
    cases: [{ question: 'Hi' }],
    checks: [],
    notes: [
      '1 provider “anthropic:messages:claude-sonnet-4-5” was read with a difference: claude-sonnet-4-5 is requested from your gateway, which must know it.',
      '1 provider “openrouter:meta-llama/llama-4-scout:free” was read with a difference: meta-llama/llama-4-scout:free is requested from your gateway, which must know it.',
      '1 provider “ollama:chat:llama3.3:70b” was read with a difference: llama3.3:70b is requested from your gateway, which must know it.',
      '1 provider setting “apiKey” was not read: keys and headers come from the server of Bench only.',
      '1 provider setting “apiBaseUrl” was not read: requests go to the gateway of Bench only.',
      '1 provider setting “headers” was not read: keys and headers come from the server of Bench only.',
      '1 parameter value “temperature” was not read: Bench cannot send it.',
      '1 exec provider was not read: Bench runs no code.',
      '1 code provider was not read: Bench runs no code.',
      '1 https provider was not read: requests go to the gateway of Bench only.',
      '1 provider “openai:embedding” was not read: it names no chat model.',
      '1 provider “openai:assistant” was not read: it names no chat model.',
    ],
  },
  {
    file: 'scenarios.yaml',
    columns: ['gpt-4.1 | Say "{{word}}" in {{language}}.'],
    cases: [
      { language: 'Spanish', hello: 'hola', word: 'hello', description: 'greeting', expected: 'hola' },
      { language: 'Spanish', hello: 'hola', word: 'goodbye', description: 'farewell', expected: '' },
      { language: 'Italian', hello: 'ciao', word: 'hello', description: 'greeting', expected: 'ciao' },
      { language: 'Italian', hello: 'ciao', word: 'goodbye', description: 'farewell', expected: '' },
    ],
    checks: ['icontains: contains {"ignoreCase":true,"all":true} {expected}'],
    notes: [],
  },
  {
    file: 'templates.yaml',
    columns: [
      'gpt-4.1 | {% if polite %}Please {% endif %}answer: {{ question | upper }}\nContext: {{context}} {{env.TOKEN}} {{ not_a_variable }}\n',
    ],
    cases: [
      {
        question: 'How many teams are there?',
        context: 'Which team handles this?\n{{ticket}}\n---\nRoute the ticket to one team.\n\n{{ticket}}',
        expected: '4 teams',
        count: '4',
      },
    ],
    checks: ['word-count: length {"atMost":20,"unit":"words"}', 'equals: equals of answer {expected}'],
    notes: [
      '1 setting “env” was not read: environment variables are never read.',
      '2 template tags were not read: {{name}} is the only template, so the text stays as it is.',
      '1 template expression was not read: {{name}} is the only template, so the text stays as it is.',
      '1 environment variable was not read: environment variables are never read, so the text stays as it is.',
      '1 contains assertion in 1 case was not read: its transform is code, and Bench runs no code.',
      '1 check was read with a difference: “word-count” decides, and other checks are only counted.',
    ],
  },
  {
    file: 'translations.yaml',
    columns: [
      'gpt-4.1-mini | Translate to {{language}}: {{input}}',
      'gpt-4.1-mini | You are a translator.\nSay "{{input}}" in {{ language }}, and nothing else.\n',
      'gpt-4.1 | temperature=0 | max_tokens=200 | Translate to {{language}}: {{input}}',
      'gpt-4.1 | temperature=0 | max_tokens=200 | You are a translator.\nSay "{{input}}" in {{ language }}, and nothing else.\n',
    ],
    cases: [
      { language: 'French', input: 'Good morning', 'expected icontains': 'bonjour' },
      { language: 'German', input: 'Good night', 'expected icontains': 'gute nacht' },
    ],
    checks: [
      'icontains: contains {"ignoreCase":true,"all":true} {expected icontains}',
      'not-contains: contains none {input}',
    ],
    notes: ['1 check was read with a difference: “icontains” decides, and other checks are only counted.'],
  },
];

describe('configurations in the shapes of public ones', () => {
  it.each(fixtureRows)('reads $file', async ({ file, repeats = 1, ...expected }) => {
    const { draft, sentences, missingFiles } = await read(
      readFileSync(join(fixtures, file), 'utf8'),
      fixtureFiles,
    );
    expect({
      columns: describeColumns(draft),
      cases: draft.cases.map(({ values }) => values),
      checks: describeChecks(draft),
      notes: sentences,
    }).toEqual(expected);
    expect(draft.repeats).toBe(repeats);
    expect(missingFiles).toEqual([]);
  });
});

const withTests = (tests: unknown, rest: object = {}) =>
  JSON.stringify({ prompts: ['{{q}}'], providers: ['openai:m'], tests, ...rest });

describe('parsePromptfooConfig', () => {
  it.each([
    ['JSON.parse(output).a', undefined, ['equals of a “1”', 'is JSON: no']],
    [undefined, 'output.a.b[0]', ['equals of a.b[0] “1”', 'is JSON: no']],
    ['output', 'output["a"]', ['equals of a “1”', 'is JSON: no']],
    ['JSON.parse(output)', undefined, ['equals: no', 'is JSON']],
    ['JSON.parse(output)', 'output?.a;', ['equals of a “1”', 'is JSON: no']],
    ['JSON.parse(output).a()', undefined, ['equals: no', 'is JSON: no']],
  ])(
    'reads the test transform %j with %j as the field of a check',
    async (testTransform, transform, expected) => {
      const assert = [
        { type: 'equals', value: '1', transform },
        { type: 'is-json', transform },
      ];
      const { draft } = await read(withTests([{ vars: {}, options: { transform: testTransform }, assert }]));
      const describeKind = (kind: string, name: string) => {
        const check = draft.checks.find((each) => each.kind === kind);
        return check
          ? describeChecks({ ...draft, checks: [check] })[0]?.replace(`${name}: `, '')
          : `${kind}: no`;
      };
      expect([describeKind('equals', 'equals'), describeKind('is JSON', 'is-json')]).toEqual(expected);
    },
  );

  it('has an empty prompt if no prompt is readable, and {{prompt}} without prompts', async () => {
    expect((await read(withTests([{}], { prompts: ['file://a.js'] }))).draft.messages[0]?.content).toBe('');
    expect((await read(withTests([{}], { prompts: undefined }))).draft.messages[0]?.content).toBe(
      '{{prompt}}',
    );
  });

  it.each([
    ['openai:gpt-4.1', 'gpt-4.1'],
    ['openai:chat:ft:gpt-4.1:org', 'ft:gpt-4.1:org'],
    ['openai:responses:gpt-5', 'gpt-5'],
    ['adaline:openai:chat:gpt-4.1', 'gpt-4.1'],
    ['ollama:chat:llama3.3:70b', 'llama3.3:70b'],
    ['huggingface:chat:google/gemma:novita', 'google/gemma:novita'],
    ['openai:embedding:text-embedding-3-large', ''],
    ['anthropic:claude-agent-sdk', ''],
    ['echo', ''],
    ['openai:{{env.MODEL}}', ''],
  ])('reads the model of %s as “%s”', async (id, model) => {
    const { draft } = await read(withTests([{}], { providers: [id] }));
    expect(draft.columns.map(({ setup }) => setup.model)).toEqual([model]);
  });

  it.each([
    ['icontains', 'Yes', 'contains {"ignoreCase":true,"all":true} “Yes”'],
    ['contains', 'two\nlines', 'matches {"pattern":"^(?=[^]*two\\nlines)"}'],
    ['contains-all', ['a', 'b'], 'contains {"all":true} “a\nb”'],
    ['contains-any', 'a, "b, c"', 'contains “a\nb, c”'],
    ['icontains-any', ['a', 'b'], 'contains {"ignoreCase":true} “a\nb”'],
    ['not-contains', 'a', 'contains none “a”'],
    ['not-icontains-any', ['a', 'b'], 'contains none {"ignoreCase":true} “a\nb”'],
    ['not-regex', '^a', 'matches none {"pattern":"^a"}'],
    ['not-starts-with', 'a.b', 'matches none {"pattern":"^a\\\\.b"}'],
    ['equals', 4, 'equals “4”'],
    ['is-json', undefined, 'is JSON'],
    ['is-json', '{"type": "object"}', 'fits schema {"schema":{"type":"object"}}'],
    ['word-count', 5, 'length {"atLeast":5,"atMost":5,"unit":"words"}'],
    ['finish-reason', 'stop', 'finish reason {"reason":"stop"}'],
  ])('reads %s %j as a check', async (type, value, expected) => {
    const { draft, notes } = await read(withTests([{ vars: { q: '1' }, assert: [{ type, value }] }]));
    expect(describeChecks(draft)).toEqual([`${type}: ${expected}`]);
    expect(notes).toEqual([]);
  });

  it.each([
    ['not-contains-all', ['a', 'b'], 'Bench has no check that is exactly the same'],
    ['not-is-json', undefined, 'Bench has no check that is exactly the same'],
    ['equals', { a: 1 }, 'Bench has no check that is exactly the same'],
    ['regex', '(', 'Bench has no check that is exactly the same'],
    ['contains', 'file://check.js', 'Bench runs no code'],
    ['contains', '{{ q | upper }}', '{{name}} is the only template'],
    ['not-levenshtein', 'a', 'Bench has no such check'],
    ['webhook', 'https://checks.example', 'Bench sends answers to no other server'],
    ['constructor', 'a', 'the type is unknown'],
  ])('names %s %j as not read', async (type, value, reason) => {
    const { draft, sentences } = await read(withTests([{ vars: { q: '1' }, assert: [{ type, value }] }]));
    expect(draft.checks).toEqual([]);
    expect(sentences).toEqual([`1 ${type} assertion in 1 case was not read: ${reason}.`]);
  });

  it('keeps the checks of most cases if there are too many', async () => {
    const tests = Array.from({ length: 60 }, (_, index) => ({
      vars: { q: `${index}` },
      assert: [
        { type: 'regex', value: `r${index}` },
        { type: 'contains', value: `c${index}` },
      ],
    }));
    const { draft, sentences } = await read(withTests(tests));
    expect(draft.checks).toHaveLength(40);
    expect(draft.checks[draft.decides ?? -1]?.name).toBe('contains');
    expect(sentences).toContain(
      '21 checks were not read: a trial has at most 40 checks and 64 values per case.',
    );
  });

  it('applies the assertions of the default test, unless a test turns them off', async () => {
    const { draft } = await read(
      withTests([{ vars: { q: '1' } }, { vars: { q: '2' }, options: { disableDefaultAsserts: true } }], {
        defaultTest: { assert: [{ type: 'contains', value: 'x' }] },
      }),
    );
    expect(draft.cases.map(({ values }) => values['expected'])).toEqual(['x', '']);
  });

  it.each([
    ['icontains: Yes, no', 'icontains: contains {"ignoreCase":true,"all":true} “Yes, no”'],
    ['contains-any:a, b', 'contains-any: contains “a\nb”'],
    ['not-contains:a', 'not-contains: contains none “a”'],
    ['is-json', 'is-json: is JSON'],
    ['latency(500)', 'latency: whole answer within {"ms":500}'],
    ['human: x', 'equals: equals “human: x”'],
    ['Note: x', 'equals: equals “Note: x”'],
    ['fn:output.length', undefined],
    ['similar(0.8):hello', undefined],
    ['file://check.py', undefined],
  ])('reads the __expected column “%s”', async (cell, expected) => {
    const csv = `q,__expected\n1,"${cell}"\n`;
    const { draft } = await read(withTests('file://a.csv'), {
      readFile: async () => ({ ok: true, text: csv }),
    });
    expect(describeChecks(draft)[0]).toBe(expected);
  });

  it('lists the files that it does not have', async () => {
    const text = withTests('file://cases.csv', { prompts: ['file://a.txt', 'file://prompts/*.md'] });
    const { missingFiles, sentences } = await read(text);
    expect(missingFiles).toEqual(['a.txt', 'prompts/*.md', 'cases.csv']);
    expect(sentences).toContain('1 test file was not read: the file cases.csv is missing.');
  });

  it('reads a prompt as text unless it is the name of a text file', async () => {
    const { draft, notes } = await read(withTests([{}], { prompts: ['a*b', 'Ask https://x.example/a'] }));
    expect(describeColumns(draft)).toEqual(['m | a*b', 'm | Ask https://x.example/a']);
    expect(notes).toEqual([]);
  });

  it('limits a provider to its prompts', async () => {
    const { draft } = await read(
      withTests([{}], {
        prompts: [
          { raw: 'one', label: 'first' },
          { raw: 'two', id: 'second' },
        ],
        providers: ['openai:a', { id: 'openai:b', prompts: ['second'] }],
      }),
    );
    expect(describeColumns(draft)).toEqual(['a | one', 'a | two', 'b | two']);
  });

  it('creates a trial whose deciding check is the one that counts in most cases', async () => {
    const rare = { type: 'regex', value: 'x' };
    const common = { type: 'contains', value: 'y' };
    const { draft } = await read(
      withTests([
        { vars: { q: '1' }, assert: [rare, common] },
        { vars: { q: '2' }, assert: [common] },
      ]),
    );
    let count = 0;
    const { trial, cases } = await createTrialFromDraft(draft, {
      now: () => 1,
      newId: () => `id-${(count += 1)}`,
      seed: 7,
    });
    expect(trial.checks.find(({ id }) => id === trial.decides)?.name).toBe('contains');
    expect(trial.batches[0]?.caseIds).toEqual(cases.map(({ id }) => id));
    expect(new Set(cases.map(({ id }) => id)).size).toBe(2);
    expect(trial.baseline).toBe(trial.columns[0]?.id);
  });

  it('recognises YAML by its name or keys, and JSON by its prompts and providers', () => {
    expect(isPromptfooConfig('x.yml', '')).toBe(true);
    expect(isPromptfooConfig('x.json', withTests([]))).toBe(true);
    expect(isPromptfooConfig('the pasted text', '# a\nproviders:\n - a\nprompts: [b]')).toBe(true);
    expect(isPromptfooConfig('the pasted text', 'prompts: b')).toBe(false);
    expect(isPromptfooConfig('x.json', '{"data": [{"prompts": 1}]}')).toBe(false);
    expect(isPromptfooConfig('x.json', '[{"prompts": [], "providers": []}]')).toBe(false);
  });
});
