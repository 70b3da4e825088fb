import { parseJson, type Json } from '../../lib/json.ts';

/**
 * The part of a JSON text that came before it was cut off, with what was open closed: texts keep what came
 * of them, a cut number, name or keyword is left out, so that nothing is invented. Undefined when the text
 * is not the beginning of JSON.
 */
export function valueOfCutJson(text: string): Json | undefined {
  const closers: string[] = [];
  let inString = false;
  let escapeAt = -1;
  // The end of the last whole member. Whatever opens or closes is one, so what is open there is open at the end.
  let safeEnd = 0;

  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (inString) {
      if (letter === '\\') {
        escapeAt = at;
        at += 1;
      } else if (letter === '"') inString = false;
      continue;
    }
    if (letter === '"') inString = true;
    else if (letter === '{' || letter === '[') {
      closers.push(letter === '{' ? '}' : ']');
      safeEnd = at + 1;
    } else if (letter === '}' || letter === ']') {
      closers.pop();
      safeEnd = at + 1;
    } else if (letter === ',') safeEnd = at;
  }

  const closing = closers.toReversed().join('');
  if (inString) {
    const escape = escapeAt === -1 ? '' : text.slice(escapeAt);
    // An escape that is itself cut, or the first half of a character written as two escapes.
    const isCutEscape = /^\\(?:u[0-9a-f]{0,3})?$/i.test(escape) || /^\\ud[89ab][0-9a-f]{2}$/i.test(escape);
    const body = isCutEscape ? text.slice(0, escapeAt) : text;
    const closed = parseJson(`${body}"${closing}`);
    if (closed.ok) return closed.value;
  }
  const safe = parseJson(text.slice(0, safeEnd) + closing);
  return safe.ok && mayBeginMember(text.slice(safeEnd), closing) ? safe.value : undefined;
}

/** What was left out must look like the beginning of a member, or the text is not JSON at all. */
function mayBeginMember(rest: string, closers: string): boolean {
  const start = rest.replace(/^[\s,]+/, '');
  if (start === '') return true;
  if (closers === '') return false;
  return start.startsWith('"') || (closers.startsWith(']') && /^[-+.\w]*$/.test(start));
}
