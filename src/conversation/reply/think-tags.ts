/**
 * Separates reasoning that models write between tags at the start of their answer. Partial tags are held back, so tags
 * never flash on screen. Some templates put the opening tag into the prompt; then everything before the closing tag is
 * reasoning.
 */
import { createSearchPattern } from '../../lib/text/search-pattern.ts';
import type { Choice } from '../session/types.ts';

export interface TextPiece {
  type: 'text' | 'thinking';
  text: string;
  /** True if all text so far was reasoning as well. */
  reclassifiesText?: true;
}

/** Tag names used by models, in any common kind of brackets. */
const tagWords = ['think', 'thinking', 'thought', 'thoughts', 'reasoning'];

const tagNames = [
  ...tagWords,
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

/** Pairs of opening and closing tags in lower case; matching ignores case. */
const tags: readonly (readonly [opening: string, closing: string])[] = [
  ...tagNames.map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[think]', '[/think]'],
  ['[thinking]', '[/thinking]'],
  ['◁think▷', '◁/think▷'],
  ...tagWords.flatMap((word) =>
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
const openingTags = tags.map(([opening]) => opening);
const closingTags = [...new Set(tags.map(([, closing]) => closing))];
const closingTagPattern = createSearchPattern(closingTags);
const maxOpeningTagChars = Math.max(...openingTags.map(({ length }) => length));
const maxClosingTagChars = Math.max(...closingTags.map(({ length }) => length));

/** Splits new text of a choice; mutates the choice. A possible partial tag is held in `choice.held`. */
export function splitThinkTags(choice: Choice, text: string): TextPiece[] {
  if (choice.inThinkTag !== undefined) return splitInsideTag(choice, choice.inThinkTag, text);
  if (choice.tags === 'done') return [{ type: 'text', text }];
  const pendingText = (choice.held ?? '') + text;
  delete choice.held;
  if (choice.parts.some((part) => part.type === 'text')) return splitPlainText(choice, pendingText);
  const start = pendingText.trimStart();
  const tag = tags.find(([opening]) => startsWithTag(start, opening));
  if (tag !== undefined) {
    const [opening, closing] = tag;
    choice.inThinkTag = closing;
    choice.tags = 'opened';
    return splitInsideTag(choice, closing, start.slice(opening.length));
  }
  if (
    start.length < maxOpeningTagChars &&
    openingTags.some((opening) => startsWithTag(opening, start.toLowerCase()))
  ) {
    choice.held = pendingText;
    return [];
  }
  return splitPlainText(choice, pendingText);
}

/** Handles plain text, in which only a closing tag without an opening one matters. */
function splitPlainText(choice: Choice, text: string): TextPiece[] {
  if (choice.tags === 'opened') {
    choice.tags = 'done';
    return [{ type: 'text', text }];
  }
  const closingTag = findClosingTag(text);
  if (closingTag === undefined) {
    const heldLength = measurePartialTag(text, closingTags);
    if (heldLength > 0) choice.held = text.slice(text.length - heldLength);
    return heldLength === text.length
      ? []
      : [{ type: 'text', text: text.slice(0, text.length - heldLength) }];
  }
  choice.tags = 'done';
  const textBefore = text.slice(0, closingTag.offset);
  const textSoFar = choice.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') + textBefore;
  const textAfter = text.slice(closingTag.offset + closingTag.length);
  if (!isReasoningEnd(choice, textSoFar)) return [{ type: 'text', text }];
  return [
    { type: 'thinking', text: textBefore, reclassifiesText: true },
    ...(textAfter === '' ? [] : [{ type: 'text' as const, text: textAfter }]),
  ];
}

/** Returns true if a closing tag ends reasoning: not in code, not quoted, and not after an opening tag in the text. */
function isReasoningEnd(choice: Choice, textSoFar: string): boolean {
  if (textSoFar.trim() !== '' && choice.parts.some(({ type }) => type === 'thinking')) return false;
  const lowerCaseText = textSoFar.toLowerCase();
  if (openingTags.some((opening) => lowerCaseText.includes(opening))) return false;
  return isOutsideCode(textSoFar);
}

/** Returns true if the text ends outside a code block and outside code and quotes on its last line. */
function isOutsideCode(textSoFar: string): boolean {
  const line = textSoFar.slice(textSoFar.lastIndexOf('\n') + 1);
  const fences = textSoFar.match(/^ {0,3}```/gm)?.length ?? 0;
  return fences % 2 === 0 && line.split('`').length % 2 === 1 && line.split('"').length % 2 === 1;
}

function findClosingTag(text: string): { offset: number; length: number } | undefined {
  // Matching with a pattern is much cheaper than a lower-case copy.
  const found = text.matchAll(closingTagPattern).next().value;
  return found && { offset: found.index, length: found[0].length };
}

function splitInsideTag(choice: Choice, closing: string, text: string): TextPiece[] {
  const pendingText = (choice.held ?? '') + text;
  delete choice.held;
  const tagOffset = pendingText.search(createSearchPattern([closing]));
  if (tagOffset >= 0) {
    delete choice.inThinkTag;
    // The rest is parsed like the start of an answer, so another tag opens reasoning again, however the deltas are
    // split.
    const textAfter = pendingText.slice(tagOffset + closing.length);
    return [
      { type: 'thinking', text: pendingText.slice(0, tagOffset) },
      ...(textAfter === '' ? [] : splitThinkTags(choice, textAfter)),
    ];
  }
  const heldLength = measurePartialTag(pendingText, [closing]);
  if (heldLength > 0) choice.held = pendingText.slice(pendingText.length - heldLength);
  return [{ type: 'thinking', text: pendingText.slice(0, pendingText.length - heldLength) }];
}

/**
 * Splits unterminated reasoning at a closing tag in another notation, which some models use. Called only at the end,
 * because the matching tag may still arrive. Returns `undefined` if there is no such tag outside code.
 */
export function splitMixedTags(reasoning: string): { thinking: string; text: string } | undefined {
  const closingTag = findClosingTag(reasoning);
  if (!closingTag) return undefined;
  const thinking = reasoning.slice(0, closingTag.offset);
  const lowerCaseText = thinking.toLowerCase();
  if (openingTags.some((opening) => lowerCaseText.includes(opening)) || !isOutsideCode(thinking))
    return undefined;
  return { thinking, text: reasoning.slice(closingTag.offset + closingTag.length) };
}

function startsWithTag(text: string, tag: string): boolean {
  return text.slice(0, tag.length).toLowerCase() === tag;
}

/** Returns the number of characters at the end that could be the start of a tag. */
function measurePartialTag(text: string, candidateTags: readonly string[]): number {
  // Lower-casing can lengthen some letters, so offsets are counted from the end.
  const end = text.slice(1 - maxClosingTagChars).toLowerCase();
  for (let index = 0; index < end.length; index += 1) {
    if (!'<[◁'.includes(end.charAt(index))) continue;
    const start = end.slice(index);
    if (candidateTags.some((tag) => tag.length > start.length && tag.startsWith(start))) return start.length;
  }
  return 0;
}

/** Returns text still held when the run ends, as text or reasoning; mutates the choice. */
export function endThinkTag(choice: Choice): TextPiece | undefined {
  const held = choice.held;
  const type = choice.inThinkTag === undefined ? 'text' : 'thinking';
  delete choice.held;
  delete choice.inThinkTag;
  return held === undefined ? undefined : { type, text: held };
}
