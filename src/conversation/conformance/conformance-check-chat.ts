/** Chat part of the check: applies every rule to a streamed and a complete response, then tests single fields. */
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CheckClient, CheckRow } from './conformance-check-client.ts';
import { ruleTitles, type RuleFinding, type RuleName } from './conformance-finding.ts';
import { collectResponse } from './conformance-response.ts';
import { checkConformance } from './conformance.ts';

interface Probe {
  about: string;
  prompt: string;
  fields: JsonObject;
  /** Limits the check to these rules; all rules if omitted. */
  rules?: readonly RuleName[];
}

const countingPrompt = 'Count from one to twelve in words, one per line.';
const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The current weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** Short prompts and low token limits, so that a check costs only a few hundred tokens. */
const probes: readonly Probe[] = [
  { about: 'Chat, streamed', prompt: countingPrompt, fields: { stream: true, max_tokens: 120 } },
  {
    about: 'Chat, streamed with usage',
    prompt: 'Say hello.',
    fields: { stream: true, max_tokens: 16, stream_options: { include_usage: true } },
    rules: ['usage'],
  },
  { about: 'Chat, not streamed', prompt: countingPrompt, fields: { max_tokens: 120 } },
  { about: 'Chat, n', prompt: 'Say hello.', fields: { n: 2, max_tokens: 16 }, rules: ['n'] },
  {
    about: 'Chat, stop',
    prompt: countingPrompt,
    fields: { stop: ['four'], max_tokens: 120 },
    rules: ['stop'],
  },
  { about: 'Chat, max_tokens', prompt: countingPrompt, fields: { max_tokens: 3 }, rules: ['max_tokens'] },
  {
    about: 'Chat, JSON mode',
    prompt: 'Answer with a JSON object that has one field, "hello".',
    fields: { response_format: { type: 'json_object' }, max_tokens: 400 },
    rules: ['response_format'],
  },
  {
    about: 'Chat, tools',
    prompt: 'What is the weather in Rome now? Use the tool.',
    fields: { stream: true, tools: [weatherTool], max_tokens: 120 },
    rules: ['tool-calls', 'finish-reason'],
  },
  {
    about: 'Chat, reasoning',
    prompt: 'What is 12 times 12?',
    fields: { stream: true, enable_thinking: true, thinking_budget: 128, max_tokens: 400 },
    rules: ['enable_thinking'],
  },
];

/** Number of chat requests that a check sends. */
export const chatProbeCount = probes.length;

/** Yields rows as they become available, because responses may be slow. */
export async function* checkChat({ chat }: CheckClient, model: string): AsyncGenerator<CheckRow> {
  for (const { about, prompt, fields, rules } of probes) {
    const body: ChatRequest = { model, messages: [{ role: 'user', content: prompt }], ...fields };
    const tape = await chat(body);
    yield* buildCheckRows(about, tape, rules);
  }
}

/** Returns the error message if something between the client and the gateway responded instead. */
function findFailure(tape: readonly TapeEntry[]): string | undefined {
  const phase = collectResponse(tape)?.run.phase;
  return phase && 'error' in phase ? phase.error?.message : undefined;
}

function buildCheckRows(
  about: string,
  tape: readonly TapeEntry[],
  rules: readonly RuleName[] | undefined,
): CheckRow[] {
  const findings = checkConformance(tape);
  const createRow = (finding: RuleFinding): CheckRow => ({
    about,
    title: ruleTitles[finding.rule],
    section: finding.section,
    verdict: finding.verdict,
    detail: finding.detail,
  });
  const status = tape.find((entry) => 'status' in entry && entry.proxied === true);
  if (!status || !('status' in status)) {
    const end = tape.find((entry) => 'end' in entry);
    const reason = (end && 'end' in end ? end.error?.raw : undefined) ?? findFailure(tape);
    return [
      {
        about,
        title: 'Response',
        section: '§4',
        verdict: 'fault',
        detail: `No response received. ${reason ?? ''}`.trim(),
      },
    ];
  }
  const hasSuccessStatus = status.status >= 200 && status.status < 300;
  if (rules === undefined || hasSuccessStatus) {
    const matchingRows = findings
      .filter(({ rule }) => rules === undefined || rules.includes(rule))
      .map(createRow);
    if (rules !== undefined || hasSuccessStatus) return matchingRows;
    const detail = `Status ${status.status}, so there is nothing to check.`;
    return [{ about, title: 'Response', section: '§4', verdict: 'fault', detail }, ...matchingRows];
  }
  const shapeFinding = findings.find(({ rule }) => rule === 'error-shape');
  const detail = `Rejected with status ${status.status}. ${shapeFinding?.detail ?? ''}`.trim();
  return [{ about, title: 'Response', section: '§2.1', verdict: 'note', detail }];
}
