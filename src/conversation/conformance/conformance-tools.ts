/** Rules for tool calls. §2.4 does not specify their fields, so most findings are notes. */
import { pluralize } from '../../lib/format.ts';
import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { RuleFinding, RuleResult } from './conformance-finding.ts';
import type { ResponseData } from './conformance-response.ts';
import { joinWithLimit, formatShort } from './conformance-values.ts';

/** Returns no findings if no tools are involved. */
export function checkToolCalls(response: ResponseData): RuleFinding[] {
  const createFindings = (verdict: RuleResult, detail: string): RuleFinding[] => [
    { rule: 'tool-calls', section: '§2.4', verdict, detail },
  ];
  const calls = response.run.choices.flatMap((choice) =>
    choice.parts.filter((part) => part.type === 'tool-call'),
  );
  const hasToolCallReason = response.run.choices.some((choice) => choice.finishReason === 'tool_calls');
  if (hasToolCallReason && calls.length === 0)
    return createFindings('fault', 'The finish reason is tool_calls, but there is no tool call.');
  if (calls.length === 0)
    return listOfferedTools(response).length === 0
      ? []
      : createFindings('note', 'Tools were offered, but the model called none.');
  const remarks = [
    ...(hasToolCallReason ? [] : ['The finish reason is not tool_calls.']),
    ...(calls.some((call) => call.id === undefined) ? ['A tool call has no id.'] : []),
    ...describeIndexProblems(response),
    ...calls.flatMap((call) =>
      parseJson(call.arguments).ok
        ? []
        : [`The arguments of ${call.name} are not JSON: ${formatShort(call.arguments)}.`],
    ),
    ...describeUnknownTools(
      response,
      calls.map((call) => call.name),
    ),
  ];
  const summary = `${pluralize(calls.length, 'call')} to ${joinWithLimit(calls.map((call) => call.name || 'an unnamed tool'))}.`;
  if (remarks.length > 0) return createFindings('note', `${summary} ${remarks.slice(0, 3).join(' ')}`);
  return createFindings('pass', `${summary} Each has an id, an index and JSON arguments.`);
}

function listOfferedTools({ request }: ResponseData): string[] {
  const { tools } = request;
  return (Array.isArray(tools) ? tools : []).flatMap(
    (tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? [],
  );
}

function describeUnknownTools(response: ResponseData, calledNames: readonly string[]): string[] {
  const offeredNames = new Set(listOfferedTools(response));
  const unknownNames = calledNames.filter((name) => !offeredNames.has(name));
  return unknownNames.length === 0 ? [] : [`Not among the tools offered: ${joinWithLimit(unknownNames)}.`];
}

/** Checks that the indexes of streamed fragments count up from 0 within each choice. */
function describeIndexProblems({ choices }: ResponseData): string[] {
  const nextIndexes = new Map<unknown, number>();
  for (const { index: choiceIndex, delta } of choices) {
    const calls = getOwnProperty(delta, 'tool_calls');
    for (const call of Array.isArray(calls) ? calls : []) {
      if (!isRecord(call)) return ['A tool call is not an object.'];
      const index = getOwnProperty(call, 'index');
      if (typeof index !== 'number' || !Number.isInteger(index))
        return ['A tool call fragment has no index.'];
      const expectedIndex = nextIndexes.get(choiceIndex) ?? 0;
      if (index > expectedIndex) return [`The tool call index jumps to ${index}.`];
      if (index === expectedIndex) nextIndexes.set(choiceIndex, expectedIndex + 1);
    }
  }
  return [];
}
