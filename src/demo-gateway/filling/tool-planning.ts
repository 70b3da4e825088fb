/** Decides which of the offered tools a message asks for, how often, and with which arguments. */
import type { JsonObject } from '../../lib/json.ts';
import { contentStems } from '../models/documentation-search.ts';
import { namePattern, quotedPattern } from '../models/evidence.ts';
import { fillArguments, type FilledArguments } from './argument-filling.ts';
import { propertiesOf, type OfferedTool } from './offered-tools.ts';
import { isFreeText } from './text-filling.ts';

/** missing: arguments that the message does not give, filled with a fallback. */
export interface PlannedCall {
  tool: OfferedTool;
  values: JsonObject;
  missing: string[];
}

/** From this score up a part of a message asks for a tool: one word of its name, or two of its description. */
const enoughWords = 2;
const mostCalls = 8;

/** The calls that the message asks for, in its order; [] where it asks for none. */
export function planCalls(text: string, tools: readonly OfferedTool[], now: number): PlannedCall[] {
  const plans = merged(partsOf(text, tools), now);
  return plans.slice(0, mostCalls).map(({ tool, text: part }) => {
    const own = fillArguments(tool.parameters, part, now);
    if (own.missing.length === 0 || part === text) return { tool, ...own };
    // "the weather and the time in Paris": what a part lacks may stand in another.
    const whole = fillArguments(tool.parameters, text, now);
    return { tool, ...combined(own, whole) };
  });
}

/** One call of this very tool, or of the one that fits best where several may be meant. */
export function forcedCall(
  text: string,
  tools: readonly OfferedTool[],
  now: number,
): PlannedCall | undefined {
  const best = bestTool(text, tools, 0);
  return best && { tool: best, ...fillArguments(best.parameters, text, now) };
}

function combined(own: FilledArguments, whole: FilledArguments): FilledArguments {
  const values = { ...own.values };
  const missing = own.missing.filter((name) => {
    const found = whole.values[name];
    if (whole.missing.includes(name) || found === undefined) return true;
    values[name] = found;
    return false;
  });
  return { values, missing };
}

interface Part {
  tool: OfferedTool;
  text: string;
}

/** The message cut where one request ends and another begins; each part with its tool. */
function partsOf(text: string, tools: readonly OfferedTool[]): Part[] {
  const parts: Part[] = [];
  let preface = '';
  for (const { text: clause, joint } of clausesOf(text)) {
    const tool = bestTool(clause, tools, enoughWords);
    const last = parts.at(-1);
    if (tool) {
      parts.push({ tool, text: `${preface}${clause}` });
      preface = '';
    } else if (!last) preface += `${clause}${joint}`;
    else {
      const next = oneMore(clause, last);
      if (!next) last.text += `${joint}${clause}`;
      else {
        parts.push({ tool: last.tool, text: withName(last.text, next) });
        // "Paris and Berlin in celsius" asks for both in celsius.
        if (next.tail !== '')
          for (const part of parts.slice(0, -1)) if (part.tool === last.tool) part.text += next.tail;
      }
    }
  }
  const [only] = parts;
  const last = parts.at(-1);
  if (last && preface !== '') last.text += preface;
  // One request is read whole, with everything before and after it.
  return parts.length === 1 && only ? [{ ...only, text }] : parts;
}

function clausesOf(text: string): { text: string; joint: string }[] {
  const quotes: string[] = [];
  const safe = text.replace(new RegExp(quotedPattern.source, 'gu'), (quote) => `⟦${quotes.push(quote) - 1}⟧`);
  const joints =
    /(\s*[,;]?\s+(?:and then|then|and also|also|and|as well as|plus)\s+(?:in |for |at )?|(?<=[.?!;])\s+|\s*\n+\s*|,\s+)/giu;
  const pieces = safe
    .split(joints)
    .map((piece) => piece.replace(/⟦(\d+)⟧/g, (_, index: string) => quotes[Number(index)] ?? ''));
  return pieces
    .flatMap((piece, index) => (index % 2 === 1 ? [] : [{ text: piece, joint: pieces[index - 1] ?? '' }]))
    .filter((clause) => clause.text.trim() !== '');
}

/** A clause that is one more name, and what stands behind it: "Berlin in celsius". */
interface OneMore {
  name: string;
  tail: string;
}

const oneMorePattern = new RegExp(
  `^(?:(?:in|for|at|of|from|about) )?(?:the )?(${namePattern}|[\\p{L}'’-]+)((?: (?:too|as well|please|(?:in|with|using|on|as) [\\p{L}\\p{N}'’-]+(?: [\\p{L}\\p{N}'’-]+)?))?)[.?!]*$`,
  'u',
);

/** "…in Paris and Rome": the clause is one more name for a tool that takes one name at a time. */
function oneMore(clause: string, { tool, text }: Part): OneMore | undefined {
  const [, name = '', tail = ''] = oneMorePattern.exec(clause.trim()) ?? [];
  const properties = propertiesOf(tool.parameters);
  const takesList = properties.some(
    ([, schema]) =>
      schema['type'] === 'array' || (Array.isArray(schema['type']) && schema['type'].includes('array')),
  );
  const takesName = properties.some(
    ([property, schema]) =>
      !isFreeText(property) && schema['type'] === 'string' && schema['enum'] === undefined,
  );
  const isPolite = /^(?:thanks|thank|please|now|so)$/iu.test(name);
  if (name === '' || takesList || !takesName || isPolite || /\bbetween\b/iu.test(text)) return undefined;
  // A word in lower case goes on only where the name before it is written so too.
  const before = text.trim().split(/\s+/u).at(-1) ?? '';
  const startsHigh = (word: string) => /^["“]?\p{Lu}/u.test(word);
  return startsHigh(name) === startsHigh(before) ? { name, tail } : undefined;
}

/** The request before with its last name exchanged: its other words, such as a unit, hold for this one as well. */
function withName(before: string, { name, tail }: OneMore): string {
  const lastName = new RegExp(
    `(?<=\\b(?:in|for|at|of|from|about) (?:the )?)(?:${namePattern}|[\\p{L}'’-]+)(?=[\\s.?!,]*$)`,
    'u',
  );
  return lastName.test(before) ? `${before.replace(lastName, name)}${tail}` : `${before} and ${name}${tail}`;
}

/** Neighbours with the same tool are one request where one of them gives no value of its own. */
function merged(parts: readonly Part[], now: number): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    const isSame = last?.tool === part.tool;
    const lacks = (text: string) => fillArguments(part.tool.parameters, text, now).missing.length > 0;
    if (
      last &&
      isSame &&
      (lacks(last.text) || lacks(part.text) || propertiesOf(part.tool.parameters).length === 0)
    )
      last.text = `${last.text} and ${part.text}`;
    else result.push({ ...part });
  }
  return result;
}

function bestTool(text: string, tools: readonly OfferedTool[], least: number): OfferedTool | undefined {
  let best: OfferedTool | undefined;
  let highest = least === 0 ? -1 : least;
  for (const tool of tools) {
    const score = scoreOf(text, tool, tools);
    if (score > highest || (score === highest && best === undefined)) {
      best = tool;
      highest = score;
    }
  }
  return best;
}

/** A word says less where it means as much to other tools. */
function scoreOf(text: string, tool: OfferedTool, tools: readonly OfferedTool[]): number {
  let score = calculates(tool) && /\d\s*[-+*/^×÷]\s*\(?\d/u.test(text) ? enoughWords : 0;
  for (const stem of new Set(contentStems(text.replace(/_/g, ' ')))) {
    const weight = tool.stems.get(stem);
    if (weight === undefined) continue;
    const rivals = tools.filter((other) => (other.stems.get(stem) ?? 0) >= weight).length;
    score += weight / Math.sqrt(rivals);
  }
  return new RegExp(`(?<!\\w)${tool.name.replace(/[^\w]/g, '.')}(?!\\w)`, 'u').test(text)
    ? score + 10
    : score;
}

function calculates({ parameters }: OfferedTool): boolean {
  return propertiesOf(parameters).some(([name]) => /expression|formula|equation|calculation/iu.test(name));
}
