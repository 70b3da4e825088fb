/** Arguments with few values: those of a list, and yes or no. */
import type { Json } from '../../lib/json.ts';
import type { Evidence } from '../models/evidence.ts';

/** Other names under which units and the like are asked for. */
const enumAliases: Readonly<Record<string, string>> = {
  celsius: '°\\s?C|centigrade|degrees C',
  fahrenheit: '°\\s?F|degrees F',
  c: 'celsius|°\\s?C',
  f: 'fahrenheit|°\\s?F',
  metric: 'celsius|kilomet(?:er|re)s?',
  imperial: 'fahrenheit|miles',
  kelvin: '°?\\s?K',
};

/** The value of the list that the text names; longer ones are tried first. */
export function enumValue(
  allowed: readonly (string | number | boolean | null)[],
  evidence: Evidence,
): Json | undefined {
  const byLength = allowed.toSorted((left, right) => String(right).length - String(left).length);
  for (const value of byLength) {
    const words = String(value)
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .split(/[\s_-]+/u)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    const spellings = [
      `${words.join('[\\s_-]*')}(?:s|es)?`,
      ...(Object.hasOwn(enumAliases, String(value)) ? [enumAliases[String(value)]] : []),
    ];
    // A single letter such as "a" is a word of the sentence more often than a value.
    const flags = String(value).length === 1 && spellings.length === 1 ? 'u' : 'iu';
    if (
      evidence.take(new RegExp(`(?<![\\p{L}\\p{N}])(?:${spellings.join('|')})(?![\\p{L}\\p{N}])`, flags)) !==
      undefined
    )
      return value;
  }
  return undefined;
}

/** true where the text names the argument, false where it negates it. */
export function mentioned(name: string, evidence: Evidence): boolean | undefined {
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[\s_-]+/u)
    .filter((word) => !/^(?:is|has|include|with|use|enable|allow|only|should)$/iu.test(word));
  if (words.length === 0) return undefined;
  const key = words
    .map((word) =>
      word
        .toLowerCase()
        .replace(/(?:ed|s|e)$/u, '')
        .replace(/[^\p{L}\p{N}]/gu, ''),
    )
    .join('\\w*[\\s_-]+');
  const explicit = evidence.take(
    new RegExp(`${key}\\w*\\s*(?:[:=]|is|to)\\s*(true|false|yes|no|on|off)\\b`, 'iu'),
  );
  if (explicit !== undefined) return /^(?:true|yes|on)$/iu.test(explicit);
  if (
    evidence.take(
      new RegExp(
        `\\b(?:no|not|without|don't|do not|never|exclud\\w+|skip|disable)\\b(?:\\s+\\w+){0,2}?\\s+${key}\\w*`,
        'iu',
      ),
    ) !== undefined
  )
    return false;
  if (new RegExp(`\\b${key}`, 'iu').test(evidence.rest())) return true;
  return undefined;
}
