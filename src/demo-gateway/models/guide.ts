/** Answers questions about Bench and the gateway API by quoting the closest passage of the documentation. */
import { getHelpLink } from '../../lib/help-link.ts';
import type { DemoModel, DemoRequest } from '../model.ts';
import { getContentStems, minScore, searchDocumentation, type SearchHit } from './documentation-search.ts';
import { getMessageText, getUserTexts } from './prompt-text.ts';
import { toJsonOutput, toTextOutput } from './text-output.ts';

export const guide: DemoModel = {
  id: 'demo/guide',
  description: "Answers questions about Bench and the gateway API from Bench's own documentation.",
  abilities: { vision: false, tools: false, thinking: false },
  reply: (request) => {
    const answer = createAnswer(request);
    if (!request.isJsonMode) return toTextOutput(answer.text);
    const sources = answer.hits.map(({ passage: { page, heading } }) => ({ page, section: heading }));
    return toJsonOutput({ answer: answer.text, sources });
  },
};

interface GuideAnswer {
  text: string;
  /** Quoted passages; empty if the answer is not from the documentation. */
  hits: SearchHit[];
}

function createAnswer(request: DemoRequest): GuideAnswer {
  const questions = getUserTexts(request.messages);
  const question = questions.at(-1) ?? '';
  const smallTalkAnswer = answerSmallTalk(question, request);
  if (smallTalkAnswer !== undefined) return { text: smallTalkAnswer, hits: [] };
  const previousQuestion = questions.at(-2);
  const hits =
    moreRequestPattern.test(question) && previousQuestion !== undefined
      ? filterUnquoted(searchDocumentation(previousQuestion), request)
      : searchWithContext(question, previousQuestion);
  const [best] = hits;
  if (best === undefined || best.score < minScore)
    return { text: describeNoMatch(question, request), hits: [] };
  const quotedHits = isComparison(question, hits) ? sortByMention(question, hits.slice(0, 2)) : [best];
  return { text: formatQuotes(quotedHits, hits, question), hits: quotedHits };
}

/** Words that refer back to an earlier message, so that the previous question is taken into account. */
const backReferencePattern =
  /^(?:and|but|so|or|what about|how about|why|then)\b|\b(?:it|its|that|this|they|them|those|these)\b/iu;
const moreRequestPattern =
  /^(?:(?:please )?tell me more|go on|continue|what else|anything else|and|more)[\s.?]*$/iu;
/** Score at which a question is treated as independent although it contains words that refer back. */
const minStandaloneScore = 0.6;
/** Weight of the previous question if a question refers back. */
const previousWeight = 0.7;

function searchWithContext(question: string, previousQuestion: string | undefined): SearchHit[] {
  const ownHits = searchDocumentation(question);
  const isStandalone =
    (ownHits[0]?.score ?? 0) >= minStandaloneScore ||
    !(backReferencePattern.test(question) || getContentStems(question).length === 0);
  if (previousQuestion === undefined || isStandalone) return ownHits;
  const previousScores = new Map(
    searchDocumentation(previousQuestion).map(({ passage, score }) => [passage, score]),
  );
  return ownHits
    .map(({ passage, score }) => ({
      passage,
      score: score + previousWeight * (previousScores.get(passage) ?? 0),
    }))
    .toSorted((left, right) => right.score - left.score);
}

/** Returns the results that have not been quoted in this conversation yet. */
function filterUnquoted(hits: SearchHit[], { messages }: DemoRequest): SearchHit[] {
  const previousAnswers = messages
    .filter(({ role }) => role === 'assistant')
    .map(getMessageText)
    .join('\n');
  return hits.filter(({ passage }) => !previousAnswers.includes(formatSource(passage)));
}

function isComparison(question: string, [first, second]: SearchHit[]): boolean {
  if (first === undefined || second === undefined) return false;
  return (
    /\b(?:differ|difference|versus|vs|compared?|between|both|and|or)\b/iu.test(question) &&
    second.score > 0.7 * first.score
  );
}

/** Sorts passages by the order in which the question mentions them. */
function sortByMention(question: string, hits: readonly SearchHit[]): SearchHit[] {
  const getPrefixIndex = ({ passage }: SearchHit) => question.indexOf(passage.heading.split('_')[0] ?? '');
  const areHeadingsNamed = hits.every(({ passage }) => question.includes(passage.heading));
  const getIndex = areHeadingsNamed
    ? ({ passage }: SearchHit) => question.indexOf(passage.heading)
    : getPrefixIndex;
  return hits.toSorted((left, right) => getIndex(left) - getIndex(right));
}

function formatSource({ page, heading }: SearchHit['passage']): string {
  return `From *${page}*, **${heading}**:`;
}

function formatQuotes(
  quotedHits: readonly SearchHit[],
  hits: readonly SearchHit[],
  question: string,
): string {
  const isBrief =
    /\b(?:brief|briefly|short|shortly|shorter|in (?:one|a) (?:sentence|line|word)|in short|tl;?dr)\b/iu.test(
      question,
    );
  const parts = quotedHits.map(({ passage }) => {
    const body = isBrief ? (passage.body.split('\n\n')[0] ?? '') : passage.body;
    return `${formatSource(passage)}\n\n${body}`;
  });
  if (languagePattern.test(question)) parts.unshift('I answer in English only and quote the documentation.');
  const best = quotedHits[0]?.score ?? 0;
  const closeHits = hits
    .slice(quotedHits.length, quotedHits.length + 2)
    .filter(({ score }) => score >= minScore && score > 0.5 * best);
  if (closeHits.length > 0 && !isBrief) {
    const names = closeHits.map(
      ({ passage: { page, heading } }) => `[${heading}](${getHelpLink(page, heading)}) (${page})`,
    );
    parts.push(`See also: ${names.join(' and ')}.`);
  }
  return parts.join('\n\n');
}

const languages =
  'german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|hebrew|turkish|hindi|deutsch|français|español';
const languagePattern = new RegExp(`\\b(?:in|into|auf|en) (?:${languages})\\b`, 'iu');
const writingPattern =
  /\b(?:translate|summari[sz]e|rewrite|poem|story|essay|joke|song|haiku|(?:write|compose|draft|invent|imagine) (?:me |a |an |some )+)/iu;

const introduction = [
  'This is `demo/guide`, a small program in the demo gateway, not a language model. It searches the Bench',
  'documentation for your question and quotes the best match.',
].join(' ');

const greetingPattern =
  /^(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening|day)|greetings|howdy|yo)(?: there| bench| guide| everyone| all)?[\s.,?!]*$/iu;
const thanksPattern =
  /^(?:thanks|thank you|thx|cheers|great|perfect|ok|okay|cool|nice|got it|i see)(?:[\s,.!]+(?:thanks|thank you|a lot|so much|very much|for (?:the|your|that) (?:help|answer|info)|great|perfect|got it|that helps|i see))*[\s.!]*$/iu;

/** Questions that contain words from the documentation but are not about it. */
const clockPattern =
  /\bwhat (?:time|day|date|year) is (?:it|today)\b|\bwhat(?:'s| is) the (?:time|date|weather)\b/iu;
const goodbyePattern = /^(?:bye|goodbye|see you|good night|ciao)\b[^?]{0,20}$/iu;
const identityPattern =
  /^(?:who|what) are you\b|\bwhat (?:can|do) you (?:do|know|offer)\b|\bwhat can i ask\b|^help[\s.?]*$|\bhow can you help\b|\bwhat is this\b[\s.?]*$|\bintroduce yourself\b|\bwhat(?:'s| is) your name\b/iu;

/** Returns the answer to greetings, thanks and similar messages; `undefined` for all others. */
function answerSmallTalk(question: string, request: DemoRequest): string | undefined {
  if (question === '')
    return `Your message contains no question. ${introduction}\n\n${formatSuggestions(request)}`;
  if (greetingPattern.test(question)) return `Hello. ${introduction}\n\n${formatSuggestions(request)}`;
  if (identityPattern.test(question)) return `${introduction}\n\n${formatSuggestions(request)}`;
  if (thanksPattern.test(question) && !moreRequestPattern.test(question))
    return 'You are welcome. Ask another question at any time.';
  if (clockPattern.test(question)) return describeNoMatch(question, request);
  if (goodbyePattern.test(question)) return 'Goodbye. This session stays in your history.';
  return undefined;
}

function describeNoMatch(question: string, request: DemoRequest): string {
  const reason =
    writingPattern.test(question) || languagePattern.test(question)
      ? 'I cannot do that. I only quote the Bench documentation, which is in English.'
      : /[^\p{Script=Latin}\p{Script=Common}]/u.test(question)
        ? 'I found nothing about this in the Bench documentation. It is in English, and I search by spelling.'
        : 'I found nothing about this in the Bench documentation, which is all I know.';
  return `${reason}\n\n${formatSuggestions(request)}`;
}

/** Questions that the documentation answers. */
export const knownQuestions: readonly string[] = [
  'How do I connect a gateway?',
  'What is a lane?',
  'What does temperature do?',
  'Which demo models are there?',
  'How does streaming work?',
  'How is the key kept safe?',
  'What are the finish reasons?',
  'Where is my data kept?',
  'What keyboard shortcuts are there?',
  'What can I do about error 429?',
  'How do tool calls work?',
  'Which embedding dimensions are allowed?',
];

/** Formats three different questions, chosen with the request's random numbers. */
function formatSuggestions({ random }: DemoRequest): string {
  const remaining = [...knownQuestions];
  const drawnQuestions = Array.from(
    { length: 3 },
    () => remaining.splice(Math.floor(random() * remaining.length), 1)[0] ?? '',
  );
  return `Try one of these questions:\n\n${drawnQuestions.map((question) => `- ${question}`).join('\n')}`;
}
