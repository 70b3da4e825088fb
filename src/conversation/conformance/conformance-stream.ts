/** Rules for an answer that came as events: §2.5 and §6. */
import { formatCount, formatSeconds, pluralize } from '../../lib/format.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { Finding, Verdict } from './conformance-finding.ts';
import { chunksOf, endedByItself, type AnswerFacts, type ChoiceFact } from './conformance-response.ts';
import {
  arrayField,
  fieldProblems,
  integerField,
  isInteger,
  listed,
  objectField,
  shown,
  stringField,
  usageProblems,
} from './conformance-values.ts';

export function streamFindings(facts: AnswerFacts): Finding[] {
  return [
    framing(facts),
    objectName(facts),
    identity(facts),
    fields(facts),
    role(facts),
    finishReason(facts),
    usage(facts),
    end(facts),
    buffering(facts),
  ];
}

function framing({ events, comments }: AnswerFacts): Finding {
  const fault = (detail: string, entry: number): Finding => ({
    rule: 'framing',
    section: '§6.1',
    verdict: 'fault',
    detail,
    entry,
  });
  for (const event of events) {
    if (event.unterminated) {
      return fault(
        'The last event has no blank line after it, so a compliant client never receives it.',
        event.entry,
      );
    }
    if (event.chunk || event.isError) continue;
    const lines = event.text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 1)
      return fault(
        `One event contains ${pluralize(lines.length, 'line')} of data instead of one chunk.`,
        event.entry,
      );
    return fault(`The data of an event is not one JSON object: ${shown(event.text)}.`, event.entry);
  }
  const names = events.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const remarks = [
    ...(names.length > 0 ? [`Events are named ${listed(names)}.`] : []),
    ...(comments > 0 ? [`${pluralize(comments, 'comment line')} between them, as keep-alives.`] : []),
  ];
  const detail = [`${pluralize(events.length, 'event')}, each one chunk.`, ...remarks].join(' ');
  return { rule: 'framing', section: '§6.1', verdict: names.length > 0 ? 'note' : 'pass', detail };
}

function objectName(facts: AnswerFacts): Finding {
  const wanted = 'chat.completion.chunk';
  const wrong = chunksOf(facts).find(({ chunk }) => getOwnProperty(chunk, 'object') !== wanted);
  if (!wrong) return { rule: 'object', section: '§2.5', verdict: 'pass', detail: `Always ${wanted}.` };
  const found = getOwnProperty(wrong.chunk, 'object');
  const detail =
    found === undefined ? 'A chunk has no object field.' : `A chunk says ${shown(found)}, not ${wanted}.`;
  return { rule: 'object', section: '§2.5', verdict: 'fault', detail, entry: wrong.entry };
}

function identity(facts: AnswerFacts): Finding {
  for (const field of ['id', 'model']) {
    const said = chunksOf(facts).flatMap(({ entry, chunk }) => {
      const text = getStringProperty(chunk, field);
      return text ? [{ entry, text }] : [];
    });
    const other = said.find(({ text }) => text !== said[0]?.text);
    if (other) {
      const detail = `The ${field} changes from ${shown(said[0]?.text)} to ${shown(other.text)} within one answer.`;
      return { rule: 'identity', section: '§2.5', verdict: 'fault', detail, entry: other.entry };
    }
  }
  const { model, responseId } = facts.run;
  const asked = facts.request.model;
  if (model !== undefined && model !== asked) {
    const detail = `One id and one model throughout; the model is ${model}, but ${asked} was requested.`;
    return { rule: 'identity', section: '§2.5', verdict: 'note', detail };
  }
  return {
    rule: 'identity',
    section: '§2.5',
    verdict: 'pass',
    detail: `${responseId ?? 'No id'}, ${model ?? 'no model'}, throughout.`,
  };
}

const chunkRules = [stringField('id'), integerField('created'), stringField('model'), arrayField('choices')];

function fields(facts: AnswerFacts): Finding {
  for (const { entry, chunk } of chunksOf(facts)) {
    const [problem] = fieldProblems(chunk, chunkRules);
    if (problem)
      return { rule: 'fields', section: '§2.5', verdict: 'fault', detail: `In a chunk, ${problem}.`, entry };
  }
  for (const choice of facts.choices) {
    const { index, delta, finishReason } = choice;
    const [problem] = fieldProblems({ index, delta }, [integerField('index'), objectField('delta')]);
    const content = getOwnProperty(delta, 'content');
    const isText = content === undefined || content === null || typeof content === 'string';
    const isReason = finishReason === undefined || finishReason === null || typeof finishReason === 'string';
    const other = !isReason
      ? `finish_reason is ${shown(finishReason)}, not a string`
      : isText
        ? undefined
        : `delta.content is ${shown(content)}, not a string`;
    const detail = problem ?? other;
    if (detail !== undefined) {
      return {
        rule: 'fields',
        section: '§2.5',
        verdict: 'fault',
        detail: `In a choice, ${detail}.`,
        entry: choice.entry,
      };
    }
  }
  const empty = chunksOf(facts).filter(({ chunk }) =>
    Object.is(lengthOf(getOwnProperty(chunk, 'choices')), 0),
  ).length;
  const detail =
    empty === 0
      ? 'All as described.'
      : `All as described; ${pluralize(empty, 'chunk')} without choices, which §6.3 allows.`;
  return { rule: 'fields', section: '§2.5', verdict: 'pass', detail };
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** The choices apart, in order of arrival. */
function byIndex(choices: readonly ChoiceFact[]): Map<number, ChoiceFact[]> {
  const apart = new Map<number, ChoiceFact[]>();
  for (const choice of choices) {
    if (typeof choice.index !== 'number' || !isInteger(choice.index)) continue;
    const known = apart.get(choice.index);
    if (known) known.push(choice);
    else apart.set(choice.index, [choice]);
  }
  return apart;
}

function role({ choices }: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string, entry?: number): Finding => ({
    rule: 'role',
    section: verdict === 'fault' ? '§2.4' : '§6.4',
    verdict,
    detail,
    ...(entry === undefined ? {} : { entry }),
  });
  const marked = choices.filter(
    ({ delta }) => getOwnProperty(delta, 'role') !== undefined && getOwnProperty(delta, 'role') !== null,
  );
  const wrong = marked.find(({ delta }) => getOwnProperty(delta, 'role') !== 'assistant');
  if (wrong)
    return say(
      'fault',
      `The role is ${shown(getOwnProperty(wrong.delta, 'role'))}, not "assistant".`,
      wrong.entry,
    );
  if (marked.length === 0) return say('note', 'No chunk states the role.');
  for (const own of byIndex(choices).values()) {
    const first = own.findIndex(({ delta }) => getOwnProperty(delta, 'role') === 'assistant');
    const before = own.slice(0, Math.max(0, first)).find(({ delta }) => isRecord(delta) && speaks(delta));
    if (first > 0 && before) return say('note', 'The role arrives after the first text.', own[first]?.entry);
  }
  if (marked.length > byIndex(choices).size)
    return say('note', `assistant, sent ${formatCount(marked.length)} times.`);
  return say('pass', 'assistant, before the first text.');
}

/** A delta that carries something of the answer. */
function speaks(delta: unknown): boolean {
  const content = getOwnProperty(delta, 'content');
  const calls = getOwnProperty(delta, 'tool_calls');
  return (typeof content === 'string' && content !== '') || (Array.isArray(calls) && calls.length > 0);
}

const knownReasons = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

function finishReason(facts: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string, entry?: number): Finding => ({
    rule: 'finish-reason',
    section: '§2.5',
    verdict,
    detail,
    ...(entry === undefined ? {} : { entry }),
  });
  const reasons: string[] = [];
  const apart = byIndex(facts.choices);
  for (const [index, own] of apart) {
    const who = apart.size > 1 ? `Choice ${index}` : 'The answer';
    const set = own.filter(({ finishReason: reason }) => typeof reason === 'string');
    const early = set.find((choice) => choice !== own.at(-1) && choice.finishReason === '');
    if (early)
      return say('fault', 'finish_reason is "" before the end, where it should be null.', early.entry);
    if (set.length === 0) {
      if (!endedByItself(facts)) continue;
      return say('fault', `${who} ended without a finish reason.`, own.at(-1)?.entry);
    }
    if (set.length > 1) return say('fault', `${who} has ${set.length} finish reasons.`, set[1]?.entry);
    const last = own.findLastIndex(({ delta }) => speaks(delta));
    const at = own.findIndex((choice) => choice === set[0]);
    if (last > at) return say('fault', `${who} continues after its finish reason.`, own[last]?.entry);
    reasons.push(typeof set[0]?.finishReason === 'string' ? set[0].finishReason : '');
  }
  if (apart.size === 0) return say(endedByItself(facts) ? 'fault' : 'note', 'No choice received.');
  if (reasons.length < apart.size)
    return say('note', 'The stream did not end by itself, so the finish reason may not have arrived yet.');
  const other = reasons.filter((reason) => !knownReasons.has(reason));
  if (other.length > 0) return say('note', `${listed(other)}: the provider's own value, which §2.4 allows.`);
  return say('pass', `${listed(reasons)}, once and last.`);
}

function usage(facts: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string, entry?: number): Finding => ({
    rule: 'usage',
    section: '§6.3',
    verdict,
    detail,
    ...(entry === undefined ? {} : { entry }),
  });
  const carriers = chunksOf(facts).filter(({ chunk }) => isRecord(getOwnProperty(chunk, 'usage')));
  const asked = getOwnProperty(facts.request['stream_options'], 'include_usage') === true;
  const [first] = carriers;
  if (!first) {
    if (asked && endedByItself(facts))
      return say('note', 'Not sent, although stream_options.include_usage requested it.');
    return say('note', 'Not sent; optional.');
  }
  for (const { entry, chunk } of carriers) {
    const [problem] = usageProblems(getOwnProperty(chunk, 'usage'));
    if (problem) return { ...say('fault', `${problem}.`, entry), section: '§2.4' };
  }
  const finished = facts.choices.find(
    ({ finishReason: reason }) => typeof reason === 'string' && reason !== '',
  );
  if (carriers.length > 1)
    return say('note', `Counts in ${pluralize(carriers.length, 'chunk')}; the last ones apply.`, first.entry);
  if (finished && first.entry < finished.entry)
    return say('note', 'Counts arrived before the end of the answer.', first.entry);
  const alone = lengthOf(getOwnProperty(first.chunk, 'choices')) === 0;
  return say('pass', alone ? 'In a chunk of its own at the end.' : 'In the final chunk.');
}

function end(facts: AnswerFacts): Finding {
  const say = (detail: string): Finding => ({ rule: 'end', section: '§6.8', verdict: 'note', detail });
  const failure = facts.events.find((event) => event.isError);
  if (failure) return { ...say('The stream contained an error.'), section: '§7', entry: failure.entry };
  if (facts.end === 'aborted') return say('You stopped it.');
  if (facts.end === 'timeout') return say('No more data arrived, so Bench closed the connection.');
  if (facts.end === 'lost')
    return { ...say('The connection was lost; this is not a model error.'), section: '§6.5' };
  if (facts.doneEntry === undefined) return say('The connection was closed without an end marker.');
  if (facts.eventsAfterDone > 0)
    return say(`[DONE], and ${pluralize(facts.eventsAfterDone, 'event')} after it.`);
  return say('[DONE] was last.');
}

/** Fewer events prove nothing. */
const fewestEvents = 8;
/** A network packet is read in one go; a token takes a model longer than this. */
const burstMs = 5;
/** A model that needs no time sends all at once by right. */
const longWaitMs = 250;

function buffering(facts: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'buffering',
    section: '§2.1',
    verdict,
    detail,
  });
  const spoken = facts.choices.filter(
    ({ delta }) => isRecord(delta) && Object.keys(delta).some((key) => key !== 'role'),
  );
  const [first, last] = [spoken[0], spoken.at(-1)];
  if (!first || !last || spoken.length < fewestEvents) return say('pass', 'Too few events to judge.');
  const span = last.at - first.at;
  if (span > burstMs || first.at < longWaitMs) return say('pass', `Spread over ${formatSeconds(span)}.`);
  const detail = `All ${formatCount(spoken.length)} arrived at once after ${formatSeconds(first.at)}: something in between seems to hold events back.`;
  return say('note', detail);
}
