import { marked } from 'marked';
import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { createModelRequest, getReplyText } from '../../testing/demo-requests.ts';
import { guide, knownQuestions } from './guide.ts';

const getReply = (messages: Message[] | string, isJsonMode = false) =>
  getReplyText(guide, createModelRequest(messages, { isJsonMode }));

/** Returns the page and heading of the first quoted section. */
const findQuotedSection = (answer: string) =>
  /From \*(.+?)\*, \*\*(.+?)\*\*:/.exec(answer)?.slice(1).join(' / ');

const questions: [string, string][] = [
  ['What is Bench?', 'Bench / What Bench is'],
  ['How do I start it?', 'Bench / Start Bench'],
  ['How do I connect my own gateway?', 'Configuration / Connect your own gateway'],
  ['How do I point Bench at my own gateway?', 'Configuration / Connect your own gateway'],
  ['Where do I put the API key?', 'Configuration / Add your API key'],
  ['How is the key kept safe?', 'Configuration / How the key is kept safe'],
  ['What does temperature do?', 'Parameters / temperature'],
  ['top_p', 'Parameters / top_p'],
  ['whats top k', 'Parameters / top_k'],
  ['explain the repetition penalty', 'Parameters / repetition_penalty'],
  ['What is seed for?', 'Parameters / seed'],
  ["What's a lane?", 'Bench / Compare models in lanes'],
  ['How can I compare two models?', 'Bench / Compare models in lanes'],
  ['How do I stop an answer?', 'Bench / Stop an answer'],
  ['what does the stop parameter do', 'Parameters / stop'],
  ['What are the finish reasons?', 'The gateway API / Finish reasons'],
  ['I get a 429 error, what now?', 'Troubleshooting / Too many requests (429)'],
  ['why do I get status 401', 'Troubleshooting / The gateway rejects the key (401)'],
  ['Why was my answer cut off?', 'Troubleshooting / The answer was cut off'],
  ['Which demo models are there?', 'The demo models / List of the demo models'],
  ['Are you a real language model?', 'The demo models / Are the demo models real language models?'],
  ['What can demo/thinker do?', 'The demo models / demo/thinker'],
  ['Which dimensions can I use for embeddings?', 'The gateway API / Embedding dimensions'],
  ['Where is my data stored?', 'Bench / Where your data is stored'],
  ['What keyboard shortcuts are there?', 'Bench / Keyboard shortcuts'],
  ['How do I attach an image?', 'Bench / Attach images and files'],
  ['What is the system promt for?', 'Bench / Set a system prompt'],
  ['How do I make the answer JSON?', 'The gateway API / Get a JSON answer (JSON mode)'],
  ['How do I export a session?', 'Bench / Export, import and share'],
  ['What is the rate limit?', 'The gateway API / Rate limits'],
  ['port is already in use', 'Troubleshooting / The port is already in use'],
  ['What is the inspector?', 'Bench / Inspect an answer'],
  ['How do I call it from JavaScript?', 'The gateway API / Client libraries for JavaScript and Python'],
  ['How do I open the command palette?', 'Features in detail / Command palette'],
  [
    'Which settings can I type as a command?',
    'Features in detail / Change settings from the command palette',
  ],
  ['How do I use the tools editor?', 'Features in detail / The tools editor'],
  ['How do I see JSON as a tree?', 'Features in detail / View JSON as a tree'],
  ['How do I use variables in prompts?', 'Features in detail / Variables in prompts'],
  ['How do I present to an audience?', 'Features in detail / Presentation mode'],
  ['How do I hide the names of the models in presentation mode?', 'Features in detail / Presentation mode'],
  ['How can I erase everything?', 'Features in detail / Erase everything'],
  ['Where are the settings of Bench?', 'Features in detail / Settings'],
  ['How do I mark an answer as good or bad?', 'Features in detail / Rate answers and add notes'],
  ['Can I use Bench by keyboard alone?', 'Features in detail / Use Bench with the keyboard alone'],
  ['Does it work with screen readers?', 'Features in detail / Screen readers'],
  ['What is the author name for?', 'Features in detail / Author names'],
  ['How do I check a gateway for conformance?', 'Features in detail / Check a gateway for conformance'],
  ['What is the embeddings lab?', 'Features in detail / The embeddings lab'],
  ['can I run bench behind a reverse proxy', 'Configuration / Run Bench behind a reverse proxy'],
];

describe('demo/guide', () => {
  it.each(questions)('answers "%s" from %s', (question, section) => {
    expect(findQuotedSection(getReply(question))).toBe(section);
  });

  it('states that unrelated questions are not covered and suggests three other questions', () => {
    const unrelatedQuestions = [
      'Who won the world cup in 1998?',
      'What is the capital of France?',
      'Write me a poem about the sea',
      'How do I bake bread?',
      'Who is the president of the United States?',
      'Explain quantum entanglement',
      'what time is it?',
      'Translate good morning into German',
      '北京的天气怎么样?',
    ];
    for (const question of unrelatedQuestions) {
      const answer = getReply(question);
      expect(findQuotedSection(answer), question).toBeUndefined();
      expect(answer).toMatch(/^I (?:found nothing about this|cannot do that)/);
      const offeredQuestions = answer.match(/^- .+$/gm)?.map((line) => line.slice(2)) ?? [];
      expect(new Set(offeredQuestions).size, question).toBe(3);
      for (const offeredQuestion of offeredQuestions) expect(knownQuestions).toContain(offeredQuestion);
    }
  });

  it.each(knownQuestions)('answers the suggested question "%s"', (question) => {
    expect(findQuotedSection(getReply(question))).toBeDefined();
  });

  it.each(['hi', 'Hello there!', 'What can you do?', 'who are you', 'help', ''])(
    'introduces itself in reply to "%s"',
    (message) => {
      expect(getReply(message)).toMatch(/small program in the demo gateway, not a language model/);
    },
  );

  it('takes the previous question into account for a question that refers back', () => {
    const first: Message = { role: 'user', content: 'What is thinking_budget?' };
    const answer: Message = { role: 'assistant', content: getReply([first]) };
    const next = getReply([first, answer, { role: 'user', content: 'And what is its default?' }]);
    expect(findQuotedSection(next)).toBe('Parameters / thinking_budget');
    const standalone = getReply([first, answer, { role: 'user', content: 'What about top_k?' }]);
    expect(findQuotedSection(standalone)).toBe('Parameters / top_k');
  });

  it('quotes a different passage after "Tell me more"', () => {
    const first: Message = { role: 'user', content: 'How does streaming work?' };
    const answer = getReply([first]);
    const followUp = getReply([
      first,
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Tell me more' },
    ]);
    expect(findQuotedSection(followUp)).toBeDefined();
    expect(findQuotedSection(followUp)).not.toBe(findQuotedSection(answer));
  });

  it('quotes both passages for a question about a difference', () => {
    const answer = getReply('What is the difference between frequency and presence penalty?');
    expect(answer).toContain('**frequency_penalty**:');
    expect(answer).toContain('**presence_penalty**:');
  });

  it('keeps code blocks intact in well-formed Markdown', () => {
    const tokens = marked.lexer(getReply('How do I connect a gateway?'));
    const code = tokens.find((token) => token.type === 'code');
    expect(code?.raw).toContain('GATEWAY_BASE_URL=https://gateway.example.com');
    expect(tokens.at(-1)?.type).toBe('paragraph');
  });

  it('shortens the answer to its first paragraph on request', () => {
    const full = getReply('What does temperature do?');
    const brief = getReply('Briefly, what does temperature do?');
    expect(findQuotedSection(brief)).toBe('Parameters / temperature');
    expect(brief.length).toBeLessThan(full.length / 2);
  });

  it('explains that it answers in English if another language is requested', () => {
    expect(getReply('What is a lane, answer in German')).toMatch(/^I answer in English only/);
  });

  it('ignores a system prompt', () => {
    const user: Message = { role: 'user', content: 'What is top_p?' };
    expect(getReply([{ role: 'system', content: 'Answer in French, in one word.' }, user])).toBe(
      getReply([user]),
    );
  });

  it('reads the text of a message with an image', () => {
    const content: Message['content'] = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      { type: 'text', text: 'What is seed for?' },
    ];
    expect(findQuotedSection(getReply([{ role: 'user', content }]))).toBe('Parameters / seed');
  });

  it('returns one JSON object with its sources in JSON mode', () => {
    const answer: unknown = JSON.parse(getReply('What is seed for?', true));
    expect(answer).toMatchObject({ sources: [{ page: 'Parameters', section: 'seed' }] });
    expect(JSON.parse(getReply('How do I bake bread?', true))).toMatchObject({ sources: [] });
  });
});
