/** Finds the documentation passages closest to a question, by spelling rather than meaning. */
import { computeCosine, embedText, fullFeatures } from '../embeddings/lexical-embedding.ts';
import { getPassages, withoutCode, type Passage } from './documentation.ts';

/** A search result. `score` is between 0 and about 1; results below `minScore` are not relevant. */
export interface SearchHit {
  passage: Passage;
  score: number;
}

/** Passages with a lower score share only a few characters with the question. Measured in guide.test.ts. */
export const minScore = 0.27;

const options = { size: 1024, seed: 1, features: fullFeatures };

/** Weights of the four similarity measures, tuned on the questions of guide.test.ts. */
const headingWeight = 0.4;
const sentenceWeight = 0.2;
const coverageWeight = 0.25;
const headingCoverageWeight = 0.15;
/** Bonus for a heading with the status, such as 429, that the question mentions. */
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
  /** Returns the weight of a word: higher for rare words, highest for unknown words. */
  getImportance: (stem: string) => number;
}

let searchIndex: SearchIndex | undefined;

/** Returns all passages with their scores for this question, best first. */
export function searchDocumentation(question: string): SearchHit[] {
  searchIndex ??= buildSearchIndex(getPassages());
  const { passages, getImportance } = searchIndex;
  const query = withoutQuestionPhrases(question);
  const vector = embedText(query, options);
  const stems = [...new Set(getContentStems(query))];
  return passages
    .map(({ passage, heading, sentences, stems: passageStems, headingStems }) => ({
      passage,
      score:
        headingWeight * computeCosine(vector, heading) +
        sentenceWeight *
          sentences.reduce((best, sentence) => Math.max(best, computeCosine(vector, sentence)), 0) +
        coverageWeight * computeCoverage(stems, passageStems, getImportance) +
        headingCoverageWeight * computeCoverage(headingStems, new Set(stems), getImportance) +
        (headingStems.some((stem) => /^[1-5]\d\d$/.test(stem) && stems.includes(stem)) ? statusBonus : 0),
    }))
    .toSorted((left, right) => right.score - left.score);
}

/** Returns the weighted share of expected stems that are available, 0 to 1. */
function computeCoverage(
  expectedStems: readonly string[],
  availableStems: ReadonlySet<string>,
  getImportance: (stem: string) => number,
): number {
  let totalImportance = 0;
  let matchedImportance = 0;
  for (const stem of expectedStems) {
    const importance = getImportance(stem);
    totalImportance += importance;
    if (availableStems.has(stem)) matchedImportance += importance;
  }
  return totalImportance === 0 ? 0 : matchedImportance / totalImportance;
}

function buildSearchIndex(passages: readonly Passage[]): SearchIndex {
  const indexedPassages = passages.map((passage): IndexedPassage => {
    const { heading, body } = passage;
    const prose = withoutCode(body);
    const sentences = prose.split(/(?<=[.?:])\s+|\n+/).filter((sentence) => sentence.length > 10);
    return {
      passage,
      heading: embedText(heading, options),
      sentences: sentences.map((sentence) => embedText(sentence, options)),
      stems: new Set(getContentStems(`${heading} ${body}`)),
      headingStems: getContentStems(heading),
    };
  });
  const passageCounts = new Map<string, number>();
  for (const { stems } of indexedPassages)
    for (const stem of stems) passageCounts.set(stem, (passageCounts.get(stem) ?? 0) + 1);
  return {
    passages: indexedPassages,
    getImportance: (stem) => Math.log(1 + passages.length / ((passageCounts.get(stem) ?? 0) + 0.5)),
  };
}

/** Phrases that mark a question without adding content. */
const questionPhrases =
  /\b(?:what(?:'s| is| are| does)|how (?:do|can|to|does|should)(?: i| you| we)?|can (?:i|you|we)|where (?:do|can|is|are)|tell me|explain|show me|i want to|i would like to|about|mean(?:s|ing)?|work(?:s)?)\b/giu;

function withoutQuestionPhrases(question: string): string {
  const remaining = question.replace(questionPhrases, ' ').trim();
  return /\p{L}/u.test(remaining) ? remaining : question;
}

const stopWords = new Set(
  'a an and any are as at be been but by can could did do does for from get got had has have her him his how i if in into is it its just me my no not of on or our own please she should so some than that the their them then there these they this those to too up us was we were what when where which who why will with would you your bench'.split(
    ' ',
  ),
);

/** Returns the content words without their endings, so that "editing" matches "edit". */
export function getContentStems(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word)).map(stemWord);
}

function stemWord(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=..)s$/u, '');
  const stem = word.replace(/(?:ing|ings|ed|es|s|ly|ation|ations|e)$/u, '');
  return stem.replace(/([bdgklmnprt])\1$/u, '$1');
}
