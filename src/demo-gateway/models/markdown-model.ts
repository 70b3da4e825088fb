/** Writes a document of the length asked for with every element of markdown. */
import type { DemoModel, DemoRequest, Piece } from '../model.ts';
import { countTokens } from '../tokens.ts';
import { lastUserText } from './prompt-text.ts';
import {
  chapterTitles,
  codeSamples,
  elementSections,
  mathSamples,
  sectionText,
  sentences,
} from './specimen.ts';
import { textPieces, valuePieces } from './text-output.ts';

export const markdown: DemoModel = {
  id: 'demo/markdown',
  about: 'Writes a document with every element of markdown, of the length asked for.',
  abilities: { vision: false, tools: false, thinking: false },
  reply: (request) => {
    const blocks = blocksOf(lengthAskedFor(lastUserText(request.messages)), request);
    return request.wantsJson
      ? valuePieces({ format: 'markdown', document: [...blocks].join('\n\n') })
      : blockPieces(blocks);
  },
};

function* blockPieces(blocks: Iterable<string>): Generator<Piece> {
  let isFirst = true;
  for (const block of blocks) {
    yield* textPieces(isFirst ? block : `\n\n${block}`);
    isFirst = false;
  }
}

interface Length {
  count: number;
  unit: 'words' | 'tokens';
}

const usualLength: Length = { count: 450, unit: 'words' };
const longestLength = 200_000;
const wordsPerUnit: Readonly<Record<string, number>> = {
  page: 400,
  paragraph: 60,
  sentence: 15,
  line: 12,
  word: 1,
  character: 1 / 6,
  letter: 1 / 6,
};

/** "about 2,000 words", "500 tokens", "3 pages", "2k words"; otherwise 450 words, less for short and more for long. */
export function lengthAskedFor(message: string): Length {
  const text = message.slice(0, 1000);
  const match =
    /(?<![\d,.])(\d[\d,.]*)[\s-]{0,9}(k|thousand)?[\s-]{0,9}(token|word|page|paragraph|sentence|line|character|letter)/iu.exec(
      text,
    );
  if (!match) {
    if (/\b(?:very long|huge|enormous)\b/iu.test(text)) return { count: 5000, unit: 'words' };
    if (/\b(?:long|large|detailed)\b/iu.test(text)) return { count: 2000, unit: 'words' };
    return /\b(?:short|brief|small|tiny)\b/iu.test(text) ? { count: 120, unit: 'words' } : usualLength;
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
      longestLength,
      Math.max(1, Number.isFinite(amount) ? amount * (wordsPerUnit[name] ?? 1) : usualLength.count),
    ),
  );
  return { count, unit: name === 'token' ? 'tokens' : 'words' };
}

/** The number of words between white space, which is how word processors count. */
export function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}

/** All elements once where the length allows, then chapters, then sentences up to the length. */
function* blocksOf({ count, unit }: Length, { random }: DemoRequest): Generator<string> {
  const measured = unit === 'words' ? countWords : (text: string) => countTokens(`\n\n${text}`);
  const nextSentence = shuffled(sentences, random);
  let left = count;
  const spent = (block: string) => {
    left -= measured(block);
    return block;
  };
  yield spent('# A specimen of markdown');
  if (left > 40) yield spent(`${nextSentence()} ${nextSentence()}`);
  for (const section of elementSections) {
    const block = sectionText(section);
    if (measured(block) <= left) yield spent(block);
  }
  const nextTitle = shuffled(chapterTitles, random);
  const nextExtra = shuffled([...codeSamples, ...mathSamples], random);
  for (let chapter = 1; ; chapter += 1) {
    const blocks = [
      `## ${chapter}. ${nextTitle()}`,
      paragraph(nextSentence, 3 + Math.floor(random() * 3)),
      extraBlock(random, nextSentence, nextExtra),
      paragraph(nextSentence, 2 + Math.floor(random() * 3)),
    ];
    if (blocks.reduce((sum, block) => sum + measured(block), 0) > left) break;
    for (const block of blocks) yield spent(block);
  }
  const rest: string[] = [];
  for (let sentence = nextSentence(); measured(sentence) <= left; sentence = nextSentence()) {
    rest.push(sentence);
    left -= measured(sentence);
    if (rest.length === 5) yield rest.splice(0).join(' ');
  }
  if (rest.length > 0) yield rest.join(' ');
}

function paragraph(nextSentence: () => string, count: number): string {
  return Array.from({ length: count }, nextSentence).join(' ');
}

function extraBlock(random: () => number, nextSentence: () => string, nextExtra: () => string): string {
  const list = Array.from({ length: 3 }, nextSentence);
  const kinds = [
    nextExtra,
    nextExtra,
    () => list.map((sentence) => `- ${sentence}`).join('\n'),
    () => list.map((sentence, index) => `${index + 1}. ${sentence}`).join('\n'),
    () => `> ${list.join('\n> ')}`,
    () => tableOf(random),
  ];
  return (kinds[Math.floor(random() * kinds.length)] ?? nextExtra)();
}

function tableOf(random: () => number): string {
  const rows = ['Amber', 'Basalt', 'Cedar', 'Dune'].map(
    (name) => `| ${name} | ${Math.floor(random() * 1000)} | ${(random() * 10).toFixed(2)} |`,
  );
  return ['| Name | Count | Share |', '| :--- | ---: | ---: |', ...rows].join('\n');
}

/** One item after another in random order, each once before any comes again. */
function shuffled<Item>(items: readonly Item[], random: () => number): () => Item {
  let bag: Item[] = [];
  return () => {
    if (bag.length === 0) bag = [...items];
    const [item] = bag.splice(Math.floor(random() * bag.length), 1);
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
}
