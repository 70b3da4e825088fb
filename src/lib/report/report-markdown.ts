/** Builds the parts of reports in Markdown, safe in any viewer: HTML is shown as text. */

/** Returns the text on one line, without markup. */
export function toMarkdownLine(text: string): string {
  return neutralizeMarkup(text.replaceAll(/\s+/g, ' ').trim());
}

export function buildMarkdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [formatRow(header), formatRow(header.map(() => '---')), ...rows.map(formatRow)].join('\n');
}

/** Escapes bars, which would start a new cell, and backslashes, which would undo the escape. */
function escapeCell(text: string): string {
  return toMarkdownLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}

/**
 * Shows tags outside code as text and images as links, so that viewers neither run nor fetch anything. Text that only
 * some viewers treat as code is treated as text.
 */
export function neutralizeMarkup(markdown: string): string {
  let fence: string | undefined;
  /** True after an unmatched run of backticks, which may be closed on a later line of the same paragraph. */
  let isSpanOpen = false;
  const lines = markdown.split(/\r\n|\r|\n/).map((line) => {
    if (fence !== undefined) {
      const [, ticks = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
      if (ticks.startsWith(fence)) fence = undefined;
      return line;
    }
    // Only unindented fences count; an indented one belongs to a list item and may end with it.
    const ticks = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    if (ticks !== undefined && !(ticks.startsWith('`') && line.includes('`', ticks.length))) {
      fence = ticks;
      isSpanOpen = false;
      return line;
    }
    if (line.trim() === '') isSpanOpen = false;
    const { text, isBalanced } = neutralizeLine(line, isSpanOpen);
    isSpanOpen ||= !isBalanced;
    return text;
  });
  // An unclosed fence would turn the rest of the file into code and swap code and text at the next fence.
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** Matches a code span with equal runs of backticks, or a single unmatched run. */
const codeSpans = /(?<!`)(`+)(?!`)(?:([^\n]*?)(?<!`)\1(?!`))?/g;

function neutralizeLine(line: string, isSpanOpen: boolean): { text: string; isBalanced: boolean } {
  const isDoubtful = isSpanOpen || /\\`|<[^<>\s]*`/.test(line);
  let isBalanced = !isDoubtful;
  let text = '';
  let offset = 0;
  for (const span of line.matchAll(codeSpans)) {
    const isCode = span[2] !== undefined && !isDoubtful;
    if (span[2] === undefined) isBalanced = false;
    text += neutralizeText(line.slice(offset, span.index)) + (isCode ? span[0] : neutralizeText(span[0]));
    offset = span.index + span[0].length;
  }
  return { text: text + neutralizeText(line.slice(offset)), isBalanced };
}

const targetStartPattern = /\][(:]\s*(?:<\s*)?/g;

/** Marks unsafe link targets: any (possibly hidden) scheme other than http, https and mailto. */
function neutralizeTargets(text: string): string {
  // Caches the end of the last word and its last scheme character, because one word may contain many targets.
  let wordEnd = 0;
  let lastSignOffset = -1;
  return text.replaceAll(targetStartPattern, (match, index: number) => {
    const targetOffset = index + match.length;
    if (targetOffset >= wordEnd) {
      wordEndPattern.lastIndex = targetOffset;
      wordEnd = wordEndPattern.exec(text)?.index ?? text.length;
      const word = text.slice(targetOffset, wordEnd);
      lastSignOffset =
        targetOffset + Math.max(...[':', '&', '%', '\\'].map((sign) => word.lastIndexOf(sign)));
    }
    const isUnsafe =
      targetOffset <= lastSignOffset &&
      !/^(?:https?|mailto):/i.test(text.slice(targetOffset, targetOffset + 'mailto:'.length));
    return isUnsafe ? `${match}unsafe:` : match;
  });
}

const wordEndPattern = /[)\s]/g;

function neutralizeText(text: string): string {
  return neutralizeTargets(
    text.replaceAll(/<(?!(?:https?|mailto):[^\s<>]*>)(?=[a-z/!?])/gi, '&lt;').replaceAll('![', '\\!['),
  );
}
