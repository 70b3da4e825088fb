import { isEscaped, findToken, type JsonToken } from '../../lib/json-scan.ts';
import { parseJson, type Json, type JsonParseResult } from '../../lib/json.ts';

/**
 * Parses JSON that was cut off by closing what is open. Strings keep their received part; a cut number, name or keyword
 * is left out, so that nothing is invented. `undefined` if the text is not the beginning of JSON. `parse` can be
 * parseExactJson to keep digits.
 */
export function parsePartialJson(
  text: string,
  parse: (text: string) => JsonParseResult = parseJson,
): Json | undefined {
  const closers: string[] = [];
  let lastToken: JsonToken | undefined;
  // End of the last complete member. Brackets also count, so whatever is open there is still open at the end.
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

/** Closes a string after removing a cut escape, or the first half of a surrogate pair, from its end. */
function withoutCutEscape(text: string): string {
  const cutEscape = /\\(?:u[0-9a-f]{0,3}|ud[89ab][0-9a-f]{2})?$/i.exec(text.slice(-6))?.[0] ?? '';
  const end = text.length - cutEscape.length;
  return isEscaped(text, end) ? text : text.slice(0, end);
}

/** The remainder must look like the beginning of a member; otherwise the text is not JSON. */
function canBeginMember(remainder: string, closers: string): boolean {
  const start = remainder.replace(/^[\s,]+/, '');
  if (start === '') return true;
  if (closers === '') return false;
  return start.startsWith('"') || (closers.startsWith(']') && /^[-+.\w]*$/.test(start));
}
