/** `{{name}}` in prompts and system prompts, filled from the session's table when a request is made. */
import type { ContentPart, Message } from '../../gateway/wire.ts';

const pattern = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu;

/** Names used in these texts, each once, in order of first use. */
export function variablesIn(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []))),
  ];
}

/** The text with values in; names without a value stay as they are written, so that nothing goes missing unseen. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(pattern, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** The text in pieces: words as they are, and the names used, each with the stretch that stands for it. */
export function variablePieces(text: string): { text: string; name?: string }[] {
  const pieces: { text: string; name?: string }[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
    pieces.push({ text: match[0], ...(match[1] === undefined ? {} : { name: match[1] }) });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** True for messages to the model. Answers and results contain no variables. */
export function isFilled<M extends Pick<Message, 'role'>>(
  message: M,
): message is Exclude<M, { role: 'assistant' | 'tool' }> {
  return message.role !== 'assistant' && message.role !== 'tool';
}

/** A message a person wrote, with values in its texts. Answers and tool results are left as received. */
export function fillMessage(message: Message, values: Readonly<Record<string, string>>): Message {
  if (!isFilled(message)) return message;
  if (typeof message.content === 'string')
    return { ...message, content: fillVariables(message.content, values) };
  const content = message.content.map((part): ContentPart =>
    part.type === 'text' ? { ...part, text: fillVariables(part.text, values) } : part,
  );
  return { ...message, content };
}
