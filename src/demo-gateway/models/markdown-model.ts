/** Writes a document of the requested length that contains every Markdown element. */
import type { DemoModel, DemoRequest, ModelOutput } from '../model.ts';
import { countTokens } from '../tokens.ts';
import { getLastUserText } from './prompt-text.ts';
import {
  chapterTitles,
  codeSamples,
  elementSections,
  mathSamples,
  formatSection,
  sentences,
} from './specimen.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';

export const markdownModel: DemoModel = {
  id: 'demo/markdown',
  description: 'Writes a document of the requested length with every Markdown element.',
  abilities: { vision: false, tools: false, thinking: false },
  reply: (request) => {
    const blocks = generateBlocks(parseRequestedLength(getLastUserText(request.messages)), request);
    return request.isJsonMode
      ? toJsonOutput({ format: 'markdown', document: [...blocks].join('\n\n') })
      : toBlockOutput(blocks);
  },
};

function* toBlockOutput(blocks: Iterable<string>): Generator<ModelOutput> {
  let isFirst = true;
  for (const block of blocks) {
    yield* toTextOutput(isFirst ? block : `\n\n${block}`);
    isFirst = false;
  }
}

interface RequestedLength {
  count: number;
  unit: 'words' | 'tokens';
}

const defaultLength: RequestedLength = { count: 450, unit: 'words' };
const maxLength = 200_000;
const wordsPerUnit: Readonly<Record<string, number>> = {
  page: 400,
  paragraph: 60,
  sentence: 15,
  line: 12,
  word: 1,
  character: 1 / 6,
  letter: 1 / 6,
};

/**
 * Parses lengths such as "about 2,000 words", "500 tokens", "3 pages" and "2k words". Without a length: 450 words,
 * fewer for "short" and more for "long".
 */
export function parseRequestedLength(message: string): RequestedLength {
  const text = message.slice(0, 1000);
  const match =
    /(?<![\d,.])(\d[\d,.]*)[\s-]{0,9}(k|thousand)?[\s-]{0,9}(token|word|page|paragraph|sentence|line|character|letter)/iu.exec(
      text,
    );
  if (!match) {
    if (/\b(?:very long|huge|enormous)\b/iu.test(text)) return { count: 5000, unit: 'words' };
    if (/\b(?:long|large|detailed)\b/iu.test(text)) return { count: 2000, unit: 'words' };
    return /\b(?:short|brief|small|tiny)\b/iu.test(text) ? { count: 120, unit: 'words' } : defaultLength;
  }
  const [, digits = '', thousand, unit = 'word'] = match;
  const amount =
    Number(
      digits
        .replace(/,(?=\d{3})/g, '')
        .replace(/[.,]$/, '')
        .replace(',', '.'),
    ) * (thousand === undefined ? 1 : 1000);
  const name = unit.toLowerCase();
  const count = Math.round(
    Math.min(
      maxLength,
      Math.max(1, Number.isFinite(amount) ? amount * (wordsPerUnit[name] ?? 1) : defaultLength.count),
    ),
  );
  return { count, unit: name === 'token' ? 'tokens' : 'words' };
}

/** Counts words separated by white space, as word processors do. */
export function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}

/** Yields each element once if the length allows, then chapters, then sentences up to the length. */
function* generateBlocks({ count, unit }: RequestedLength, { random }: DemoRequest): Generator<string> {
  const measure = unit === 'words' ? countWords : (text: string) => countTokens(`\n\n${text}`);
  const pickSentence = createShuffledPicker(sentences, random);
  let remainingCount = count;
  const consume = (block: string) => {
    remainingCount -= measure(block);
    return block;
  };
  yield consume('# A specimen of markdown');
  if (remainingCount > 40) yield consume(`${pickSentence()} ${pickSentence()}`);
  for (const section of elementSections) {
    const block = formatSection(section);
    if (measure(block) <= remainingCount) yield consume(block);
  }
  const pickTitle = createShuffledPicker(chapterTitles, random);
  const pickExtra = createShuffledPicker([...codeSamples, ...mathSamples], random);
  for (let chapter = 1; ; chapter += 1) {
    const blocks = [
      `## ${chapter}. ${pickTitle()}`,
      createParagraph(pickSentence, 3 + Math.floor(random() * 3)),
      createExtraBlock(random, pickSentence, pickExtra),
      createParagraph(pickSentence, 2 + Math.floor(random() * 3)),
    ];
    if (blocks.reduce((sum, block) => sum + measure(block), 0) > remainingCount) break;
    for (const block of blocks) yield consume(block);
  }
  const pendingSentences: string[] = [];
  for (let sentence = pickSentence(); measure(sentence) <= remainingCount; sentence = pickSentence()) {
    pendingSentences.push(sentence);
    remainingCount -= measure(sentence);
    if (pendingSentences.length === 5) yield pendingSentences.splice(0).join(' ');
  }
  if (pendingSentences.length > 0) yield pendingSentences.join(' ');
}

function createParagraph(pickSentence: () => string, count: number): string {
  return Array.from({ length: count }, pickSentence).join(' ');
}

function createExtraBlock(random: () => number, pickSentence: () => string, pickExtra: () => string): string {
  const list = Array.from({ length: 3 }, pickSentence);
  const blockBuilders = [
    pickExtra,
    pickExtra,
    () => list.map((sentence) => `- ${sentence}`).join('\n'),
    () => list.map((sentence, index) => `${index + 1}. ${sentence}`).join('\n'),
    () => `> ${list.join('\n> ')}`,
    () => createTable(random),
  ];
  return (blockBuilders[Math.floor(random() * blockBuilders.length)] ?? pickExtra)();
}

function createTable(random: () => number): string {
  const rows = ['Amber', 'Basalt', 'Cedar', 'Dune'].map(
    (name) => `| ${name} | ${Math.floor(random() * 1000)} | ${(random() * 10).toFixed(2)} |`,
  );
  return ['| Name | Count | Share |', '| :--- | ---: | ---: |', ...rows].join('\n');
}

/** Returns the items in random order, each item once before any is repeated. */
function createShuffledPicker<Item>(items: readonly Item[], random: () => number): () => Item {
  let remaining: Item[] = [];
  return () => {
    if (remaining.length === 0) remaining = [...items];
    const [item] = remaining.splice(Math.floor(random() * remaining.length), 1);
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
}
