/** Where words are in the session on screen: every hit in the order in which one reads, drawn or not. */
import { normalizeForSearch, normalizeWithOffsets, buildSnippet } from '../files/text-search.ts';
import { isLive } from '../reply/run.ts';
import { getContentText } from '../request/request.ts';
import { getCandidate } from '../session/candidates.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import { getLaneLetter, getRun, getManualReply } from '../session/turn-tree.ts';
import type { PromptId, SessionData } from '../session/types.ts';

/** What of the session is searched. */
export type FindScope = 'all' | 'prompts' | 'answers' | 'reasoning';

export type TextKind = 'prompt' | 'result' | 'answer' | 'reasoning';

/** One text of the session, by the message that shows it. */
interface SearchableText {
  promptId: PromptId;
  /** The number of the turn. */
  turnNumber: number;
  /** Names the message that shows it: a prompt's by id and place, an answer by its turn. */
  messageKey: string;
  kind: TextKind;
  /** The role of a prompt's message, or the letter of an answer's lane. */
  author: string;
  text: string;
  /** Drawn from markdown, whose marks are not drawn. */
  isMarkdown: boolean;
  /** The stored records that it is of. */
  recordIds: readonly string[];
}

/** One place where the words are. */
export interface Hit extends Omit<SearchableText, 'text' | 'isMarkdown'> {
  /** Which of the matches among the texts of this kind in its message, from 0. */
  occurrence: number;
}

export interface FindQuery {
  query: string;
  scope: FindScope;
  /** Each of the words is a hit where they stand nowhere together, as in a search of the history. */
  matchesTermsSeparately?: boolean;
}

/** What is looked for, in folded text. */
interface ParsedQuery {
  pattern: RegExp;
  terms: readonly string[];
}

/** The words in this order, with any space between. Undefined where nothing is asked for. */
function parsePhrase(query: string): ParsedQuery | undefined {
  const terms = normalizeTerms(query);
  if (terms.length === 0) return undefined;
  return { terms, pattern: new RegExp(terms.map(escapeRegExp).join(String.raw`\s+`), 'gu') };
}

/** Each of the words, the longer ones first. */
function parseSeparateTerms(query: string): ParsedQuery | undefined {
  const terms = normalizeTerms(query).toSorted((a, b) => b.length - a.length);
  if (terms.length === 0) return undefined;
  return { terms, pattern: new RegExp(terms.map(escapeRegExp).join('|'), 'gu') };
}

function normalizeTerms(query: string): string[] {
  return normalizeForSearch(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function escapeRegExp(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Where a pattern matches in this text. */
export function findMatches(text: string, pattern: RegExp): { start: number; end: number }[] {
  const { normalizedText, getOffset } = normalizeWithOffsets(text);
  return Array.from(normalizedText.matchAll(pattern), ({ index, 0: match }) => ({
    start: getOffset(index),
    end: getOffset(index + match.length),
  }));
}

/** The words of a text that is drawn from markdown. */
export type GetPlainText = (markdown: string) => string;

/** Every hit, and the pattern that they match. `getPlainText` returns the text that markdown is drawn as. */
export function findHits(
  data: SessionData,
  { query, scope, matchesTermsSeparately = false }: FindQuery,
  getPlainText: GetPlainText,
): { hits: Hit[]; pattern: RegExp | undefined } {
  const texts = listSearchableTexts(data).filter(({ kind }) => isInScope(kind, scope));
  const phrase = parsePhrase(query);
  const hits = findPatternHits(texts, phrase, getPlainText);
  if (hits.length > 0 || !matchesTermsSeparately) return { hits, pattern: phrase?.pattern };
  const parsedQuery = parseSeparateTerms(query);
  return { hits: findPatternHits(texts, parsedQuery, getPlainText), pattern: parsedQuery?.pattern };
}

/** A message that holds the words, in one line. */
export interface MessageMatch {
  text: string;
  /** "turn 57, your message" */
  location: string;
  recordId: string;
}

/** The first few messages that hold the words together, the newest first. */
export function findMessages(data: SessionData, query: string, maxMatches: number): MessageMatch[] {
  const parsedQuery = parsePhrase(query);
  if (!parsedQuery) return [];
  const matches: MessageMatch[] = [];
  for (const searchableText of listSearchableTexts(data).toReversed()) {
    if (matches.length === maxMatches) break;
    const [recordId] = searchableText.recordIds;
    if (recordId === undefined || countMatches(searchableText.text, parsedQuery) === 0) continue;
    const { pieces } = buildSnippet({ source: 'prompt', text: searchableText.text }, parsedQuery.terms);
    const snippetText = pieces.map(({ text }) => text).join('');
    matches.push({
      text: snippetText,
      location: `turn ${searchableText.turnNumber}, ${describeTextSource(searchableText)}`,
      recordId,
    });
  }
  return matches;
}

function isInScope(kind: TextKind, scope: FindScope): boolean {
  if (scope === 'all') return true;
  if (scope === 'prompts') return kind === 'prompt' || kind === 'result';
  return kind === (scope === 'answers' ? 'answer' : 'reasoning');
}

function findPatternHits(
  texts: readonly SearchableText[],
  parsedQuery: ParsedQuery | undefined,
  getPlainText: GetPlainText,
): Hit[] {
  if (!parsedQuery) return [];
  const hitCounts = new Map<string, number>();
  return texts.flatMap(({ text, isMarkdown, ...hitFields }) => {
    const sourceKey = `${hitFields.messageKey} ${hitFields.kind}`;
    const previousCount = hitCounts.get(sourceKey) ?? 0;
    const count = isMarkdown
      ? countMarkdownMatches(text, parsedQuery, getPlainText)
      : countMatches(text, parsedQuery);
    hitCounts.set(sourceKey, previousCount + count);
    return Array.from({ length: count }, (_, index): Hit => ({
      ...hitFields,
      occurrence: previousCount + index,
    }));
  });
}

function countMatches(text: string, { pattern }: ParsedQuery): number {
  return Array.from(normalizeForSearch(text).matchAll(pattern)).length;
}

/** Answers that are over do not change: each is read once for what is wanted, however often the session does. */
const countCache = new Map<string, Map<string, number>>();
const maxCachedPatterns = 4;

function countMarkdownMatches(text: string, parsedQuery: ParsedQuery, getPlainText: GetPlainText): number {
  const { source } = parsedQuery.pattern;
  const sourceCounts = countCache.get(source) ?? new Map<string, number>();
  countCache.set(source, sourceCounts);
  const [oldestPattern] = countCache.keys();
  if (countCache.size > maxCachedPatterns && oldestPattern !== undefined) countCache.delete(oldestPattern);
  const count = sourceCounts.get(text) ?? countUncachedMarkdownMatches(text, parsedQuery, getPlainText);
  sourceCounts.set(text, count);
  return count;
}

function countUncachedMarkdownMatches(
  text: string,
  parsedQuery: ParsedQuery,
  getPlainText: GetPlainText,
): number {
  // Most texts have none of the words, and need not be read as markdown to know it.
  const normalizedText = normalizeForSearch(text);
  return parsedQuery.terms.some((term) => normalizedText.includes(term))
    ? countMatches(getPlainText(text), parsedQuery)
    : 0;
}

/** All that is said on the paths shown, in the order in which one reads. */
function listSearchableTexts(data: SessionData): SearchableText[] {
  return buildPromptRows(data).flatMap(({ promptId, cells, number }) => {
    const prompt = data.prompts[promptId];
    const turnFields = { promptId, turnNumber: number };
    const recordIds = [promptId];
    const results = (prompt?.results ?? []).map((result, index): SearchableText => ({
      ...turnFields,
      recordIds,
      messageKey: getResultKey(promptId, index),
      kind: 'result',
      author: 'tool',
      text: result.content,
      isMarkdown: false,
    }));
    const messages = (prompt?.messages ?? []).map((message, index): SearchableText => ({
      ...turnFields,
      recordIds,
      messageKey: getMessageKey(promptId, index),
      kind: 'prompt',
      author: message.role,
      text: getContentText(message.content),
      isMarkdown: false,
    }));
    const answers = cells.flatMap(({ laneId, turnId }): SearchableText[] => {
      const turn = data.turns[turnId];
      const run = getRun(data, turn);
      const author = getLaneLetter(data.session.laneIds.indexOf(laneId));
      const answer = {
        ...turnFields,
        messageKey: turnId,
        author,
        recordIds: run ? [turnId, run.id] : [turnId],
      };
      const manualReply = getManualReply(turn);
      if (manualReply)
        return [{ ...answer, kind: 'answer', text: getContentText(manualReply.content), isMarkdown: true }];
      if (!run) return [];
      const parts = getCandidate(run, turn?.shownChoice)?.parts ?? [];
      // What grows is not read as markdown in each frame.
      const isMarkdown = !isLive(run);
      return parts.flatMap((part): SearchableText[] => {
        if (part.type === 'tool-call' || part.type === 'image') return [];
        const kind = part.type === 'thinking' ? 'reasoning' : 'answer';
        return [{ ...answer, kind, text: part.text, isMarkdown }];
      });
    });
    return [...results, ...messages, ...answers];
  });
}

/** The name of a prompt's message. */
export function getMessageKey(promptId: PromptId, index: number): string {
  return `${promptId} ${index}`;
}

/** The name of a tool's result in a prompt. */
export function getResultKey(promptId: PromptId, index: number): string {
  return `${promptId} result ${index}`;
}

export function isSameHit(a: Hit | undefined, b: Hit | undefined): boolean {
  return a?.messageKey === b?.messageKey && a?.kind === b?.kind && a?.occurrence === b?.occurrence;
}

/**
 * The hit to go to: the one that was shown, where it is still one; else the first in the record that was asked for;
 * else the first from this turn on, and at the end the first of all.
 */
export function pickInitialHit(
  hits: readonly Hit[],
  {
    currentHit,
    recordId,
    minTurnNumber = 1,
  }: { currentHit?: Hit | undefined; recordId?: string | undefined; minTurnNumber?: number },
): Hit | undefined {
  const unchangedHit = currentHit && hits.find((hit) => isSameHit(hit, currentHit));
  const requestedHit =
    recordId === undefined ? undefined : hits.find(({ recordIds }) => recordIds.includes(recordId));
  return unchangedHit ?? requestedHit ?? hits.find((hit) => hit.turnNumber >= minTurnNumber) ?? hits[0];
}

/** The hit one step on, round at the ends. */
export function getAdjacentHit(
  hits: readonly Hit[],
  currentHit: Hit | undefined,
  step: 1 | -1,
): Hit | undefined {
  const index = hits.findIndex((hit) => isSameHit(hit, currentHit));
  if (index < 0) return step > 0 ? hits[0] : hits.at(-1);
  return hits[(index + step + hits.length) % hits.length];
}

/** "3 of 12". Empty where nothing is asked for. */
export function formatHitPosition(hits: readonly Hit[], currentHit: Hit | undefined, query: string): string {
  if (query.trim() === '') return '';
  if (hits.length === 0) return 'No hits';
  const index = hits.findIndex((hit) => isSameHit(hit, currentHit));
  const total = hits.length.toLocaleString('en');
  return index < 0
    ? `${total} ${hits.length === 1 ? 'hit' : 'hits'}`
    : `${(index + 1).toLocaleString('en')} of ${total}`;
}

/** What is said of a hit that one goes to: "Hit 3 of 12, turn 57, your message." */
export function describeHit(hits: readonly Hit[], currentHit: Hit): string {
  return `Hit ${formatHitPosition(hits, currentHit, ' .')}, turn ${currentHit.turnNumber}, ${describeTextSource(currentHit)}.`;
}

function describeTextSource({ kind, author }: Pick<SearchableText, 'kind' | 'author'>): string {
  if (kind === 'result') return 'tool result';
  if (kind === 'answer') return `answer of lane ${author}`;
  if (kind === 'reasoning') return `reasoning of lane ${author}`;
  return author === 'user' ? 'your message' : `${author} message`;
}
