/** How far to look for the first field of an event stream before it counts as some other text. */
const sniffedLength = 4096;

/** Some send blank lines to keep the connection open until the model begins. */
const mostBlank = 65_536;

/** How a line of an event stream begins, and what else one may be whole: `data` alone is the start of any word before it ends. */
const anyField = { begun: /^(?:data|event|id|retry)?:/, whole: /^(?:data|event|id|retry)$/ };

/** What only an event stream has, also after a web page or a text. */
const chunkField = { begun: /^data: ?[{[]/, whole: /^data: ?$/ };

/**
 * What an answer is, by its first characters: the content type is only advice, since real gateways send
 * event streams as text/plain and web pages as text/event-stream. `undecided` wants more.
 */
export function sniff(text: string): 'events' | 'body' | 'undecided' {
  const start = text.search(/[^ \t\r\n]/);
  if (start === -1) return text.length < mostBlank ? 'undecided' : 'body';
  const head = text.slice(start, start + sniffedLength);
  const isLong = head.length === sniffedLength;
  const lines = head.split(/\r\n|\r|\n/);
  const last = isLong ? lines.length : lines.length - 1;
  const field = '"<'.includes(text.charAt(start)) ? chunkField : anyField;
  for (const [index, line] of lines.entries())
    if (field.begun.test(line) || (index < last && field.whole.test(line))) return 'events';
  return isLong ? 'body' : 'undecided';
}
