/** Fills `{{name}}` in prompts and system prompts from the session's variables when a request is built. */
import type { ContentPart, Message } from '../../gateway/wire.ts';

const variablePattern = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu;

/** Returns the variable names in these texts, without duplicates, in order of first use. */
export function findVariables(texts: readonly string[]): string[] {
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(variablePattern)].flatMap((match) => match[1] ?? [])),
    ),
  ];
}

/** Replaces variables with their values. Names without a value are kept, so that missing values stay visible. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(variablePattern, (match, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? match) : match,
  );
}

/** Splits the text into plain pieces and variables, each with its source text. */
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

/** Returns true for messages to the model; answers and tool results do not contain variables. */
export function canHaveVariables<M extends Pick<Message, 'role'>>(
  message: M,
): message is Exclude<M, { role: 'assistant' | 'tool' }> {
  return message.role !== 'assistant' && message.role !== 'tool';
}

/** Fills the variables of a message written by the user. Answers, tool results and files are returned unchanged. */
export function fillMessage(message: Message, values: Readonly<Record<string, string>>): Message {
  if (!canHaveVariables(message)) return message;
  if (typeof message.content === 'string')
    return { ...message, content: fillVariables(message.content, values) };
  const content = message.content.map((part): ContentPart =>
    part.type === 'text' && part.file === undefined
      ? { ...part, text: fillVariables(part.text, values) }
      : part,
  );
  return { ...message, content };
}
