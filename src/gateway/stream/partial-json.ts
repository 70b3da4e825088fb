import { isEscaped, findToken, type JsonToken } from '../../lib/json-scan.ts';
import { parseJson, type Json, type JsonParseResult } from '../../lib/json.ts';

/**
 * The part of a JSON text that came before it was cut off, with what was open closed: texts keep what came
 * of them, a cut number, name or keyword is left out, so that nothing is invented. Undefined when the text
 * is not the beginning of JSON. `parse`: parseExactJson where the digits matter.
 */
export function parsePartialJson(
  text: string,
  parse: (text: string) => JsonParseResult = parseJson,
): Json | undefined {
  const closers: string[] = [];
  let lastToken: JsonToken | undefined;
  // The end of the last whole member. Whatever opens or closes is one, so what is open there is open at the end.
  let safeEnd = 0;
  for (let token = findToken(text, 0); token; token = findToken(text, token.end)) {
    lastToken = token;
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
  if (lastToken?.kind === 'open string') {
    const closedResult = parse(`${withoutCutEscape(text)}"${closing}`);
    if (closedResult.ok) return closedResult.value;
  }
  const safeResult = parse(text.slice(0, safeEnd) + closing);
  return safeResult.ok && canBeginMember(text.slice(safeEnd), closing) ? safeResult.value : undefined;
}

/** A text that ends inside a string, without the escape that is cut off there, or the first half of a character written as two. */
function withoutCutEscape(text: string): string {
  const cutEscape = /\\(?:u[0-9a-f]{0,3}|ud[89ab][0-9a-f]{2})?$/i.exec(text.slice(-6))?.[0] ?? '';
  const end = text.length - cutEscape.length;
  return isEscaped(text, end) ? text : text.slice(0, end);
}

/** What was left out must look like the beginning of a member, or the text is not JSON at all. */
function canBeginMember(remainder: string, closers: string): boolean {
  const start = remainder.replace(/^[\s,]+/, '');
  if (start === '') return true;
  if (closers === '') return false;
  return start.startsWith('"') || (closers.startsWith(']') && /^[-+.\w]*$/.test(start));
}
