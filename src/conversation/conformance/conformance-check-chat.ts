/** The chat part of the check: one streamed and one whole answer against every rule, then field by field. */
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CheckCalls, CheckRow } from './conformance-check-call.ts';
import { ruleTitles, type Finding, type RuleName } from './conformance-finding.ts';
import { answerFacts } from './conformance-response.ts';
import { conformanceOf } from './conformance.ts';

interface Probe {
  about: string;
  prompt: string;
  fields: JsonObject;
  /** Only these rules; all of them where absent. */
  rules?: readonly RuleName[];
}

const counting = 'Count from one to twelve in words, one per line.';
const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The current weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** Small answers: a check costs a few hundred tokens. */
const probes: readonly Probe[] = [
  { about: 'Chat, streamed', prompt: counting, fields: { stream: true, max_tokens: 120 } },
  {
    about: 'Chat, streamed with usage',
    prompt: 'Say hello.',
    fields: { stream: true, max_tokens: 16, stream_options: { include_usage: true } },
    rules: ['usage'],
  },
  { about: 'Chat, whole', prompt: counting, fields: { max_tokens: 120 } },
  { about: 'Chat, n', prompt: 'Say hello.', fields: { n: 2, max_tokens: 16 }, rules: ['n'] },
  { about: 'Chat, stop', prompt: counting, fields: { stop: ['four'], max_tokens: 120 }, rules: ['stop'] },
  { about: 'Chat, max_tokens', prompt: counting, fields: { max_tokens: 3 }, rules: ['max_tokens'] },
  {
    about: 'Chat, JSON mode',
    prompt: 'Answer with a JSON object that has one field, "hello".',
    fields: { response_format: { type: 'json_object' }, max_tokens: 400 },
    rules: ['response_format'],
  },
  {
    about: 'Chat, tools',
    prompt: 'What is the weather in Rome now? Use the tool.',
    fields: { stream: true, tools: [weather], max_tokens: 120 },
    rules: ['tool-calls', 'finish-reason'],
  },
  {
    about: 'Chat, thinking',
    prompt: 'What is 12 times 12?',
    fields: { stream: true, enable_thinking: true, thinking_budget: 128, max_tokens: 400 },
    rules: ['enable_thinking'],
  },
];

/** So many chats are asked for. */
export const chatProbes = probes.length;

/** Rows as they arrive: an answer can take a while. */
export async function* chatRows({ chat }: CheckCalls, model: string): AsyncGenerator<CheckRow> {
  for (const { about, prompt, fields, rules } of probes) {
    const body: ChatRequest = { model, messages: [{ role: 'user', content: prompt }], ...fields };
    const tape = await chat(body);
    yield* rowsOf(about, tape, rules);
  }
}

/** What went wrong, where something between us and the gateway answered in its place. */
function failureIn(tape: readonly TapeEntry[]): string | undefined {
  const phase = answerFacts(tape)?.run.phase;
  return phase && 'error' in phase ? phase.error?.message : undefined;
}

function rowsOf(
  about: string,
  tape: readonly TapeEntry[],
  rules: readonly RuleName[] | undefined,
): CheckRow[] {
  const findings = conformanceOf(tape);
  const row = (finding: Finding): CheckRow => ({
    about,
    title: ruleTitles[finding.rule],
    section: finding.section,
    verdict: finding.verdict,
    detail: finding.detail,
  });
  const status = tape.find((entry) => 'status' in entry && entry.proxied === true);
  if (!status || !('status' in status)) {
    const end = tape.find((entry) => 'end' in entry);
    const why = (end && 'end' in end ? end.error?.raw : undefined) ?? failureIn(tape);
    return [
      {
        about,
        title: 'Answer',
        section: '§4',
        verdict: 'fault',
        detail: `No answer received. ${why ?? ''}`.trim(),
      },
    ];
  }
  const isAnswer = status.status >= 200 && status.status < 300;
  if (rules === undefined || isAnswer) {
    const own = findings.filter(({ rule }) => rules === undefined || rules.includes(rule)).map(row);
    if (rules !== undefined || isAnswer) return own;
    const detail = `The answer has status ${status.status}, so there is nothing to check.`;
    return [{ about, title: 'Answer', section: '§4', verdict: 'fault', detail }, ...own];
  }
  const shape = findings.find(({ rule }) => rule === 'error-shape');
  const detail = `Rejected with status ${status.status}. ${shape?.detail ?? ''}`.trim();
  return [{ about, title: 'Answer', section: '§2.1', verdict: 'note', detail }];
}
