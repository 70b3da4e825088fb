/** Where words are in the session on screen: every hit in the order in which one reads, drawn or not. */
import { folded, foldedWithPlaces, snippetOf } from '../files/text-search.ts';
import { isLive } from '../reply/run.ts';
import { textOfContent } from '../request/request.ts';
import { candidateOf } from '../session/candidates.ts';
import { rowsOf } from '../session/prompt-rows.ts';
import { laneLetter, runOf, writtenOf } from '../session/turn-tree.ts';
import type { PromptId, SessionData } from '../session/types.ts';

/** What of the session is searched. */
export type FindIn = 'all' | 'prompts' | 'answers' | 'reasoning';

export type SaidKind = 'prompt' | 'result' | 'answer' | 'reasoning';

/** One text of the session, by the message that shows it. */
interface SaidText {
  promptId: PromptId;
  /** The number of the turn. */
  turn: number;
  /** Names the message that shows it: a prompt's by id and place, an answer by its turn. */
  message: string;
  kind: SaidKind;
  /** The role of a prompt's message, or the letter of an answer's lane. */
  by: string;
  text: string;
  /** Drawn from markdown, whose marks are not drawn. */
  isMarkdown: boolean;
  /** The stored records that it is of. */
  records: readonly string[];
}

/** One place where the words are. */
export interface Hit extends Omit<SaidText, 'text' | 'isMarkdown'> {
  /** Which of the matches among the texts of this kind in its message, from 0. */
  nth: number;
}

export interface FindQuery {
  query: string;
  among: FindIn;
  /** Each of the words is a hit where they stand nowhere together, as in a search of the history. */
  eachWord?: boolean;
}

/** What is looked for, in folded text. */
interface Wanted {
  pattern: RegExp;
  words: readonly string[];
}

/** The words in this order, with any space between. Undefined where nothing is asked for. */
function phraseOf(query: string): Wanted | undefined {
  const words = foldedWords(query);
  if (words.length === 0) return undefined;
  return { words, pattern: new RegExp(words.map(literal).join(String.raw`\s+`), 'gu') };
}

/** Each of the words, the longer ones first. */
function eachWordOf(query: string): Wanted | undefined {
  const words = foldedWords(query).toSorted((one, other) => other.length - one.length);
  if (words.length === 0) return undefined;
  return { words, pattern: new RegExp(words.map(literal).join('|'), 'gu') };
}

function foldedWords(query: string): string[] {
  return folded(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function literal(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Where a pattern matches in this text. */
export function matchesIn(text: string, pattern: RegExp): { start: number; end: number }[] {
  const { plain, placeOf } = foldedWithPlaces(text);
  return Array.from(plain.matchAll(pattern), ({ index, 0: found }) => ({
    start: placeOf(index),
    end: placeOf(index + found.length),
  }));
}

/** The words of a text that is drawn from markdown. */
export type WordsOf = (markdown: string) => string;

/** Every hit, and the pattern that they match. `wordsOf` says what is drawn of markdown. */
export function findHits(
  data: SessionData,
  { query, among, eachWord = false }: FindQuery,
  wordsOf: WordsOf,
): { hits: Hit[]; pattern: RegExp | undefined } {
  const texts = saidTexts(data).filter(({ kind }) => isAmong(kind, among));
  const phrase = phraseOf(query);
  const hits = hitsIn(texts, phrase, wordsOf);
  if (hits.length > 0 || !eachWord) return { hits, pattern: phrase?.pattern };
  const wanted = eachWordOf(query);
  return { hits: hitsIn(texts, wanted, wordsOf), pattern: wanted?.pattern };
}

/** A message that holds the words, in one line. */
export interface FoundMessage {
  words: string;
  /** "turn 57, your message" */
  where: string;
  record: string;
}

/** The first few messages that hold the words together, the newest first. */
export function foundMessages(data: SessionData, query: string, most: number): FoundMessage[] {
  const wanted = phraseOf(query);
  if (!wanted) return [];
  const found: FoundMessage[] = [];
  for (const said of saidTexts(data).toReversed()) {
    if (found.length === most) break;
    const [record] = said.records;
    if (record === undefined || countIn(said.text, wanted) === 0) continue;
    const { pieces } = snippetOf({ who: 'prompt', text: said.text }, wanted.words);
    const words = pieces.map(({ text }) => text).join('');
    found.push({ words, where: `turn ${said.turn}, ${whoseWords(said)}`, record });
  }
  return found;
}

function isAmong(kind: SaidKind, among: FindIn): boolean {
  if (among === 'all') return true;
  if (among === 'prompts') return kind === 'prompt' || kind === 'result';
  return kind === (among === 'answers' ? 'answer' : 'reasoning');
}

function hitsIn(texts: readonly SaidText[], wanted: Wanted | undefined, wordsOf: WordsOf): Hit[] {
  if (!wanted) return [];
  const known = new Map<string, number>();
  return texts.flatMap(({ text, isMarkdown, ...said }) => {
    const name = `${said.message} ${said.kind}`;
    const before = known.get(name) ?? 0;
    const count = isMarkdown ? countDrawn(text, wanted, wordsOf) : countIn(text, wanted);
    known.set(name, before + count);
    return Array.from({ length: count }, (_, index): Hit => ({ ...said, nth: before + index }));
  });
}

function countIn(text: string, { pattern }: Wanted): number {
  return Array.from(folded(text).matchAll(pattern)).length;
}

/** Answers that are over do not change: each is read once for what is wanted, however often the session does. */
const counts = new Map<string, Map<string, number>>();
const mostPatterns = 4;

function countDrawn(text: string, wanted: Wanted, wordsOf: WordsOf): number {
  const { source } = wanted.pattern;
  const known = counts.get(source) ?? new Map<string, number>();
  counts.set(source, known);
  const [oldest] = counts.keys();
  if (counts.size > mostPatterns && oldest !== undefined) counts.delete(oldest);
  const count = known.get(text) ?? freshCount(text, wanted, wordsOf);
  known.set(text, count);
  return count;
}

function freshCount(text: string, wanted: Wanted, wordsOf: WordsOf): number {
  // Most texts have none of the words, and need not be read as markdown to know it.
  const plain = folded(text);
  return wanted.words.some((word) => plain.includes(word)) ? countIn(wordsOf(text), wanted) : 0;
}

/** All that is said on the paths shown, in the order in which one reads. */
function saidTexts(data: SessionData): SaidText[] {
  return rowsOf(data).flatMap(({ promptId, cells, number }) => {
    const prompt = data.prompts[promptId];
    const of = { promptId, turn: number };
    const records = [promptId];
    const results = (prompt?.results ?? []).map((result, index): SaidText => ({
      ...of,
      records,
      message: resultName(promptId, index),
      kind: 'result',
      by: 'tool',
      text: result.content,
      isMarkdown: false,
    }));
    const messages = (prompt?.messages ?? []).map((message, index): SaidText => ({
      ...of,
      records,
      message: messageName(promptId, index),
      kind: 'prompt',
      by: message.role,
      text: textOfContent(message.content),
      isMarkdown: false,
    }));
    const answers = cells.flatMap(({ laneId, turnId }): SaidText[] => {
      const turn = data.turns[turnId];
      const run = runOf(data, turn);
      const by = laneLetter(data.session.laneIds.indexOf(laneId));
      const answer = { ...of, message: turnId, by, records: run ? [turnId, run.id] : [turnId] };
      const written = writtenOf(turn);
      if (written)
        return [{ ...answer, kind: 'answer', text: textOfContent(written.content), isMarkdown: true }];
      if (!run) return [];
      const parts = candidateOf(run, turn?.shownChoice)?.parts ?? [];
      // What grows is not read as markdown in each frame.
      const isMarkdown = !isLive(run);
      return parts.flatMap((part): SaidText[] => {
        if (part.type === 'tool-call' || part.type === 'image') return [];
        const kind = part.type === 'thinking' ? 'reasoning' : 'answer';
        return [{ ...answer, kind, text: part.text, isMarkdown }];
      });
    });
    return [...results, ...messages, ...answers];
  });
}

/** The name of a prompt's message. */
export function messageName(promptId: PromptId, index: number): string {
  return `${promptId} ${index}`;
}

/** The name of a tool's result in a prompt. */
export function resultName(promptId: PromptId, index: number): string {
  return `${promptId} result ${index}`;
}

export function isSameHit(one: Hit | undefined, other: Hit | undefined): boolean {
  return one?.message === other?.message && one?.kind === other?.kind && one?.nth === other?.nth;
}

/**
 * The hit to go to: the one that was shown, where it is still one; else the first in the record that was asked for;
 * else the first from this turn on, and at the end the first of all.
 */
export function hitToShow(
  hits: readonly Hit[],
  { here, record, turn = 1 }: { here?: Hit | undefined; record?: string | undefined; turn?: number },
): Hit | undefined {
  const same = here && hits.find((hit) => isSameHit(hit, here));
  const asked = record === undefined ? undefined : hits.find(({ records }) => records.includes(record));
  return same ?? asked ?? hits.find((hit) => hit.turn >= turn) ?? hits[0];
}

/** The hit one step on, round at the ends. */
export function hitAfter(hits: readonly Hit[], here: Hit | undefined, step: 1 | -1): Hit | undefined {
  const at = hits.findIndex((hit) => isSameHit(hit, here));
  if (at < 0) return step > 0 ? hits[0] : hits.at(-1);
  return hits[(at + step + hits.length) % hits.length];
}

/** "3 of 12". Empty where nothing is asked for. */
export function hitWords(hits: readonly Hit[], here: Hit | undefined, query: string): string {
  if (query.trim() === '') return '';
  if (hits.length === 0) return 'No hits';
  const at = hits.findIndex((hit) => isSameHit(hit, here));
  const total = hits.length.toLocaleString('en');
  return at < 0
    ? `${total} ${hits.length === 1 ? 'hit' : 'hits'}`
    : `${(at + 1).toLocaleString('en')} of ${total}`;
}

/** What is said of a hit that one goes to: "Hit 3 of 12, turn 57, your message." */
export function hitSentence(hits: readonly Hit[], here: Hit): string {
  return `Hit ${hitWords(hits, here, ' .')}, turn ${here.turn}, ${whoseWords(here)}.`;
}

function whoseWords({ kind, by }: Pick<SaidText, 'kind' | 'by'>): string {
  if (kind === 'result') return 'tool result';
  if (kind === 'answer') return `answer of lane ${by}`;
  if (kind === 'reasoning') return `reasoning of lane ${by}`;
  return by === 'user' ? 'your message' : `${by} message`;
}
