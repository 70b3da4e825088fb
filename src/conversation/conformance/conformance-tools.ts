/** Tool calls of an answer. Their fields are not shown in §2.4, so nearly all is only told. */
import { pluralize } from '../../lib/format.ts';
import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { Finding, Verdict } from './conformance-finding.ts';
import type { AnswerFacts } from './conformance-response.ts';
import { listed, shown } from './conformance-values.ts';

/** Empty where no tools are in play. */
export function toolCallFinding(facts: AnswerFacts): Finding[] {
  const say = (verdict: Verdict, detail: string): Finding[] => [
    { rule: 'tool-calls', section: '§2.4', verdict, detail },
  ];
  const calls = facts.run.choices.flatMap((choice) =>
    choice.parts.filter((part) => part.type === 'tool-call'),
  );
  const claims = facts.run.choices.some((choice) => choice.finishReason === 'tool_calls');
  if (claims && calls.length === 0)
    return say('fault', 'The finish reason is tool_calls, but there is no tool call.');
  if (calls.length === 0)
    return offered(facts).length === 0 ? [] : say('note', 'Tools were offered; the model called none.');
  const remarks = [
    ...(claims ? [] : ['The finish reason is not tool_calls.']),
    ...(calls.some((call) => call.id === undefined) ? ['A call has no id.'] : []),
    ...indexRemarks(facts),
    ...calls.flatMap((call) =>
      parseJson(call.arguments).ok
        ? []
        : [`The arguments of ${call.name} are not JSON: ${shown(call.arguments)}.`],
    ),
    ...unknownNames(
      facts,
      calls.map((call) => call.name),
    ),
  ];
  const what = `${pluralize(calls.length, 'call')} of ${listed(calls.map((call) => call.name || 'a tool without a name'))}.`;
  if (remarks.length > 0) return say('note', `${what} ${remarks.slice(0, 3).join(' ')}`);
  return say('pass', `${what} Each with an id, an index and arguments in JSON.`);
}

function offered({ request }: AnswerFacts): string[] {
  const { tools } = request;
  return (Array.isArray(tools) ? tools : []).flatMap(
    (tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? [],
  );
}

function unknownNames(facts: AnswerFacts, called: readonly string[]): string[] {
  const known = new Set(offered(facts));
  const other = called.filter((name) => !known.has(name));
  return other.length === 0 ? [] : [`${listed(other)} was not among the tools offered.`];
}

/** Indexes of streamed fragments count up from 0, one choice at a time. */
function indexRemarks({ choices }: AnswerFacts): string[] {
  const seen = new Map<unknown, number>();
  for (const { index: choice, delta } of choices) {
    const calls = getOwnProperty(delta, 'tool_calls');
    for (const call of Array.isArray(calls) ? calls : []) {
      if (!isRecord(call)) return ['A tool call is not an object.'];
      const index = getOwnProperty(call, 'index');
      if (typeof index !== 'number' || !Number.isInteger(index))
        return ['A fragment of a call has no index.'];
      const next = seen.get(choice) ?? 0;
      if (index > next) return [`The call indexes jump to ${index}.`];
      if (index === next) seen.set(choice, next + 1);
    }
  }
  return [];
}
