/** Finds text in the current session. Returns hits in reading order, including those that are not rendered. */
import { escapeRegExp } from 'es-toolkit';

import { normalizeForSearch, normalizeWithOffsets, buildSnippet } from '../files/text-search.ts';
import { isLive } from '../reply/run.ts';
import { getVisibleText } from '../request/message-files.ts';
import { getContentText } from '../request/request.ts';
import { getCandidate } from '../session/candidates.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import { getLaneLetter, getRun, getManualReply } from '../session/turn-tree.ts';
import type { PromptId, SessionData } from '../session/types.ts';

/** Kinds of text that are searched. */
export type FindScope = 'all' | 'prompts' | 'answers' | 'reasoning';

export type TextKind = 'prompt' | 'result' | 'answer' | 'reasoning';

/** Text of the session, identified by the message that shows it. */
interface SearchableText {
  promptId: PromptId;
  /** Number of the turn, from 1. */
  turnNumber: number;
  /** Key of the message: prompt ID and index for a prompt, the turn for an answer. */
  messageKey: string;
  kind: TextKind;
  /** Role of a prompt message, or lane letter of an answer. */
  author: string;
  text: string;
  /** True if rendered from Markdown, whose markup is not visible. */
  isMarkdown: boolean;
  /** IDs of the stored records that contain the text. */
  recordIds: readonly string[];
}

/** Occurrence of the query. */
export interface Hit extends Omit<SearchableText, 'text' | 'isMarkdown'> {
  /** Index of the match, from 0, among the texts of this kind in its message. */
  occurrence: number;
}

export interface FindQuery {
  query: string;
  scope: FindScope;
  /** Matches the terms separately if they occur nowhere as a phrase, as the history search does. */
  matchesTermsSeparately?: boolean;
}

/** Query in normalized text. */
interface ParsedQuery {
  pattern: RegExp;
  terms: readonly string[];
}

/** Parses the query as a phrase with any white space between words; `undefined` for an empty query. */
function parsePhrase(query: string): ParsedQuery | undefined {
  const terms = normalizeTerms(query);
  if (terms.length === 0) return undefined;
  return { terms, pattern: new RegExp(terms.map(escapeRegExp).join(String.raw`\s+`), 'gu') };
}

/** Matches each word separately, longer words first. */
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

/** Returns the ranges in the original text that match the pattern. */
export function findMatches(text: string, pattern: RegExp): { start: number; end: number }[] {
  const { normalizedText, getOffset } = normalizeWithOffsets(text);
  return Array.from(normalizedText.matchAll(pattern), ({ index, 0: match }) => ({
    start: getOffset(index),
    end: getOffset(index + match.length),
  }));
}

/** Returns the visible text of rendered Markdown. */
export type GetPlainText = (markdown: string) => string;

/** Returns all hits and the pattern that matched. `getPlainText` returns the visible text of Markdown. */
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

/** Message that contains the query, as one line. */
export interface MessageMatch {
  text: string;
  /** Location, such as "turn 57, your message". */
  location: string;
  recordId: string;
}

/** Returns the newest messages that contain the phrase, at most `maxMatches`. */
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

/** Match counts by pattern and text. Finished answers do not change, so each is parsed only once per pattern. */
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
  // Most texts contain none of the terms and need not be parsed as Markdown.
  const normalizedText = normalizeForSearch(text);
  return parsedQuery.terms.some((term) => normalizedText.includes(term))
    ? countMatches(getPlainText(text), parsedQuery)
    : 0;
}

/** Returns the texts on the shown paths in reading order. */
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
      text: getVisibleText(message.content),
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
      // Streaming text is not parsed as Markdown in every frame.
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

/** Returns the key of a prompt message. */
export function getMessageKey(promptId: PromptId, index: number): string {
  return `${promptId} ${index}`;
}

/** Returns the key of a tool result in a prompt. */
export function getResultKey(promptId: PromptId, index: number): string {
  return `${promptId} result ${index}`;
}

export function isSameHit(a: Hit | undefined, b: Hit | undefined): boolean {
  return a?.messageKey === b?.messageKey && a?.kind === b?.kind && a?.occurrence === b?.occurrence;
}

/**
 * Returns the current hit if it still exists, otherwise the first hit in the requested record, otherwise the first from
 * this turn on, otherwise the first of all.
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

/** Returns the next or previous hit, wrapping around at the ends. */
export function getAdjacentHit(
  hits: readonly Hit[],
  currentHit: Hit | undefined,
  step: 1 | -1,
): Hit | undefined {
  const index = hits.findIndex((hit) => isSameHit(hit, currentHit));
  if (index < 0) return step > 0 ? hits[0] : hits.at(-1);
  return hits[(index + step + hits.length) % hits.length];
}

/** Returns "3 of 12", or an empty string without a query. */
export function formatHitPosition(hits: readonly Hit[], currentHit: Hit | undefined, query: string): string {
  if (query.trim() === '') return '';
  if (hits.length === 0) return 'No hits';
  const index = hits.findIndex((hit) => isSameHit(hit, currentHit));
  const total = hits.length.toLocaleString('en');
  return index < 0
    ? `${total} ${hits.length === 1 ? 'hit' : 'hits'}`
    : `${(index + 1).toLocaleString('en')} of ${total}`;
}

/** Returns the announcement of a hit: "Hit 3 of 12, turn 57, your message." */
export function describeHit(hits: readonly Hit[], currentHit: Hit): string {
  return `Hit ${formatHitPosition(hits, currentHit, ' .')}, turn ${currentHit.turnNumber}, ${describeTextSource(currentHit)}.`;
}

function describeTextSource({ kind, author }: Pick<SearchableText, 'kind' | 'author'>): string {
  if (kind === 'result') return 'tool result';
  if (kind === 'answer') return `answer of lane ${author}`;
  if (kind === 'reasoning') return `reasoning of lane ${author}`;
  return author === 'user' ? 'your message' : `${author} message`;
}
