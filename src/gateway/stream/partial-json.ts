import { isEscaped, tokenFrom, type JsonToken } from '../../lib/json-scan.ts';
import { parseJson, type Json, type JsonReading } from '../../lib/json.ts';

/**
 * The part of a JSON text that came before it was cut off, with what was open closed: texts keep what came
 * of them, a cut number, name or keyword is left out, so that nothing is invented. Undefined when the text
 * is not the beginning of JSON. `parse`: parseExactJson where the digits matter.
 */
export function valueOfCutJson(
  text: string,
  parse: (text: string) => JsonReading = parseJson,
): Json | undefined {
  const closers: string[] = [];
  let last: JsonToken | undefined;
  // The end of the last whole member. Whatever opens or closes is one, so what is open there is open at the end.
  let safeEnd = 0;
  for (let token = tokenFrom(text, 0); token; token = tokenFrom(text, token.end)) {
    last = token;
    switch (token.kind) {
      case '{':
      case '[':
        closers.push(token.kind === '{' ? '}' : ']');
        safeEnd = token.end;
        break;
      case '}':
      case ']':
        closers.pop();
        safeEnd = token.end;
        break;
      case ',':
        safeEnd = token.start;
        break;
      default:
    }
  }

  const closing = closers.toReversed().join('');
  if (last?.kind === 'open string') {
    const closed = parse(`${withoutCutEscape(text)}"${closing}`);
    if (closed.ok) return closed.value;
  }
  const safe = parse(text.slice(0, safeEnd) + closing);
  return safe.ok && mayBeginMember(text.slice(safeEnd), closing) ? safe.value : undefined;
}

/** A text that ends inside a string, without the escape that is cut off there, or the first half of a character written as two. */
function withoutCutEscape(text: string): string {
  const cut = /\\(?:u[0-9a-f]{0,3}|ud[89ab][0-9a-f]{2})?$/i.exec(text.slice(-6))?.[0] ?? '';
  const end = text.length - cut.length;
  return isEscaped(text, end) ? text : text.slice(0, end);
}

/** What was left out must look like the beginning of a member, or the text is not JSON at all. */
function mayBeginMember(rest: string, closers: string): boolean {
  const start = rest.replace(/^[\s,]+/, '');
  if (start === '') return true;
  if (closers === '') return false;
  return start.startsWith('"') || (closers.startsWith(']') && /^[-+.\w]*$/.test(start));
}
