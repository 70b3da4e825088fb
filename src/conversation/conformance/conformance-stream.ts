/** Rules for a streamed response (§2.5, §6). */
import { formatCount, formatSeconds, pluralize } from '../../lib/format.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { RuleFinding, RuleResult } from './conformance-finding.ts';
import { listChunks, hasEndedByItself, type ResponseData, type ChoiceData } from './conformance-response.ts';
import {
  createArrayRule,
  findFieldProblems,
  createIntegerRule,
  isInteger,
  joinWithLimit,
  createObjectRule,
  formatShort,
  createStringRule,
  findUsageProblems,
} from './conformance-values.ts';

export function checkStream(response: ResponseData): RuleFinding[] {
  return [
    checkFraming(response),
    checkObjectName(response),
    checkIdentity(response),
    checkFields(response),
    checkRole(response),
    checkFinishReason(response),
    checkUsage(response),
    checkEnd(response),
    checkBuffering(response),
  ];
}

function checkFraming({ events, commentCount }: ResponseData): RuleFinding {
  const createFault = (detail: string, entryIndex: number): RuleFinding => ({
    rule: 'framing',
    section: '§6.1',
    verdict: 'fault',
    detail,
    entryIndex,
  });
  for (const event of events) {
    if (event.unterminated) {
      return createFault(
        'The last event does not end with a blank line, so compliant clients ignore it.',
        event.entryIndex,
      );
    }
    if (event.chunk || event.isError) continue;
    const lines = event.text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 1)
      return createFault(
        `One event contains ${pluralize(lines.length, 'line')} of data instead of one chunk.`,
        event.entryIndex,
      );
    return createFault(
      `The data of an event is not a single JSON object: ${formatShort(event.text)}.`,
      event.entryIndex,
    );
  }
  const names = events.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const remarks = [
    ...(names.length > 0 ? [`Events have names: ${joinWithLimit(names)}.`] : []),
    ...(commentCount > 0 ? [`${pluralize(commentCount, 'keep-alive comment')} in between.`] : []),
  ];
  const detail = [`${pluralize(events.length, 'event')}, each one chunk.`, ...remarks].join(' ');
  return { rule: 'framing', section: '§6.1', verdict: names.length > 0 ? 'note' : 'pass', detail };
}

function checkObjectName(response: ResponseData): RuleFinding {
  const expectedObject = 'chat.completion.chunk';
  const wrongChunk = listChunks(response).find(
    ({ chunk }) => getOwnProperty(chunk, 'object') !== expectedObject,
  );
  if (!wrongChunk)
    return { rule: 'object', section: '§2.5', verdict: 'pass', detail: `${expectedObject} in every chunk.` };
  const actualObject = getOwnProperty(wrongChunk.chunk, 'object');
  const detail =
    actualObject === undefined
      ? 'A chunk has no object field.'
      : `In a chunk, object is ${formatShort(actualObject)}, not ${expectedObject}.`;
  return { rule: 'object', section: '§2.5', verdict: 'fault', detail, entryIndex: wrongChunk.entryIndex };
}

function checkIdentity(response: ResponseData): RuleFinding {
  for (const field of ['id', 'model']) {
    const statedValues = listChunks(response).flatMap(({ entryIndex, chunk }) => {
      const text = getStringProperty(chunk, field);
      return text ? [{ entryIndex, text }] : [];
    });
    const differingValue = statedValues.find(({ text }) => text !== statedValues[0]?.text);
    if (differingValue) {
      const detail = `The ${field} changes from ${formatShort(statedValues[0]?.text)} to ${formatShort(differingValue.text)} within one answer.`;
      return {
        rule: 'identity',
        section: '§2.5',
        verdict: 'fault',
        detail,
        entryIndex: differingValue.entryIndex,
      };
    }
  }
  const { model, responseId } = response.run;
  const requestedModel = response.request.model;
  if (model !== undefined && model !== requestedModel) {
    const detail = `Consistent, but the model is ${model} instead of ${requestedModel}.`;
    return { rule: 'identity', section: '§2.5', verdict: 'note', detail };
  }
  return {
    rule: 'identity',
    section: '§2.5',
    verdict: 'pass',
    detail: `${responseId ?? 'No id'}, ${model ?? 'no model'}, throughout.`,
  };
}

const chunkRules = [
  createStringRule('id'),
  createIntegerRule('created'),
  createStringRule('model'),
  createArrayRule('choices'),
];

function checkFields(response: ResponseData): RuleFinding {
  for (const { entryIndex, chunk } of listChunks(response)) {
    const [problem] = findFieldProblems(chunk, chunkRules);
    if (problem)
      return {
        rule: 'fields',
        section: '§2.5',
        verdict: 'fault',
        detail: `In a chunk, ${problem}.`,
        entryIndex,
      };
  }
  for (const choice of response.choices) {
    const { index, delta, finishReason } = choice;
    const [problem] = findFieldProblems({ index, delta }, [
      createIntegerRule('index'),
      createObjectRule('delta'),
    ]);
    const content = getOwnProperty(delta, 'content');
    const isContentValid = content === undefined || content === null || typeof content === 'string';
    const isFinishReasonValid =
      finishReason === undefined || finishReason === null || typeof finishReason === 'string';
    const typeProblem = !isFinishReasonValid
      ? `finish_reason is ${formatShort(finishReason)}, not a string`
      : isContentValid
        ? undefined
        : `delta.content is ${formatShort(content)}, not a string`;
    const detail = problem ?? typeProblem;
    if (detail !== undefined) {
      return {
        rule: 'fields',
        section: '§2.5',
        verdict: 'fault',
        detail: `In a choice, ${detail}.`,
        entryIndex: choice.entryIndex,
      };
    }
  }
  const emptyCount = listChunks(response).filter(({ chunk }) =>
    Object.is(getArrayLength(getOwnProperty(chunk, 'choices')), 0),
  ).length;
  const detail =
    emptyCount === 0
      ? 'All as described.'
      : `All as described. ${pluralize(emptyCount, 'chunk')} without choices, as §6.3 allows.`;
  return { rule: 'fields', section: '§2.5', verdict: 'pass', detail };
}

function getArrayLength(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** Groups the choices by index, in order of arrival. */
function groupByIndex(choices: readonly ChoiceData[]): Map<number, ChoiceData[]> {
  const groups = new Map<number, ChoiceData[]>();
  for (const choice of choices) {
    if (typeof choice.index !== 'number' || !isInteger(choice.index)) continue;
    const group = groups.get(choice.index);
    if (group) group.push(choice);
    else groups.set(choice.index, [choice]);
  }
  return groups;
}

function checkRole({ choices }: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string, entryIndex?: number): RuleFinding => ({
    rule: 'role',
    section: verdict === 'fault' ? '§2.4' : '§6.4',
    verdict,
    detail,
    ...(entryIndex === undefined ? {} : { entryIndex }),
  });
  const choicesWithRole = choices.filter(
    ({ delta }) => getOwnProperty(delta, 'role') !== undefined && getOwnProperty(delta, 'role') !== null,
  );
  const wrongChoice = choicesWithRole.find(({ delta }) => getOwnProperty(delta, 'role') !== 'assistant');
  if (wrongChoice)
    return createFinding(
      'fault',
      `The role is ${formatShort(getOwnProperty(wrongChoice.delta, 'role'))}, not "assistant".`,
      wrongChoice.entryIndex,
    );
  if (choicesWithRole.length === 0) return createFinding('note', 'No chunk states the role.');
  for (const group of groupByIndex(choices).values()) {
    const firstRoleIndex = group.findIndex(({ delta }) => getOwnProperty(delta, 'role') === 'assistant');
    const earlierText = group
      .slice(0, Math.max(0, firstRoleIndex))
      .find(({ delta }) => isRecord(delta) && hasContent(delta));
    if (firstRoleIndex > 0 && earlierText)
      return createFinding(
        'note',
        'The role arrives after the first text.',
        group[firstRoleIndex]?.entryIndex,
      );
  }
  if (choicesWithRole.length > groupByIndex(choices).size)
    return createFinding('note', `assistant, sent ${formatCount(choicesWithRole.length)} times.`);
  return createFinding('pass', 'assistant, before the first text.');
}

/** Returns true if a delta contains part of the answer. */
function hasContent(delta: unknown): boolean {
  const content = getOwnProperty(delta, 'content');
  const calls = getOwnProperty(delta, 'tool_calls');
  return (typeof content === 'string' && content !== '') || (Array.isArray(calls) && calls.length > 0);
}

const knownReasons = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

function checkFinishReason(response: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string, entryIndex?: number): RuleFinding => ({
    rule: 'finish-reason',
    section: '§2.5',
    verdict,
    detail,
    ...(entryIndex === undefined ? {} : { entryIndex }),
  });
  const reasons: string[] = [];
  const groups = groupByIndex(response.choices);
  for (const [index, group] of groups) {
    const subject = groups.size > 1 ? `Choice ${index}` : 'The answer';
    const choicesWithReason = group.filter(({ finishReason }) => typeof finishReason === 'string');
    const choiceWithEmptyReason = choicesWithReason.find(
      (choice) => choice !== group.at(-1) && choice.finishReason === '',
    );
    if (choiceWithEmptyReason)
      return createFinding(
        'fault',
        'finish_reason is "" before the end. It should be null.',
        choiceWithEmptyReason.entryIndex,
      );
    if (choicesWithReason.length === 0) {
      if (!hasEndedByItself(response)) continue;
      return createFinding('fault', `${subject} ended without a finish reason.`, group.at(-1)?.entryIndex);
    }
    if (choicesWithReason.length > 1)
      return createFinding(
        'fault',
        `${subject} has ${choicesWithReason.length} finish reasons.`,
        choicesWithReason[1]?.entryIndex,
      );
    const lastContentIndex = group.findLastIndex(({ delta }) => hasContent(delta));
    const reasonIndex = group.findIndex((choice) => choice === choicesWithReason[0]);
    if (lastContentIndex > reasonIndex)
      return createFinding(
        'fault',
        `${subject} continues after its finish reason.`,
        group[lastContentIndex]?.entryIndex,
      );
    reasons.push(
      typeof choicesWithReason[0]?.finishReason === 'string' ? choicesWithReason[0].finishReason : '',
    );
  }
  if (groups.size === 0)
    return createFinding(hasEndedByItself(response) ? 'fault' : 'note', 'No choices received.');
  if (reasons.length < groups.size)
    return createFinding('note', 'The stream was interrupted, so the finish reason may be missing.');
  const unknownReasons = reasons.filter((reason) => !knownReasons.has(reason));
  if (unknownReasons.length > 0)
    return createFinding(
      'note',
      `${joinWithLimit(unknownReasons)}: a provider-specific value, which §2.4 allows.`,
    );
  return createFinding('pass', `${joinWithLimit(reasons)}, once at the end.`);
}

function checkUsage(response: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string, entryIndex?: number): RuleFinding => ({
    rule: 'usage',
    section: '§6.3',
    verdict,
    detail,
    ...(entryIndex === undefined ? {} : { entryIndex }),
  });
  const usageChunks = listChunks(response).filter(({ chunk }) => isRecord(getOwnProperty(chunk, 'usage')));
  const isUsageRequested = getOwnProperty(response.request['stream_options'], 'include_usage') === true;
  const [first] = usageChunks;
  if (!first) {
    if (isUsageRequested && hasEndedByItself(response))
      return createFinding('note', 'Not sent, although stream_options.include_usage requested it.');
    return createFinding('note', 'Not sent. It is optional.');
  }
  for (const { entryIndex, chunk } of usageChunks) {
    const [problem] = findUsageProblems(getOwnProperty(chunk, 'usage'));
    if (problem) return { ...createFinding('fault', `${problem}.`, entryIndex), section: '§2.4' };
  }
  const finishedChoice = response.choices.find(
    ({ finishReason }) => typeof finishReason === 'string' && finishReason !== '',
  );
  if (usageChunks.length > 1)
    return createFinding(
      'note',
      `Counts in ${pluralize(usageChunks.length, 'chunk')}. The last ones apply.`,
      first.entryIndex,
    );
  if (finishedChoice && first.entryIndex < finishedChoice.entryIndex)
    return createFinding('note', 'Counts arrived before the end of the answer.', first.entryIndex);
  const isSeparateChunk = getArrayLength(getOwnProperty(first.chunk, 'choices')) === 0;
  return createFinding('pass', isSeparateChunk ? 'In a separate chunk at the end.' : 'In the final chunk.');
}

function checkEnd(response: ResponseData): RuleFinding {
  const createFinding = (detail: string): RuleFinding => ({
    rule: 'end',
    section: '§6.8',
    verdict: 'note',
    detail,
  });
  const failure = response.events.find((event) => event.isError);
  if (failure)
    return {
      ...createFinding('The stream contained an error.'),
      section: '§7',
      entryIndex: failure.entryIndex,
    };
  if (response.end === 'aborted') return createFinding('Stopped by you.');
  if (response.end === 'timeout') return createFinding('Timed out: no more data arrived.');
  if (response.end === 'lost')
    return { ...createFinding('The connection was lost. This is not a model error.'), section: '§6.5' };
  if (response.doneEntryIndex === undefined)
    return createFinding('The connection was closed without an end marker.');
  if (response.eventCountAfterDone > 0)
    return createFinding(`[DONE], followed by ${pluralize(response.eventCountAfterDone, 'event')}.`);
  return createFinding('[DONE] was last.');
}

/** Minimum number of events for a judgement. */
const minEvents = 8;
/** Maximum span of a burst in ms. Events of one packet are read together, whereas a model needs more time per token. */
const maxBurstMs = 5;
/** Minimum time to the first event in ms for a buffering note; a fast model may send everything immediately. */
const minWaitMs = 250;

function checkBuffering(response: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'buffering',
    section: '§2.1',
    verdict,
    detail,
  });
  const contentChoices = response.choices.filter(
    ({ delta }) => isRecord(delta) && Object.keys(delta).some((key) => key !== 'role'),
  );
  const [first, last] = [contentChoices[0], contentChoices.at(-1)];
  if (!first || !last || contentChoices.length < minEvents)
    return createFinding('pass', 'Too few events to tell.');
  const spanMs = last.atMs - first.atMs;
  if (spanMs > maxBurstMs || first.atMs < minWaitMs)
    return createFinding('pass', `Spread over ${formatSeconds(spanMs)}.`);
  const detail = `All ${formatCount(contentChoices.length)} events arrived at once after ${formatSeconds(first.atMs)}. A proxy may be buffering them.`;
  return createFinding('note', detail);
}
