/** `{{name}}` in prompts and system prompts, filled from the session's table when a request is made. */
import type { ContentPart, Message } from '../../gateway/wire.ts';

const variablePattern = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu;

/** Names used in these texts, each once, in order of first use. */
export function findVariables(texts: readonly string[]): string[] {
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(variablePattern)].flatMap((match) => match[1] ?? [])),
    ),
  ];
}

/** The text with values in; names without a value stay as they are written, so that nothing goes missing unseen. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(variablePattern, (match, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? match) : match,
  );
}

/** The text in pieces: words as they are, and the names used, each with the stretch that stands for it. */
export function splitVariables(text: string): { text: string; name?: string }[] {
  const pieces: { text: string; name?: string }[] = [];
  let offset = 0;
  for (const match of text.matchAll(variablePattern)) {
    if (match.index > offset) pieces.push({ text: text.slice(offset, match.index) });
    pieces.push({ text: match[0], ...(match[1] === undefined ? {} : { name: match[1] }) });
    offset = match.index + match[0].length;
  }
  if (offset < text.length) pieces.push({ text: text.slice(offset) });
  return pieces;
}

/** True for messages to the model. Answers and results contain no variables. */
export function canHaveVariables<M extends Pick<Message, 'role'>>(
  message: M,
): message is Exclude<M, { role: 'assistant' | 'tool' }> {
  return message.role !== 'assistant' && message.role !== 'tool';
}

/** A message a person wrote, with values in its texts. Answers and tool results are left as received. */
export function fillMessage(message: Message, values: Readonly<Record<string, string>>): Message {
  if (!canHaveVariables(message)) return message;
  if (typeof message.content === 'string')
    return { ...message, content: fillVariables(message.content, values) };
  const content = message.content.map((part): ContentPart =>
    part.type === 'text' ? { ...part, text: fillVariables(part.text, values) } : part,
  );
  return { ...message, content };
}
