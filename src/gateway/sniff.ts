/** How far to look for the first field of an event stream before it counts as some other text. */
const sniffedLength = 4096;

const fieldLine = /^(?::|(?:data|event|id|retry)(?::|$))/;

/**
 * What an answer is, by its first characters: the content type is only advice, since real gateways send
 * event streams as text/plain and web pages as text/event-stream (F25 to F27). `undecided` wants more.
 */
export function sniff(text: string): 'events' | 'body' | 'undecided' {
  const start = text.search(/[^ \t\r\n]/);
  if (start === -1) return text.length < sniffedLength ? 'undecided' : 'body';
  if ('{["<'.includes(text.charAt(start))) return 'body';
  const lines = text.slice(0, sniffedLength).split(/\r\n|\r|\n/);
  const last = text.length < sniffedLength ? lines.length - 1 : lines.length;
  for (const [index, line] of lines.entries()) {
    // An unfinished line without its colon may yet become a field of a longer name.
    if (fieldLine.test(line) && (index < last || line.includes(':'))) return 'events';
  }
  return text.length < sniffedLength ? 'undecided' : 'body';
}
