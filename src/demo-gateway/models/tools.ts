/** Calls the tools it is offered when the words of the message ask for what they do, and states their results. */
import { isRecord, ownProperty, stringProperty, type Json } from '../../lib/json.ts';
import { offeredTools, type OfferedTool } from '../filling/offered-tools.ts';
import { forcedCall, planCalls, type PlannedCall } from '../filling/tool-planning.ts';
import { answeredCalls, statedResults, type AnsweredCall } from '../filling/tool-results.ts';
import type { DemoModel, DemoRequest, Piece } from '../model.ts';
import { contentStems } from './documentation-search.ts';
import { userTexts } from './message-text.ts';
import { textPieces, valuePieces } from './pieces.ts';

export const tools: DemoModel = {
  id: 'demo/tools',
  about: 'Calls the tools it is offered when the message asks for what they do, and states their results.',
  abilities: { vision: false, tools: true, thinking: false },
  *reply(request) {
    const answered = answeredCalls(request.messages);
    if (answered.length > 0) {
      yield* request.wantsJson
        ? valuePieces({ results: answered.map(resultValue) })
        : textPieces(statedResults(answered));
      return;
    }
    const offered = offeredTools(request.fields);
    const choice = choiceOf(request);
    const calls = choice.kind === 'none' ? [] : plannedCalls(request, offered, choice);
    if (calls.length > 0) yield* callPieces(calls, request.wantsJson);
    else
      yield* textPieces(offered.length === 0 ? withoutTools(request) : withoutCall(request, offered, choice));
  },
};

type Choice = { kind: 'auto' | 'none' | 'required' } | { kind: 'named'; name: string };

/** tool_choice by the format's convention: a word, or the object that names one function. */
function choiceOf({ fields }: DemoRequest): Choice {
  const choice = ownProperty(fields, 'tool_choice');
  if (choice === 'none' || choice === 'required') return { kind: choice };
  const name = stringProperty(ownProperty(choice, 'function'), 'name');
  return name === undefined ? { kind: 'auto' } : { kind: 'named', name };
}

function plannedCalls(request: DemoRequest, offered: readonly OfferedTool[], choice: Choice): PlannedCall[] {
  const { now, fields, messages } = request;
  const texts = userTexts(messages);
  const text = texts.at(-1) ?? '';
  const usable = choice.kind === 'named' ? offered.filter(({ name }) => name === choice.name) : offered;
  let calls = planCalls(text, usable, now);
  if (calls.length === 0 && pointsBack.test(text)) calls = callsLikeBefore(request, usable, text);
  if (calls.length === 0 && choice.kind !== 'auto') {
    const forced = forcedCall(text, usable, now);
    calls = forced ? [forced] : [];
  }
  return ownProperty(fields, 'parallel_tool_calls') === false ? calls.slice(0, 1) : calls;
}

const pointsBack = /^(?:and|what about|how about|also|now|the same|or)\b/iu;

/** "And in Rome?" asks for the tool that was called last. */
function callsLikeBefore(
  { messages, now }: DemoRequest,
  offered: readonly OfferedTool[],
  text: string,
): PlannedCall[] {
  const last = messages.findLast(
    (message) => message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0,
  );
  const name = last?.role === 'assistant' ? last.tool_calls?.at(-1)?.function.name : undefined;
  const tool = offered.find((candidate) => candidate.name === name);
  const call = tool && forcedCall(text, [tool], now);
  return call && call.missing.length === 0 ? [call] : [];
}

function* callPieces(calls: readonly PlannedCall[], wantsJson: boolean): Generator<Piece> {
  const gaps = calls.flatMap(({ tool, values, missing }) =>
    missing.map((path) => ({ tool: tool.name, path, value: valueAt(values, path) })),
  );
  // Beside calls no text is needed; in JSON mode it would have to be an object.
  if (gaps.length > 0 && !wantsJson) yield* textPieces(gaps.map(gapSentence).join(' '));
  for (const { tool, values } of calls)
    yield { toolCall: { name: tool.name, arguments: JSON.stringify(values) } };
}

function gapSentence({ tool, path, value }: { tool: string; path: string; value: Json }): string {
  return `The message gives no \`${path}\` for \`${tool}\`, so I fill in \`${JSON.stringify(value)}\`.`;
}

function valueAt(values: Json, path: string): Json {
  let value = values;
  for (const key of path.split('.'))
    value = isRecord(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
  return value;
}

function resultValue({ name, arguments: values, result }: AnsweredCall): Json {
  return { tool: name, arguments: values, result: result ?? null };
}

const callable =
  'I am a small program that calls tools whose names and descriptions share words with the message, and not a language model.';

function withoutTools({ messages }: DemoRequest): string {
  const text = userTexts(messages).at(-1) ?? '';
  const stems = contentStems(text);
  if (
    stems.length === 0 ||
    /^(?:hi|hello|hey|thanks|thank you|good \w+|ok|okay|test)\b[^?]{0,12}$/iu.test(text.trim())
  )
    return `No tools are offered. ${callable} Tick \`tools\` and describe a function, then ask for what it does.`;
  const wanted = wantedTool(text);
  const definition = {
    type: 'function',
    function: {
      name: wanted.name,
      description: wanted.description,
      parameters: { type: 'object', properties: wanted.properties, required: Object.keys(wanted.properties) },
    },
  };
  return [
    `No tools are offered, so I cannot act on this. I would need a tool such as \`${wanted.name}\`. Put it into \`tools\` and ask again:`,
    `\`\`\`json\n${JSON.stringify([definition], null, 2)}\n\`\`\``,
  ].join('\n\n');
}

interface WantedTool {
  name: string;
  description: string;
  properties: Record<string, Json>;
}

const text = (description: string): Json => ({ type: 'string', description });

const usualTools: readonly (WantedTool & { pattern: RegExp })[] = [
  {
    pattern: /\b(?:weather|rain\w*|forecast|sunny|snow\w*|temperature outside)\b/iu,
    name: 'get_weather',
    description: 'The current weather in a city.',
    properties: { city: text('Name of the city') },
  },
  {
    pattern: /\b(?:what time|time in|clock|timezone)\b/iu,
    name: 'get_time',
    description: 'The current time in a city.',
    properties: { city: text('Name of the city') },
  },
  {
    pattern: /\b(?:e-?mail|mail)\b/iu,
    name: 'send_email',
    description: 'Sends an email.',
    properties: {
      to: { type: 'string', format: 'email' },
      subject: text('Subject line'),
      body: text('Text of the email'),
    },
  },
  {
    pattern: /\b(?:convert|exchange rate|currency|usd|eur)\b/iu,
    name: 'convert_currency',
    description: 'Converts an amount of money.',
    properties: { amount: { type: 'number' }, from: text('Currency code'), to: text('Currency code') },
  },
  {
    pattern: /\b(?:search|google|look up|news|find out|who|when did)\b/iu,
    name: 'web_search',
    description: 'Searches the web.',
    properties: { query: text('What to search for') },
  },
  {
    pattern: /\b(?:flights?|fly)\b/iu,
    name: 'search_flights',
    description: 'Finds flights between two cities.',
    properties: {
      from: text('City of departure'),
      to: text('City of arrival'),
      date: { type: 'string', format: 'date' },
    },
  },
  {
    pattern: /\d\s*[-+*/^×÷]\s*\d|\bcalculate\b/iu,
    name: 'calculate',
    description: 'Calculates an arithmetic expression.',
    properties: { expression: text('The expression') },
  },
];

/** A well-known tool for the subject, else one named after the first words of the message. */
function wantedTool(message: string): WantedTool {
  const usual = usualTools.find(({ pattern }) => pattern.test(message));
  if (usual) return { name: usual.name, description: usual.description, properties: usual.properties };
  const words = (message.toLowerCase().match(/[a-z]+/g) ?? [])
    .filter((word) => contentStems(word).length > 0)
    .slice(0, 2);
  return {
    name: words.length === 0 ? 'act' : words.join('_'),
    description: 'Describe what the function does, in words that people use to ask for it.',
    properties: { query: text('What is asked for') },
  };
}

function withoutCall(
  { messages, now }: DemoRequest,
  offered: readonly OfferedTool[],
  choice: Choice,
): string {
  const message = userTexts(messages).at(-1) ?? '';
  if (choice.kind === 'none') {
    const planned = planCalls(message, offered, now).map(
      ({ tool, values }) => `\`${tool.name}\` with \`${JSON.stringify(values)}\``,
    );
    const would =
      planned.length === 0
        ? 'The message asks for none of them either.'
        : `Otherwise I would have called ${planned.join(' and ')}.`;
    return `\`tool_choice\` is \`none\`, so I call no tool. ${would}`;
  }
  const list = offered.map(
    ({ name, description }) => `- \`${name}\`${description === '' ? '' : `: ${description}`}`,
  );
  return [
    `None of the tools fits this message. ${callable}`,
    `These are offered:\n\n${list.join('\n')}`,
  ].join('\n\n');
}
