/**
 * The one transform of an answer's text: reasoning that a model writes into it between tags, at its very start. It is
 * shown as reasoning, and the tags never flash. Some templates leave the opening tag to the prompt, so that only the
 * closing one comes: then all before it was reasoning.
 */
import { createSearchPattern } from '../../lib/text/search-pattern.ts';
import type { Choice } from '../session/types.ts';

export interface TextPiece {
  type: 'text' | 'thinking';
  text: string;
  /** What was text until now was reasoning, too. */
  takesText?: true;
}

/** What models call it, in any of the usual kinds of brackets. */
const words = ['think', 'thinking', 'thought', 'thoughts', 'reasoning'];

const names = [
  ...words,
  'thinking_process',
  'reasoning_content',
  'scratchpad',
  'inner_monologue',
  'internal_thoughts',
  'chain_of_thought',
  'cot',
  'seed:think',
  'mm:think',
  'longcat_think',
  'ant_thinking',
  'antthinking',
];

/** Opening and closing, in small letters; capitals are the same. */
const tags: readonly (readonly [opening: string, closing: string])[] = [
  ...names.map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[think]', '[/think]'],
  ['[thinking]', '[/thinking]'],
  ['◁think▷', '◁/think▷'],
  ...words.flatMap((word) =>
    [
      [`<|${word}|>`, `<|/${word}|>`],
      [`<|begin_of_${word}|>`, `<|end_of_${word}|>`],
      [`<|begin_${word}|>`, `<|end_${word}|>`],
      [`<|start_${word}|>`, `<|end_${word}|>`],
      [`<|${word}_begin|>`, `<|${word}_end|>`],
      [`<|${word}_start|>`, `<|${word}_end|>`],
    ].map(([opening = '', closing = '']) => [opening, closing] as const),
  ),
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<unused94>', '<unused95>'],
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
];
const openings = tags.map(([opening]) => opening);
const closings = [...new Set(tags.map(([, closing]) => closing))];
const anyClosing = createSearchPattern(closings);
const longestOpening = Math.max(...openings.map(({ length }) => length));
const longestClosing = Math.max(...closings.map(({ length }) => length));

/** Splits new text of a choice. What may yet become a tag waits in `choice.held`. Changes the choice given. */
export function splitThinkTags(choice: Choice, text: string): TextPiece[] {
  if (choice.inThinkTag !== undefined) return insideTag(choice, choice.inThinkTag, text);
  if (choice.tags === 'done') return [{ type: 'text', text }];
  const waiting = (choice.held ?? '') + text;
  delete choice.held;
  if (choice.parts.some((part) => part.type === 'text')) return insideText(choice, waiting);
  const start = waiting.trimStart();
  const tag = tags.find(([opening]) => beginsWith(start, opening));
  if (tag !== undefined) {
    const [opening, closing] = tag;
    choice.inThinkTag = closing;
    choice.tags = 'opened';
    return insideTag(choice, closing, start.slice(opening.length));
  }
  if (start.length < longestOpening && openings.some((opening) => beginsWith(opening, start.toLowerCase()))) {
    choice.held = waiting;
    return [];
  }
  return insideText(choice, waiting);
}

/** Only a closing tag without an opening one is still looked for. */
function insideText(choice: Choice, text: string): TextPiece[] {
  if (choice.tags === 'opened') {
    choice.tags = 'done';
    return [{ type: 'text', text }];
  }
  const found = closingIn(text);
  if (found === undefined) {
    const kept = lengthOfTagStart(text, closings);
    if (kept > 0) choice.held = text.slice(text.length - kept);
    return kept === text.length ? [] : [{ type: 'text', text: text.slice(0, text.length - kept) }];
  }
  choice.tags = 'done';
  const before = text.slice(0, found.at);
  const said = choice.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') + before;
  const rest = text.slice(found.at + found.length);
  if (!endsReasoning(choice, said)) return [{ type: 'text', text }];
  return [
    { type: 'thinking', text: before, takesText: true },
    ...(rest === '' ? [] : [{ type: 'text' as const, text: rest }]),
  ];
}

/** Whether a closing tag stands there as a tag: not in code, not quoted, and not behind an opening one that was text. */
function endsReasoning(choice: Choice, said: string): boolean {
  if (said.trim() !== '' && choice.parts.some(({ type }) => type === 'thinking')) return false;
  const small = said.toLowerCase();
  if (openings.some((opening) => small.includes(opening))) return false;
  return isPlain(said);
}

/** What comes after it stands neither in a block of code, nor in code or quotes of its own line. */
function isPlain(said: string): boolean {
  const line = said.slice(said.lastIndexOf('\n') + 1);
  const fences = said.match(/^ {0,3}```/gm)?.length ?? 0;
  return fences % 2 === 0 && line.split('`').length % 2 === 1 && line.split('"').length % 2 === 1;
}

function closingIn(text: string): { at: number; length: number } | undefined {
  // A copy in small letters would cost far more.
  const found = text.matchAll(anyClosing).next().value;
  return found && { at: found.index, length: found[0].length };
}

function insideTag(choice: Choice, closing: string, text: string): TextPiece[] {
  const waiting = (choice.held ?? '') + text;
  delete choice.held;
  const at = waiting.search(createSearchPattern([closing]));
  if (at >= 0) {
    delete choice.inThinkTag;
    // What follows is read as a start again, whatever deltas it comes in: another tag there is reasoning too.
    const rest = waiting.slice(at + closing.length);
    return [
      { type: 'thinking', text: waiting.slice(0, at) },
      ...(rest === '' ? [] : splitThinkTags(choice, rest)),
    ];
  }
  const kept = lengthOfTagStart(waiting, [closing]);
  if (kept > 0) choice.held = waiting.slice(waiting.length - kept);
  return [{ type: 'thinking', text: waiting.slice(0, waiting.length - kept) }];
}

/**
 * What of reasoning that never ended was the answer: some models open it in one spelling and close it in another. Told at
 * the end alone, since until then its own tag may come. Undefined where no tag stands in it as one.
 */
export function splitMixedTags(thought: string): { thinking: string; text: string } | undefined {
  const end = closingIn(thought);
  if (!end) return undefined;
  const thinking = thought.slice(0, end.at);
  const small = thinking.toLowerCase();
  if (openings.some((opening) => small.includes(opening)) || !isPlain(thinking)) return undefined;
  return { thinking, text: thought.slice(end.at + end.length) };
}

function beginsWith(text: string, tag: string): boolean {
  return text.slice(0, tag.length).toLowerCase() === tag;
}

/** How many characters at the end of the text could be the start of one of the tags. */
function lengthOfTagStart(text: string, sought: readonly string[]): number {
  // A few letters are longer when they are small: places count from the end, where the tag is.
  const end = text.slice(1 - longestClosing).toLowerCase();
  for (let from = 0; from < end.length; from += 1) {
    if (!'<[◁'.includes(end.charAt(from))) continue;
    const start = end.slice(from);
    if (sought.some((tag) => tag.length > start.length && tag.startsWith(start))) return start.length;
  }
  return 0;
}

/** The run ended: what was held is what it looked like, text or reasoning. Changes the choice given. */
export function endThinkTag(choice: Choice): TextPiece | undefined {
  const held = choice.held;
  const type = choice.inThinkTag === undefined ? 'text' : 'thinking';
  delete choice.held;
  delete choice.inThinkTag;
  return held === undefined ? undefined : { type, text: held };
}
