/** Creates and parses the blocks of attached text files. Loaded with the attachments, not at first. */
import type { FileInfo } from '../../gateway/wire.ts';
import { pluralize } from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import type { TextFilePart } from './message-files.ts';

/** Maximum size of an attached text file in bytes. */
export const maxFileBytes = 1024 * 1024;

const maxNameChars = 255;

/** Creates the part of a text file. Its fence is longer than any run of backticks in the text. */
export function createFilePart(text: string, file: FileInfo): TextFilePart {
  const longestRun = (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
  const fence = '`'.repeat(Math.max(3, longestRun + 1));
  const [, extension = ''] = /\.([a-z0-9]{1,12})$/i.exec(file.name) ?? [];
  const language = extension.toLowerCase().replace(/^txt$/, '');
  const name = sanitizeForSentence(file.name, maxNameChars);
  const body = text.endsWith('\n') ? text : `${text}\n`;
  return { type: 'text', text: `File: ${name}\n${fence}${language}\n${body}${fence}`, file };
}

/** Returns the text inside the fence, or the whole text if the part of an imported message has no such form. */
export function getFileText({ text }: TextFilePart): string {
  const [heading = '', fence = ''] = /^File: [^\n]*\n(`{3,})[^\n`]*\n/.exec(text) ?? [];
  const isFenced = heading !== '' && text.endsWith(`\n${fence}`);
  return isFenced ? text.slice(heading.length, -fence.length) : text;
}

/** Describes the size of a file, such as "3 lines, ~12 tokens". */
export function describeFileSize(part: TextFilePart): string {
  const text = getFileText(part);
  const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const { encoding } = part.file;
  const size = `${pluralize(lineCount, 'line')}, ~${pluralize(Math.ceil(text.length / 4), 'token')}`;
  return encoding === undefined ? size : `${size}, read as ${encoding}`;
}

const blockStart = /File: ([^\n]+)\n(`{3,})[^\n`]*\n/y;

/**
 * Splits a copied message into its text and the files at its end. Returns `undefined` if it does not end with files, so
 * that other Markdown is pasted unchanged.
 */
export function parseCopiedFiles(copiedText: string): { text: string; files: TextFilePart[] } | undefined {
  const candidates = /(?<=^|\n\n)File: /g;
  for (let match = candidates.exec(copiedText); match; match = candidates.exec(copiedText)) {
    const files: TextFilePart[] = [];
    let offset = match.index;
    for (;;) {
      const end = findBlockEnd(copiedText, offset);
      if (end === undefined) break;
      const [, name = ''] =
        /^File: ([^\n]*)/.exec(copiedText.slice(offset, offset + maxNameChars + 20)) ?? [];
      const text = copiedText.slice(offset, end);
      const part: TextFilePart = { type: 'text', text, file: { name, bytes: 0 } };
      const bytes = new TextEncoder().encode(getFileText(part)).length;
      files.push({ ...part, file: { name, bytes } });
      if (copiedText.slice(end).trim() === '')
        return { text: copiedText.slice(0, match.index).trim(), files };
      offset = end + 2;
      if (!copiedText.startsWith('\n\nFile: ', end)) break;
    }
    // The blocks up to this offset are not at the end of the text.
    candidates.lastIndex = Math.max(candidates.lastIndex, offset - 2);
  }
  return undefined;
}

/** Returns the offset after the fence that closes the block at this offset. */
function findBlockEnd(text: string, offset: number): number | undefined {
  blockStart.lastIndex = offset;
  const start = blockStart.exec(text);
  if (!start) return undefined;
  const fence = start[2] ?? '';
  const closingOffset = text.indexOf(`\n${fence}`, blockStart.lastIndex - 1);
  const end = closingOffset + 1 + fence.length;
  return closingOffset < 0 || !/^(?:\n|$)/.test(text.slice(end, end + 1)) ? undefined : end;
}
