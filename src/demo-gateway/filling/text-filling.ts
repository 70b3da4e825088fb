/** Texts for the arguments of a tool: names, dates, addresses, free text. */
import { stringProperty } from '../../lib/json.ts';
import { withoutEnd } from '../../lib/trim.ts';
import {
  afterWords,
  escaped,
  namePattern,
  takeQuoted,
  withoutTaken,
  type Evidence,
} from '../models/evidence.ts';
import { cut, fits } from '../models/text-limits.ts';
import type { CalendarDate } from '../questions/calendar.ts';
import type { Schema } from './offered-tools.ts';
import { formatted, kindOf } from './text-formats.ts';

/** The value that the text gives for this argument, or undefined. Fits length and pattern. */
export function textFor(
  name: string,
  schema: Schema,
  evidence: Evidence,
  today: CalendarDate,
): string | undefined {
  const accept = (found: string) => fits(found, schema);
  const found = formatted(name, schema, evidence, today, accept) ?? explicit(name, evidence, accept);
  if (found !== undefined) return found;
  if (kindOf(name, schema) !== undefined) return undefined;
  const pattern = stringProperty(schema, 'pattern');
  if (pattern !== undefined) return evidence.take(/[\p{L}\p{N}][^\s,;?!§]{0,23}/u, accept);
  return byRole(name, schema, evidence, accept);
}

/** Arguments whose value is a sentence or several, not a name. */
export function isFreeText(name: string): boolean {
  return /query|search|text|message|content|prompt|question|body|note|description|instruction|input|sentence|comment|task|keyword|term|subject|title|code|expression|formula/iu.test(
    name,
  );
}

/** "city: Paris", "city = Paris", "the city is Paris". */
function explicit(name: string, evidence: Evidence, accept: (found: string) => boolean): string | undefined {
  const key = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[\s_-]+/u)
    .map(escaped)
    .join('[\\s_-]*');
  const quoted = evidence.take(
    new RegExp(`\\b${key}\\s*(?:[:=]|is|called|named)?\\s*["“]([^"”]+)["”]`, 'iu'),
    accept,
  );
  return (
    quoted ??
    evidence.take(
      new RegExp(
        `\\b${key}\\s*[:=]\\s*([^\\s,;§][^,;§\\n]*?)(?=[,;§\\n]|[.?!]?\\s*$|[.?!]\\s|\\s+and\\s)`,
        'iu',
      ),
      accept,
    )
  );
}

/** Which words stand before the value, by what the argument is called. */
function leadsOf(name: string): string[] {
  const words = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase();
  if (/(?:^|_)(?:from|origin|source|departure|start|sender|base)/u.test(words)) return ['from', 'between'];
  if (/(?:^|_)(?:to|destination|target|arrival|end|recipient|receiver)(?:$|_)/u.test(words))
    return ['to|into', 'for'];
  if (/city|place|location|country|region|area|address|where|zone|town|state/u.test(words))
    return ['in|at|near|around', 'for|of|to|from'];
  if (/name|person|contact|who|guest|customer|author|artist/u.test(words))
    return ['named|called|for|by|with|to', 'of|from'];
  if (/language|lang/u.test(words)) return ['into|in|to', 'from'];
  if (/symbol|ticker|stock|company/u.test(words)) return ['of|for|price of', 'in|at'];
  if (/topic|theme|category|genre/u.test(words)) return ['about|on|regarding', 'of|in|for'];
  return ['of|for|about|on|in', 'at|to|from|with|by|near'];
}

function byRole(
  name: string,
  schema: Schema,
  evidence: Evidence,
  accept: (found: string) => boolean,
): string | undefined {
  if (/expression|formula|equation|calculation/iu.test(name)) return takeExpression(evidence, accept);
  const isSentence = isFreeText(name);
  const quoted = isSentence ? takeQuoted(evidence) : undefined;
  if (quoted !== undefined) return cut(quoted, schema, accept);
  if (isSentence) return freeText(name, schema, evidence, accept);
  const [first = 'of', second = 'for'] = leadsOf(name);
  return (
    evidence.take(afterWords(first), accept) ??
    evidence.take(afterWords(second), accept) ??
    // A capital at the start of the sentence is only a start.
    evidence.take(new RegExp(`(?<=[^.?!§\\s]\\s+)(${namePattern})`, 'u'), accept) ??
    takeQuoted(evidence, accept)
  );
}

function takeExpression(evidence: Evidence, accept: (found: string) => boolean): string | undefined {
  const found = evidence.take(
    /((?:\(\s*)*-?\d[\d.,]*(?:\s*(?:[-+*/^×÷%]|\*\*)\s*(?:\(\s*)*-?\d[\d.,]*(?:\s*\))*)+(?:\s*[-+*/^×÷%]\s*\(?-?\d[\d.,]*\)*)*)/u,
    accept,
  );
  return found === undefined ? undefined : withoutEnd(found, '.,');
}

/** What remains of the sentence when the words that give the order are gone: "search the web for X" leaves X. */
function freeText(
  name: string,
  schema: Schema,
  evidence: Evidence,
  accept: (found: string) => boolean,
): string | undefined {
  if (/subject|title/iu.test(name)) {
    return evidence.take(
      /\b(?:titled|called|named|subject|title|about|regarding)\s+([^.,;?!§\n]+?)(?=\s*(?:$|[.,;?!§]|\b(?:saying|that says|to|at|on|with)\b))/iu,
      accept,
    );
  }
  const said = evidence.take(
    /(?:\b(?:saying|that says|says|tell(?:ing)? (?:him|her|them)|with the (?:text|message|body)|text|message)\s*:?\s+|:\s+)([^§]+)$/iu,
    accept,
  );
  if (said !== undefined) return cut(said.replace(/^that\s+|\.\s*$/giu, ''), schema, accept);
  const order = String.raw`^(?:[^\p{L}\p{N}]*(?:please|can you|could you|would you|i want to|i would like to|let's))*\s*(?:search|look|find|google|query|translate|summari[sz]e|note|write|ask|tell me|show me|give me|send|post|remember|remind me|get|fetch|lookup)(?:\s+(?:up|out|down|me|for|to|about|on|the (?:web|internet|docs|documentation|database)|online|information|results?|a note|that))*\s+`;
  const after = new RegExp(`${order}(.+?)[.?!]*$`, 'iu').exec(withoutTaken(evidence))?.[1];
  if (after !== undefined) return cut(after, schema, accept);
  const about = evidence.take(/\b(?:for|about|on|of)\s+([^§?!]+?)[.?!]*$/iu, accept);
  return about === undefined ? undefined : cut(about, schema, accept);
}
