/** How far to look for the first field of an event stream before it counts as some other text. */
const maxSniffedChars = 4096;

/** Some send blank lines to keep the connection open until the model begins. */
const maxBlankChars = 65_536;

/** How a line of an event stream begins, and what else one may be whole: `data` alone is the start of any word before it ends. */
const fieldPatterns = { prefix: /^(?:data|event|id|retry)?:/, entireLine: /^(?:data|event|id|retry)$/ };

/** What only an event stream has, also after a web page or a text. */
const chunkFieldPatterns = { prefix: /^data: ?[{[]/, entireLine: /^data: ?$/ };

/**
 * What an answer is, by its first characters: the content type is only advice, since real gateways send
 * event streams as text/plain and web pages as text/event-stream. `undecided` wants more.
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
