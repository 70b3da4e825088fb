/**
 * The one transform of an answer's text: a reasoning tag at its very start. Some models write their
 * reasoning into the content as <think>…</think>; it is shown as reasoning, and the tags never flash.
 */
import type { Choice } from './types.ts';

export interface TextPiece {
  type: 'text' | 'thinking';
  text: string;
}

const tagNames = ['think', 'thinking', 'thought', 'reasoning'];

/** Splits new text of a choice. What may yet become a tag waits in `choice.held`. Changes the choice given. */
export function splitThinkTags(choice: Choice, text: string): TextPiece[] {
  if (choice.inThinkTag !== undefined) return insideTag(choice, choice.inThinkTag, text);
  if (choice.parts.some((part) => part.type === 'text')) return [{ type: 'text', text }];
  const waiting = (choice.held ?? '') + text;
  delete choice.held;
  const start = waiting.trimStart();
  const name = tagNames.find((tag) => start.startsWith(`<${tag}>`));
  if (name !== undefined) {
    choice.inThinkTag = name;
    return insideTag(choice, name, start.slice(name.length + 2));
  }
  if (start === '' || tagNames.some((tag) => `<${tag}>`.startsWith(start))) {
    choice.held = waiting;
    return [];
  }
  return [{ type: 'text', text: waiting }];
}

function insideTag(choice: Choice, name: string, text: string): TextPiece[] {
  const waiting = (choice.held ?? '') + text;
  delete choice.held;
  const closing = `</${name}>`;
  const at = waiting.indexOf(closing);
  if (at >= 0) {
    delete choice.inThinkTag;
    // What follows is read as a start again, whatever deltas it comes in: another tag there is reasoning too.
    const rest = waiting.slice(at + closing.length);
    return [
      { type: 'thinking', text: waiting.slice(0, at) },
      ...(rest === '' ? [] : splitThinkTags(choice, rest)),
    ];
  }
  const kept = lengthOfTagStart(waiting, closing);
  if (kept > 0) choice.held = waiting.slice(waiting.length - kept);
  return [{ type: 'thinking', text: waiting.slice(0, waiting.length - kept) }];
}

/** How many characters at the end of the text could be the start of the tag. */
function lengthOfTagStart(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
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
