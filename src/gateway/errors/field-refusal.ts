/** Finds the request fields that an error is about, and a fix for them, in all common shapes and wordings. */
import { isRecord, getOwnProperty } from '../../lib/json.ts';
import { toPlainName } from '../../lib/text/plain-name.ts';
import type { ErrorReport } from './errors.ts';
import { listRefusalStatements, type RefusalStatement } from './refusal-statements.ts';

/**
 * `unsupported`: the field must be removed. `replace`: it has another name. `value`: its value is invalid; `isFixed`
 * means that only one value is allowed. `missing`: it must be sent.
 */
export type FieldRefusal = {
  /** Field name as sent, or as the error requires it. */
  field: string;
  /** `request`: a field next to `messages`. `message`: a field in a message or tool call. */
  in: 'request' | 'message';
} & (
  | { kind: 'unsupported' }
  | { kind: 'replace'; replacement: string }
  | { kind: 'value'; isFixed: boolean }
  | { kind: 'missing' }
);

type Kind = 'unsupported' | 'fixed' | 'value' | 'missing';

interface SentNames {
  /** Field names as sent, keyed by plain name, so that `topK` matches `top_k`. */
  request: ReadonlyMap<string, string>;
  message: ReadonlyMap<string, string>;
}

/**
 * Lists the fields that a gateway or provider rejected or reported as missing, without duplicates, in the order of the
 * error. Except for missing fields, only fields in `sentBody` count. Includes fields of messages and tool calls (`in:
 * 'message'`). Empty for any other error.
 */
export function readFieldRefusals(error: ErrorReport, sentBody: unknown): FieldRefusal[] {
  if (error.source !== 'gateway' && error.source !== 'provider') return [];
  if (!['invalid-request', 'not-found', 'failed'].includes(error.kind)) return [];
  const names = listSentNames(sentBody);
  const statements = listRefusalStatements(error);
  const isBadRequest = error.status === 400 || error.status === 422;
  const pathRefusals = statements.flatMap((statement) => {
    const refusals = findRefusalsAtPath(statement, names, isBadRequest);
    return refusals ? [refusals] : [];
  });
  const allRefusals =
    pathRefusals.length > 0
      ? pathRefusals.flat()
      : statements.flatMap(({ text }) => findRefusalsInText(text, names));
  // Server errors may mention the server's own values.
  const refusals =
    (error.status ?? 400) < 500 ? allRefusals : allRefusals.filter(({ kind }) => kind !== 'value');
  const rankedRefusals = refusals.toSorted((a, b) => getRank(b) - getRank(a));
  return refusals.flatMap(({ field, in: part }, index) => {
    const isFirst =
      refusals.findIndex((candidate) => candidate.field === field && candidate.in === part) === index;
    return isFirst
      ? (rankedRefusals.find((candidate) => candidate.field === field && candidate.in === part) ?? [])
      : [];
  });
}

function getRank(refusal: FieldRefusal): number {
  if (refusal.kind === 'value') return refusal.isFixed ? 3 : 0;
  return { replace: 4, unsupported: 2, missing: 1 }[refusal.kind];
}

/** Fields of every request or message, which a fix never removes. */
const coreNames = new Set(['model', 'messages', 'role', 'content', 'tool_calls', 'tool_call_id']);
const coreCallNames = new Set(['id', 'type', 'function', 'index', 'arguments', 'name']);

function listSentNames(body: unknown): SentNames {
  const messages = toList(getOwnProperty(body, 'messages'));
  const calls = messages.flatMap((message) => toList(getOwnProperty(message, 'tool_calls')));
  const functions = calls.map((call) => getOwnProperty(call, 'function'));
  const listKeys = (values: readonly unknown[], excluded: ReadonlySet<string>) =>
    values
      .flatMap((value) => (isRecord(value) ? Object.keys(value) : []))
      .filter((name) => !excluded.has(name));
  return {
    request: indexByPlainName(listKeys([body], coreNames)),
    message: indexByPlainName([
      ...listKeys(messages, coreNames),
      ...listKeys([...calls, ...functions], coreCallNames),
    ]),
  };
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function indexByPlainName(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [toPlainName(name), name]));
}

function toRefusal(
  field: string,
  part: FieldRefusal['in'],
  kind: Kind,
  text: string,
  names: SentNames,
): FieldRefusal {
  if (kind === 'missing') return { field, in: part, kind };
  if (kind !== 'unsupported') return { field, in: part, kind: 'value', isFixed: kind === 'fixed' };
  const replacement = part === 'request' ? findReplacement(text, names) : undefined;
  return replacement === undefined
    ? { field, in: part, kind }
    : { field, in: part, kind: 'replace', replacement };
}

// ---- statements with a path ----

/**
 * Finds the field at the path of a statement, even if the text only describes the problem. `undefined` if the path
 * matches nothing that was sent; empty if the field cannot be left out.
 */
function findRefusalsAtPath(
  { path, text }: RefusalStatement,
  names: SentNames,
  isBadRequest: boolean,
): FieldRefusal[] | undefined {
  const lastName = path.findLast((segment) => /[a-z]/i.test(segment));
  const kind = detectKind(text) ?? (isBadRequest ? 'value' : undefined);
  if (lastName === undefined || kind === undefined) return undefined;
  const isInMessage = /^(?:messages|contents)$/.test(path[0] ?? '');
  if (isInMessage && lastName === path[0]) return undefined;
  if (kind === 'missing' && !isSent(lastName, names)) {
    if (coreNames.has(lastName) || !isFieldName(lastName)) return [];
    return [{ field: lastName, in: isInMessage ? 'message' : 'request', kind }];
  }
  if (isInMessage) {
    const field = path.toReversed().flatMap((segment) => names.message.get(toPlainName(segment)) ?? [])[0];
    return field === undefined ? [] : [toRefusal(field, 'message', kind, text, names)];
  }
  const fieldIndex = path.findIndex((segment) => names.request.has(toPlainName(segment)));
  const field = names.request.get(toPlainName(path[fieldIndex] ?? ''));
  if (field === undefined) return undefined;
  // An error in one item of a list is not about the list.
  const isInItem = path.slice(fieldIndex + 1).some((segment) => /^\d+$/.test(segment));
  return isInItem ? [] : [toRefusal(field, 'request', kind, text, names)];
}

function isSent(name: string, names: SentNames): boolean {
  return names.request.has(toPlainName(name)) || names.message.has(toPlainName(name));
}

// ---- sentences ----

/** The first matching pattern decides. */
const kindPatterns: readonly (readonly [Kind, RegExp])[] = [
  [
    'missing',
    /(?:cannot|can't|must not|should not|may not) be (?:empty|blank|null|none|omitted|missing)\b|缺少|不能为空/,
  ],
  ['unsupported', /\binstead of\b|renamed|replaced (?:by|with)|superseded|favou?r of/],
  [
    'fixed',
    /only (?:the )?default|only \w{1,40} ?=|only \S{1,20} (?:value )?is (?:currently )?(?:supported|allowed|accepted|permitted|valid)|(?:may|can|must) only (?:be (?:set to|1\b|the)|take|equal)|only (?:supports?|allows?|accepts?) (?:the )?(?:default )?\w+ ?=? ?\d|must (?:be|equal) (?:exactly |set to |equal to )?(?:the default|-?\d[\d.]{0,9}(?! ?(?:or\b|to\b|and\b|-|\d)))|只能为|仅支持|只支持/,
  ],
  [
    'value',
    /(?:unsupported|invalid|unknown|unexpected|illegal) (?:enum )?value|support (?:the )?(?:value )?["'`]?-?\d|\bvalue [^.;]{0,40}(?:\bnot|n't|\bun) ?(?:be )?(?:support|allow|accept|permit)/,
  ],
  [
    'unsupported',
    /unsupported|\bnot (?:\w{1,12} )?(?:support|allow|permit|accept|expect|recogni[sz]|available|enabled|valid\b|implement|compatible|take\b|have\b|know)|n't (?:be )?(?:support|allow|permit|accept|expect|recogni[sz]|available|enabled|implement|take\b|have\b|know)|unknown|unrecogni[sz]ed|unexpected|extra (?:\w{1,12} )?(?:input|field|param|key|argument|forbidden)|forbidden|cannot find|(?:cannot|can't|may not|must not) (?:both )?be|no such|no longer|deprecated|disabled|\bremove\b|additional propert|invalid (?:request )?(?:param|argument|field|key|propert|name\b|option)|only (?:be )?(?:support|allow|available|used|valid|applicable|work)|不支持|未知|不允许|不接受/,
  ],
  [
    'missing',
    /missing|(?<!not )required\b|requires\b|\bneeds? |must be (?:passed|provided|sent|included|present|specified|supplied|given|returned)|(?:is|was|were) not (?:set|provided|specified|present|included)/,
  ],
  [
    'value',
    /invalid|illegal|must (?:be|have|match|not)|should (?:be|have|match)|(?:less|greater|larger|smaller|higher|lower|more|fewer) than|at (?:most|least) -?\d|out of range|too (?:large|small|high|low|long|short|many|few|big)\b|\bbetween\b|无效|非法|必须|超出/,
  ],
];

function detectKind(text: string): Kind | undefined {
  const plain = text.toLowerCase().replaceAll('_', ' ').replaceAll('’', "'");
  return kindPatterns.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** Names after these words are alternatives or conditions, not rejected fields. */
const conditionPattern =
  /\b(?:expected|(?:supported|allowed|valid|known|available|accepted) (?:param|field|value|argument|option|key|propert|name)|one of|did you mean|instead|please use|when|if|unless|because|while|with|without|for)\b/i;
const leadingConditionPattern = /^\s*(?:when|if|with|while|because|since)\b[^,.]{0,200},/i;
const bothRefusedPattern =
  /\bboth\b|together|simultaneously|mutually exclusive|at the same time|only one of|in combination/i;

function findRefusalsInText(text: string, names: SentNames): FieldRefusal[] {
  const sentences = text.split(/(?<=[.!?;])\s+|\n/);
  const refusals = sentences.flatMap((sentence) => findRefusalsInSentence(sentence, text, names));
  return refusals.length > 0 ? refusals : findRefusalsInSentence(text, text, names);
}

function findRefusalsInSentence(sentence: string, text: string, names: SentNames): FieldRefusal[] {
  const kind = detectKind(sentence);
  if (kind === undefined) return [];
  const missingRefusals = kind === 'missing' ? findMissing(sentence, names) : [];
  if (missingRefusals.length > 0) return missingRefusals;
  const mainClause = sentence.replace(leadingConditionPattern, '');
  const mentions = findMentions(mainClause, names);
  const cutIndex = conditionPattern.exec(mainClause)?.index ?? mainClause.length;
  const earlierMentions = mentions.filter(({ start }) => start < cutIndex);
  const refusedMentions = findRefusedMentions(mainClause, earlierMentions);
  const [first, ...otherMentions] =
    refusedMentions.length > 0 ? refusedMentions : findRefusedMentions(mainClause, mentions);
  if (first === undefined) return [];
  const lastMention = mentions.at(-1);
  if (bothRefusedPattern.test(sentence) && lastMention !== undefined && mentions.length > 1)
    return [{ field: lastMention.field, in: lastMention.part, kind: 'value', isFixed: false }];
  // A sent field that requires another one is not missing itself.
  const isValue = kind === 'missing' || (kind === 'unsupported' && isAboutValue(mainClause, first, names));
  return [first, ...otherMentions].map(({ field, part }) =>
    toRefusal(field, part, isValue ? 'value' : refineKind(kind, text), text, names),
  );
}

/** Returns "fixed" if a later sentence states that only one value is allowed. */
function refineKind(kind: Kind, text: string): Kind {
  return kind === 'value' && detectKind(text) === 'fixed' ? 'fixed' : kind;
}

/** Returns true if a value follows the field, as in `reasoning_effort does not support 'minimal'`. */
function isAboutValue(sentence: string, mention: Mention, names: SentNames): boolean {
  const value = /(?:support|allow|accept)s? (?:the )?(?:value )?["'`]([^"'`]{1,40})["'`]/i.exec(
    sentence.slice(mention.start),
  )?.[1];
  return value !== undefined && !isSent(value, names);
}

interface Mention {
  field: string;
  part: FieldRefusal['in'];
  start: number;
  end: number;
  /** 3: cannot be an ordinary word. 2: is named as a field. 1: may be either. 0: counts only in a list. */
  strength: 0 | 1 | 2 | 3;
}

const quotePattern = /["'`‘’“”*]/;
const fieldPrefixPattern =
  /(?:param(?:eter)?s?|arguments?|args?|fields?|keys?|propert(?:y|ies)|inputs?|options?|settings?|supplied|(?:support|accept|allow|use|set|take)s?(?: the| custom)?)\)?\s?[:=]?\s?$/i;
const fieldSuffixPattern =
  /^\s?(?:[:=<>]|(?:parameter|param|argument|field|property|option|setting|value|is|are|was|does|do|can|cannot|may|must|should|has|isn't|doesn't|not)\b)/i;
/** Maximum length of names that may be ordinary words. */
const maxOrdinaryChars = 6;

function findMentions(sentence: string, names: SentNames): Mention[] {
  return [...sentence.matchAll(/[A-Za-z_]\w*/g)].flatMap(({ 0: token, index: start }): Mention[] => {
    const plain = toPlainName(stripCodeWords(token));
    const part = names.request.has(plain) ? 'request' : 'message';
    const field = names[part].get(plain);
    if (field === undefined) return [];
    const end = start + token.length;
    // `tools[0].name` is about one item.
    if (/^(?:\[\d|\.\d)/.test(sentence.slice(end, end + 2))) return [];
    const isQuoted = quotePattern.test(sentence.charAt(start - 1)) && quotePattern.test(sentence.charAt(end));
    const isFieldLike = isQuoted || token.includes('_') || /[a-z][A-Z]/.test(token);
    const isLabeled =
      fieldPrefixPattern.test(sentence.slice(Math.max(0, start - 40), start)) ||
      fieldSuffixPattern.test(sentence.slice(end, end + 40)) ||
      /[.\]/'"`]/.test(sentence.charAt(start - 1)) ||
      /^: \w+\W?$/.test(sentence.slice(start - 2));
    const isOrdinary = part === 'message' || field.length <= maxOrdinaryChars;
    const strength = isFieldLike ? 3 : isLabeled ? 2 : isOrdinary ? 0 : 1;
    return [{ field, part, start, end, strength }];
  });
}

/** Returns `stream_options` for `stream_options_unsupported` and `unsupported_stream_options`. */
function stripCodeWords(token: string): string {
  return token.replace(
    /^(?:unsupported|unknown|invalid|unexpected)_|_(?:unsupported|not_supported|not_allowed|invalid|unknown)$/g,
    '',
  );
}

const listSeparatorPattern =
  /^["'`\])}]{0,2}(?:[:=]\s?[^,]{1,40})?(?:[,;]|\s(?:and|or|nor)\b|,\s(?:and|or)\b)\s{0,2}["'`[({]{0,2}$/;

/** Returns the first of the strongest mentions and the list to which it belongs. */
function findRefusedMentions(sentence: string, mentions: readonly Mention[]): Mention[] {
  const strength = Math.max(1, ...mentions.map((mention) => mention.strength));
  let startIndex = mentions.findIndex((mention) => mention.strength === strength);
  if (startIndex < 0) return [];
  const areListed = (previous?: Mention, next?: Mention) =>
    previous !== undefined &&
    next !== undefined &&
    listSeparatorPattern.test(sentence.slice(previous.end, next.start));
  let endIndex = startIndex + 1;
  while (areListed(mentions[startIndex - 1], mentions[startIndex])) startIndex -= 1;
  while (areListed(mentions[endIndex - 1], mentions[endIndex])) endIndex += 1;
  return mentions.slice(startIndex, endIndex);
}

/** Returns true for names that can be added to a request: not paths, prose or members of every object. */
function isFieldName(name: string): boolean {
  return /^[a-z]\w{0,63}$/i.test(name) && !(name in {});
}

const replacementPrefixPattern =
  /\b(?:use|using|try|replaced (?:by|with)|superseded by|favou?r of|(?:renamed|changed|moved|switch) to|did you mean|mean)\s(?:the\s)?(?:parameter\s|field\s|new\s)?/gi;
const replacementSuffixPattern = /["'`’”]? (?:instead of|(?:should|must|can) be used)\b/gi;
const maxNameChars = 64;

function findReplacement(text: string, names: SentNames): string | undefined {
  const starts = [...text.matchAll(replacementPrefixPattern)].map(({ 0: phrase, index }) => {
    const start = index + phrase.length;
    return quotePattern.test(text.charAt(start)) ? start + 1 : start;
  });
  const ends = [...text.matchAll(replacementSuffixPattern)].map(({ index }) => {
    const textBefore = text.slice(Math.max(0, index - maxNameChars), index);
    return index - (textBefore.split(/\W/).at(-1) ?? '').length;
  });
  return [...starts, ...ends]
    .flatMap((start) => {
      const [name = ''] = /^[a-z]\w*/i.exec(text.slice(start, start + maxNameChars)) ?? [];
      const textAfter = text.slice(start + name.length, start + name.length + 2);
      const isQuoted = quotePattern.test(text.charAt(start - 1)) && quotePattern.test(textAfter.charAt(0));
      // `set x=y` and `x.y` refer to program settings.
      const isField = (name.includes('_') || isQuoted) && !/^(?:[=(]|\.\w)/.test(textAfter);
      return isField && isFieldName(name) && !coreNames.has(name) && !isSent(name, names) ? [name] : [];
    })
    .at(0);
}

const messagePattern = /message|assistant|tool|function ?call|passed back|part\b|turn\b|history/i;

/** A quoted word after other words may be a value. */
const missingPrefixPattern =
  /(?:^|:|\b(?:an?|the|param|parameter|argument|field|property|key|missing|require|requires|required|needs?))$/i;

/** Finds the field in `reasoning_content is missing in message 2` and `Missing required parameter: 'max_tokens'`. */
function findMissing(sentence: string, names: SentNames): FieldRefusal[] {
  const markedNames = [...sentence.matchAll(/[A-Za-z]\w*/g)].flatMap(({ 0: name, index }) => {
    const isQuoted =
      quotePattern.test(sentence.charAt(index - 1)) &&
      quotePattern.test(sentence.charAt(index + name.length)) &&
      missingPrefixPattern.test(sentence.slice(Math.max(0, index - 20), index - 1).trim());
    const isMarked = isQuoted || /[a-z]_[a-z]/.test(name);
    const isCode = /^(?:missing|invalid|required|bad)_|_(?:missing|required|error)$/i.test(name);
    const isRequestField = names.request.has(toPlainName(name));
    return isMarked && !isCode && !isRequestField && isFieldName(name) && !coreNames.has(name) ? [name] : [];
  });
  const [field] = markedNames;
  if (field === undefined) return [];
  return [
    {
      field,
      in: messagePattern.test(sentence.replaceAll(field, '')) ? 'message' : 'request',
      kind: 'missing',
    },
  ];
}
