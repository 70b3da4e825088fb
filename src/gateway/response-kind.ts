/** Maximum number of characters examined for the first field of an event stream. */
const maxSniffedChars = 4096;

/** Maximum number of leading whitespace characters, which some gateways send while the model starts. */
const maxBlankChars = 65_536;

/**
 * Prefixes of an event stream line, and lines that count only when complete: an unfinished `data` may still become
 * any word.
 */
const fieldPatterns = { prefix: /^(?:data|event|id|retry)?:/, entireLine: /^(?:data|event|id|retry)$/ };

/** Lines that occur only in event streams, so they count even after a web page or other text. */
const chunkFieldPatterns = { prefix: /^data: ?[{[]/, entireLine: /^data: ?$/ };

/**
 * Detects an event stream by its first characters. The content type is not reliable: gateways send event streams as
 * text/plain and web pages as text/event-stream. `undecided` means that more text is needed.
 */
export function detectResponseKind(text: string): 'events' | 'body' | 'undecided' {
  const start = text.search(/[^ \t\r\n]/);
  if (start === -1) return text.length < maxBlankChars ? 'undecided' : 'body';
  const head = text.slice(start, start + maxSniffedChars);
  const isLong = head.length === maxSniffedChars;
  const lines = head.split(/\r\n|\r|\n/);
  const endedLineCount = isLong ? lines.length : lines.length - 1;
  const patterns = '"<'.includes(text.charAt(start)) ? chunkFieldPatterns : fieldPatterns;
  for (const [index, line] of lines.entries())
    if (patterns.prefix.test(line) || (index < endedLineCount && patterns.entireLine.test(line)))
      return 'events';
  return isLong ? 'body' : 'undecided';
}
