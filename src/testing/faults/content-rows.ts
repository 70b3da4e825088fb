/** What models say: finish reasons, reasoning, tools and text that is hard to draw, as it is shown (F30 to F62). */
import type { FaultRow } from './fault-row.ts';
import { said } from './fault-row.ts';

const { role, text, finish, done, delta, usage } = said;
const reasoning = (thought: string) => delta({ reasoning_content: thought });
const call = (value: object) => delta({ tool_calls: [value] });
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

export const contentFaultRows: FaultRow[] = [
  {
    name: 'F30 content null is not the word null',
    answer: { body: [role, delta({ content: null }), text('Hello'), finish(), done] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'Hello' }, never: ['null'] },
  },
  {
    name: 'F32 usage is shown as reported',
    answer: { body: [role, text('Hello'), finish(), usage, done] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'Hello' } },
  },
  {
    name: 'F34 the done mark without a finish reason',
    answer: { body: [role, text('a'), done] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'a' }, says: ['Ended without a finish reason'] },
  },
  {
    name: 'F35 neither a finish reason nor the end mark',
    answer: { body: [role, text('a')] },
    outcome: {
      status: 'truncated',
      group: 'Note',
      text: { 0: 'a' },
      says: ['The answer may be cut off', 'Ask to continue'],
    },
  },
  {
    name: 'F38 of two finish reasons the last',
    answer: { body: [role, text('a'), finish('stop'), finish('length'), done] },
    outcome: { status: 'complete', group: 'Note', text: { 0: 'a' }, finishReason: 'length' },
  },
  ...['eos_token', 'end_turn'].map((reason): FaultRow => ({
    name: `F40 the finish reason ${reason} is shown as it is`,
    answer: { body: [role, text('a'), finish(reason), done] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'a' }, says: [reason], finishReason: reason },
  })),
  {
    name: 'F40 a finish reason of 20,000 letters that turns the direction',
    answer: { body: [role, text('a'), finish(`\u202E${'X'.repeat(20_000)}`), done] },
    outcome: {
      status: 'complete',
      group: 'none',
      says: [`Ended with \uFFFD${'X'.repeat(78)}…, reported by the provider`],
      never: ['\u202E'],
    },
  },
  {
    name: 'a gateway that counts its only candidate 127',
    answer: {
      body: [
        said.event({ choices: [{ index: 127, delta: { content: 'Hello' }, finish_reason: null }] }),
        said.event({ choices: [{ index: 127, delta: {}, finish_reason: 'stop' }] }),
        done,
      ],
    },
    outcome: {
      status: 'complete',
      group: 'none',
      text: { 127: 'Hello' },
      says: ['Hello'],
      never: ['of 128', 'of 2'],
    },
  },
  {
    name: 'F41 length without a word',
    answer: { body: [role, finish('length'), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: {},
      says: ['No answer: the limit was reached before any text.'],
      never: ['thinking'],
    },
  },
  {
    name: 'F41 length',
    answer: { body: [role, text('a'), finish('length'), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: { 0: 'a' },
      says: ['Cut off at the token limit', 'Ask to continue'],
    },
  },
  {
    name: 'F41 content_filter',
    answer: { body: [role, text('a'), finish('content_filter'), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: { 0: 'a' },
      says: ['The provider blocked this answer', 'content_filter'],
    },
  },
  {
    name: 'a blocked prompt is named with its word',
    answer: { body: [said.event({ choices: [], promptFeedback: { blockReason: 'SAFETY' } }), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: {},
      says: ['The provider blocked this prompt', 'SAFETY', 'Ask again'],
    },
  },
  {
    name: 'a finish reason that means failure is said in words',
    answer: { body: [role, text('a'), finish('insufficient_system_resource'), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: { 0: 'a' },
      says: ['The provider ran out of capacity', 'insufficient_system_resource', 'Ask to continue', 'Retry'],
    },
  },
  {
    name: 'an error line of the stream is its sentence',
    answer: { body: [role, text('a'), 'error: {"code":500,"message":"The context is full","type":"x"}\n\n'] },
    outcome: { status: 'failed', group: 'Error', text: { 0: 'a' }, says: ['The context is full', 'Retry'] },
  },
  {
    name: 'F48 reasoning tags split over chunks',
    answer: { body: [role, text('<th'), text('ink>x</thi'), text('nk>y'), finish(), done] },
    outcome: {
      status: 'complete',
      group: 'none',
      text: { 0: 'y' },
      thinking: { 0: 'x' },
      never: ['<th', 'nk>'],
    },
  },
  {
    name: 'F48 a reasoning tag that never closes',
    answer: { body: [role, text('<think>only thoughts'), finish(), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: {},
      thinking: { 0: 'only thoughts' },
      says: ['No answer received', 'reasoning only'],
    },
  },
  {
    name: 'R8 the end of the reasoning without its beginning',
    answer: { body: [role, text('plan '), text('</thi'), text('nk>answer'), finish(), done] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'answer' }, thinking: { 0: 'plan ' } },
  },
  {
    name: 'R8 reasoning in brackets, whole',
    answer: { body: [role, text('[THINK]plan[/THINK]answer'), finish(), done] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'answer' }, thinking: { 0: 'plan' } },
  },
  {
    name: 'R8 reasoning of its own and nothing else, with the end mark alone',
    answer: { body: [role, reasoning('hmm'), done] },
    outcome: { status: 'complete', group: 'Note', text: {}, says: ['No answer received', 'Ask again'] },
  },
  {
    name: 'F48 what only looks like a tag is text',
    answer: { body: [role, text('<thi'), finish(), done] },
    outcome: { status: 'complete', group: 'none', text: { 0: '<thi' } },
  },
  {
    name: 'F49 thinking alone, then the limit',
    answer: { body: [role, reasoning('hmm'), finish('length'), done] },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: {},
      thinking: { 0: 'hmm' },
      says: ['No answer: thinking used the whole token limit'],
    },
  },
  {
    name: 'F28 an answer of nothing but a finish reason',
    answer: { body: [role, finish(), done] },
    outcome: {
      status: 'complete',
      group: 'none',
      text: {},
      says: ['The model returned an empty answer'],
    },
  },
  {
    name: 'F58 a refusal',
    answer: { body: [role, delta({ refusal: 'I will not.' }), finish(), done] },
    outcome: {
      status: 'complete',
      group: 'none',
      text: {},
      refusal: { 0: 'I will not.' },
      says: ['Refused', 'I will not.'],
    },
  },
  {
    name: 'F58 fifty kilobytes of unknown fields',
    answer: {
      body: [
        role,
        said.event({
          x_groq: { id: 'y'.repeat(50_000) },
          choices: [
            {
              index: 0,
              delta: { content: 'Hello', obfuscation: 'z'.repeat(1000) },
              logprobs: { content: [] },
              finish_reason: 'stop',
            },
          ],
        }),
        done,
      ],
    },
    outcome: { status: 'complete', group: 'none', text: { 0: 'Hello' } },
  },
  {
    name: 'F60 ten thousand combining marks, a long joined emoji, a right-to-left override, NUL',
    answer: {
      body: [
        role,
        text(`a${'\u0301'.repeat(10_000)} ${'👩\u200D'.repeat(1200)} \u202Egnp.exe \u0000 end`),
        finish(),
        done,
      ],
    },
    outcome: {
      status: 'complete',
      group: 'none',
      text: { 0: `a${'\u0301'.repeat(10_000)} ${'👩\u200D'.repeat(1200)} \u202Egnp.exe \u0000 end` },
      says: ['end'],
    },
  },
  {
    name: 'F62 HTML and script are text',
    answer: {
      body: [
        role,
        text(
          '<img src=x onerror="sentinel()"> <script>sentinel()</script> <iframe srcdoc="<script>parent.sentinel()</script>"></iframe> <svg onload=sentinel()> <style>*{display:none}</style> </textarea> end',
        ),
        finish(),
        done,
      ],
    },
    outcome: {
      status: 'complete',
      group: 'none',
      says: ['<script>sentinel()</script>', 'onerror=', '</textarea> end'],
    },
  },
  {
    name: 'F62 HTML as a block of its own',
    answer: {
      body: [
        role,
        text('<div onclick="sentinel()">\n<script>sentinel()</script>\n</div>\n\nafter'),
        finish(),
        done,
      ],
    },
    outcome: { status: 'complete', group: 'none', says: ['<script>sentinel()</script>', 'after'] },
  },
  {
    name: 'F61 a JSON answer of 3,000 lists in each other, cut off',
    answer: {
      body: [role, ...Array.from({ length: 200 }, () => text('['.repeat(15))), finish('length'), done],
    },
    outcome: {
      status: 'complete',
      group: 'Note',
      text: { 0: '['.repeat(3000) },
      says: ['Cut off at the token limit'],
      never: ['could not be displayed'],
    },
  },
  ...[3000, 20_000].map((levels): FaultRow => {
    const deep = nested(levels);
    return {
      name: `F61 a JSON answer nested ${levels} levels deep`,
      answer: { body: [role, text(deep.slice(0, levels)), text(deep.slice(levels)), finish(), done] },
      outcome: {
        status: 'complete',
        group: 'none',
        text: { 0: deep },
        says: ['Valid JSON', '1 field'],
        never: ['could not be displayed'],
      },
    };
  }),
  {
    name: 'T20 arguments of a call nested 3,000 levels deep',
    answer: {
      body: [
        role,
        call({ index: 0, id: 'c1', function: { name: 'dig', arguments: nested(3000) } }),
        finish('tool_calls'),
        done,
      ],
    },
    outcome: {
      status: 'complete',
      group: 'none',
      tools: [['0/0', 'c1', 'dig', nested(3000)]],
      says: ['dig', 'Needs a result'],
      never: ['could not be displayed'],
    },
  },
  {
    name: 'a hundred and thirty tool calls: the first 128 are kept',
    answer: {
      body: [
        Array.from({ length: 130 }, (_, index) =>
          call({ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }),
        ).join(''),
        finish('tool_calls'),
        done,
      ],
    },
    outcome: { status: 'complete' },
  },
];
