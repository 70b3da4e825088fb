/** Finds the passages of the documentation that are closest to a question, by spelling and not by meaning. */
import { cosine, embedText, fullFeatures } from '../embeddings/lexical-embedding.ts';
import { documentation, withoutCode, type Passage } from './documentation.ts';

/** score: 0 to about 1; from `enough` up the passage is worth showing. */
export interface Finding {
  passage: Passage;
  score: number;
}

/** Below this score a passage only shares a few letters with the question. Measured in guide.test.ts. */
export const enough = 0.27;

const options = { size: 1024, seed: 1, features: fullFeatures };

/** Weights of the four views on a passage, chosen on the questions of guide.test.ts. */
const headingWeight = 0.4;
const sentenceWeight = 0.2;
const coverageWeight = 0.25;
const headingCoverageWeight = 0.15;
/** A status such as 429 in the heading is what an error is looked up by. */
const statusBonus = 0.3;

interface IndexedPassage {
  passage: Passage;
  heading: Float32Array;
  sentences: Float32Array[];
  stems: Set<string>;
  headingStems: string[];
}

interface SearchIndex {
  passages: IndexedPassage[];
  /** How much a word tells: rare words tell more. Unknown words tell the most. */
  importanceOf: (stem: string) => number;
}

let index: SearchIndex | undefined;

/** Every passage with its score for this question, best first. */
export function searchDocumentation(question: string): Finding[] {
  index ??= indexOf(documentation());
  const { passages, importanceOf } = index;
  const plain = withoutPhrases(question);
  const vector = embedText(plain, options);
  const stems = [...new Set(contentStems(plain))];
  return passages
    .map(({ passage, heading, sentences, stems: known, headingStems }) => ({
      passage,
      score:
        headingWeight * cosine(vector, heading) +
        sentenceWeight * sentences.reduce((best, sentence) => Math.max(best, cosine(vector, sentence)), 0) +
        coverageWeight * coverage(stems, known, importanceOf) +
        headingCoverageWeight * coverage(headingStems, new Set(stems), importanceOf) +
        (headingStems.some((stem) => /^[1-5]\d\d$/.test(stem) && stems.includes(stem)) ? statusBonus : 0),
    }))
    .toSorted((left, right) => right.score - left.score);
}

/** Which share of the importance of the wanted words is among the known ones, 0 to 1. */
function coverage(
  wanted: readonly string[],
  known: ReadonlySet<string>,
  importanceOf: (stem: string) => number,
): number {
  let all = 0;
  let found = 0;
  for (const stem of wanted) {
    const importance = importanceOf(stem);
    all += importance;
    if (known.has(stem)) found += importance;
  }
  return all === 0 ? 0 : found / all;
}

function indexOf(passages: readonly Passage[]): SearchIndex {
  const indexed = passages.map((passage): IndexedPassage => {
    const { heading, body } = passage;
    const prose = withoutCode(body);
    const sentences = prose.split(/(?<=[.?:])\s+|\n+/).filter((sentence) => sentence.length > 10);
    return {
      passage,
      heading: embedText(heading, options),
      sentences: sentences.map((sentence) => embedText(sentence, options)),
      stems: new Set(contentStems(`${heading} ${body}`)),
      headingStems: contentStems(heading),
    };
  });
  const passagesWith = new Map<string, number>();
  for (const { stems } of indexed)
    for (const stem of stems) passagesWith.set(stem, (passagesWith.get(stem) ?? 0) + 1);
  return {
    passages: indexed,
    importanceOf: (stem) => Math.log(1 + passages.length / ((passagesWith.get(stem) ?? 0) + 0.5)),
  };
}

/** Turns of phrase that only say that something is asked. */
const phrases =
  /\b(?:what(?:'s| is| are| does)|how (?:do|can|to|does|should)(?: i| you| we)?|can (?:i|you|we)|where (?:do|can|is|are)|tell me|explain|show me|i want to|i would like to|about|mean(?:s|ing)?|work(?:s)?)\b/giu;

function withoutPhrases(question: string): string {
  const rest = question.replace(phrases, ' ').trim();
  return /\p{L}/u.test(rest) ? rest : question;
}

const smallWords = new Set(
  'a an and any are as at be been but by can could did do does for from get got had has have her him his how i if in into is it its just me my no not of on or our own please she should so some than that the their them then there these they this those to too up us was we were what when where which who why will with would you your bench'.split(
    ' ',
  ),
);

/** The words that carry the question, without their endings, so that "editing" finds "edit". */
export function contentStems(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !smallWords.has(word)).map(stemOf);
}

function stemOf(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=..)s$/u, '');
  const stem = word.replace(/(?:ing|ings|ed|es|s|ly|ation|ations|e)$/u, '');
  return stem.replace(/([bdgklmnprt])\1$/u, '$1');
}
