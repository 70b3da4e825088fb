/** Answers questions about Bench and the gateway API with the passage of the documentation that is closest. */
import type { DemoModel, DemoRequest } from '../model.ts';
import { contentStems, enough, searchDocumentation, type Finding } from './documentation-search.ts';
import { textOf, userTexts } from './prompt-text.ts';
import { valuePieces, textPieces } from './text-output.ts';

export const guide: DemoModel = {
  id: 'demo/guide',
  about: "Answers questions about Bench and the gateway API from Bench's own documentation.",
  abilities: { vision: false, tools: false, thinking: false },
  reply: (request) => {
    const answer = answerTo(request);
    if (!request.wantsJson) return textPieces(answer.text);
    const sources = answer.findings.map(({ passage: { page, heading } }) => ({ page, section: heading }));
    return valuePieces({ answer: answer.text, sources });
  },
};

interface Answer {
  text: string;
  /** The passages it is made of; none where it is the model's own words. */
  findings: Finding[];
}

function answerTo(request: DemoRequest): Answer {
  const questions = userTexts(request.messages);
  const question = questions.at(-1) ?? '';
  const talk = smallTalk(question, request);
  if (talk !== undefined) return { text: talk, findings: [] };
  const previous = questions.at(-2);
  const findings =
    asksForMore.test(question) && previous !== undefined
      ? unseen(searchDocumentation(previous), request)
      : findingsFor(question, previous);
  const [best] = findings;
  if (best === undefined || best.score < enough) return { text: ignorance(question, request), findings: [] };
  const shown = asksForBoth(question, findings) ? inOrderOf(question, findings.slice(0, 2)) : [best];
  return { text: quoted(shown, findings, question), findings: shown };
}

/** Words that point back: such a question is read together with the one before it. */
const pointsBack =
  /^(?:and|but|so|or|what about|how about|why|then)\b|\b(?:it|its|that|this|they|them|those|these)\b/iu;
const asksForMore = /^(?:(?:please )?tell me more|go on|continue|what else|anything else|and|more)[\s.?]*$/iu;
/** From this score up a question stands on its own, whatever its words point to. */
const standsAlone = 0.6;
/** How much the question before it counts for a question that points back. */
const previousWeight = 0.7;

function findingsFor(question: string, previous: string | undefined): Finding[] {
  const own = searchDocumentation(question);
  const isOwn =
    (own[0]?.score ?? 0) >= standsAlone ||
    !(pointsBack.test(question) || contentStems(question).length === 0);
  if (previous === undefined || isOwn) return own;
  const before = new Map(searchDocumentation(previous).map(({ passage, score }) => [passage, score]));
  return own
    .map(({ passage, score }) => ({ passage, score: score + previousWeight * (before.get(passage) ?? 0) }))
    .toSorted((left, right) => right.score - left.score);
}

/** Findings that no earlier answer of this conversation has quoted. */
function unseen(findings: Finding[], { messages }: DemoRequest): Finding[] {
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .map(textOf)
    .join('\n');
  return findings.filter(({ passage }) => !said.includes(sourceOf(passage)));
}

function asksForBoth(question: string, [first, second]: Finding[]): boolean {
  if (first === undefined || second === undefined) return false;
  return (
    /\b(?:differ|difference|versus|vs|compared?|between|both|and|or)\b/iu.test(question) &&
    second.score > 0.7 * first.score
  );
}

/** The passages in the order in which the question names them. */
function inOrderOf(question: string, findings: readonly Finding[]): Finding[] {
  const placeOf = ({ passage }: Finding) => question.indexOf(passage.heading.split('_')[0] ?? '');
  const isNamedWhole = findings.every(({ passage }) => question.includes(passage.heading));
  const place = isNamedWhole ? ({ passage }: Finding) => question.indexOf(passage.heading) : placeOf;
  return findings.toSorted((left, right) => place(left) - place(right));
}

function sourceOf({ page, heading }: Finding['passage']): string {
  return `The page *${page}* says this about **${heading}**:`;
}

function quoted(shown: readonly Finding[], findings: readonly Finding[], question: string): string {
  const isBrief =
    /\b(?:brief|briefly|short|shortly|shorter|in (?:one|a) (?:sentence|line|word)|in short|tl;?dr)\b/iu.test(
      question,
    );
  const parts = shown.map(({ passage }) => {
    const body = isBrief ? (passage.body.split('\n\n')[0] ?? '') : passage.body;
    return `${sourceOf(passage)}\n\n${body}`;
  });
  if (asksForLanguage.test(question))
    parts.unshift('I answer in English only, in the words of the documentation.');
  const best = shown[0]?.score ?? 0;
  const close = findings
    .slice(shown.length, shown.length + 2)
    .filter(({ score }) => score >= enough && score > 0.5 * best);
  if (close.length > 0 && !isBrief) {
    const names = close.map(({ passage }) => `**${passage.heading}** (${passage.page})`);
    parts.push(`Close to this: ${names.join(' and ')}.`);
  }
  return parts.join('\n\n');
}

const languages =
  'german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|hebrew|turkish|hindi|deutsch|français|español';
const asksForLanguage = new RegExp(`\\b(?:in|into|auf|en) (?:${languages})\\b`, 'iu');
const asksForWriting =
  /\b(?:translate|summari[sz]e|rewrite|poem|story|essay|joke|song|haiku|(?:write|compose|draft|invent|imagine) (?:me |a |an |some )+)/iu;

const introduction = [
  'This is `demo/guide`, a small program in the demo gateway, and not a language model. It looks up your question in',
  'the documentation of Bench and shows the passage that is closest, with the page it comes from.',
].join(' ');

const greeting =
  /^(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening|day)|greetings|howdy|yo)(?: there| bench| guide| everyone| all)?[\s.,?!]*$/iu;
const thanks =
  /^(?:thanks|thank you|thx|cheers|great|perfect|ok|okay|cool|nice|got it|i see)(?:[\s,.!]+(?:thanks|thank you|a lot|so much|very much|for (?:the|your|that) (?:help|answer|info)|great|perfect|got it|that helps|i see))*[\s.!]*$/iu;

/** Words of the documentation, but not its subject. */
const asksTheClock =
  /\bwhat (?:time|day|date|year) is (?:it|today)\b|\bwhat(?:'s| is) the (?:time|date|weather)\b/iu;
const goodbye = /^(?:bye|goodbye|see you|good night|ciao)\b[^?]{0,20}$/iu;
const asksWhatItIs =
  /^(?:who|what) are you\b|\bwhat (?:can|do) you (?:do|know|offer)\b|\bwhat can i ask\b|^help[\s.?]*$|\bhow can you help\b|\bwhat is this\b[\s.?]*$|\bintroduce yourself\b|\bwhat(?:'s| is) your name\b/iu;

/** The answer to what is not a question about the documentation, if it is one of the things people say. */
function smallTalk(question: string, request: DemoRequest): string | undefined {
  if (question === '')
    return `There is no question in the message. ${introduction}\n\n${suggestions(request)}`;
  if (greeting.test(question)) return `Hello. ${introduction}\n\n${suggestions(request)}`;
  if (asksWhatItIs.test(question)) return `${introduction}\n\n${suggestions(request)}`;
  if (thanks.test(question) && !asksForMore.test(question))
    return 'You are welcome. Ask the next question whenever you like.';
  if (asksTheClock.test(question)) return ignorance(question, request);
  if (goodbye.test(question)) return 'Goodbye. This session stays in your history.';
  return undefined;
}

function ignorance(question: string, request: DemoRequest): string {
  const reason =
    asksForWriting.test(question) || asksForLanguage.test(question)
      ? 'I cannot do that. I quote the documentation of Bench word for word, in English, and write nothing of my own.'
      : /[^\p{Script=Latin}\p{Script=Common}]/u.test(question)
        ? 'I found nothing about this in the documentation of Bench. It is in English, and I search it by spelling.'
        : 'I found nothing about this in the documentation of Bench, and I know nothing else.';
  return `${reason}\n\n${suggestions(request)}`;
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
  'Which keys and shortcuts are there?',
  'What can I do about error 429?',
  'How do tool calls work?',
  'Which embedding dimensions are allowed?',
];

/** Three different questions, drawn by the request's own random numbers. */
function suggestions({ random }: DemoRequest): string {
  const left = [...knownQuestions];
  const drawn = Array.from({ length: 3 }, () => left.splice(Math.floor(random() * left.length), 1)[0] ?? '');
  return `Three things I do know:\n\n${drawn.map((question) => `- ${question}`).join('\n')}`;
}
