/** The text of a message from which values are taken; what was taken once is not found again. */
export interface Evidence {
  /** What is left, with § for what was taken. */
  rest: () => string;
  /** The first capture group (else the whole match), unless `accept` refuses it. The match is taken. */
  take: (pattern: RegExp, accept?: (found: string) => boolean) => string | undefined;
}

export function evidenceOf(text: string): Evidence {
  let rest = text;
  return {
    rest: () => rest,
    take: (pattern, accept = () => true) => {
      const everywhere = new RegExp(
        pattern.source,
        pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`,
      );
      for (const match of rest.matchAll(everywhere)) {
        const found = (match[1] ?? match[0]).trim();
        if (found === '' || found.includes('§') || !accept(found)) continue;
        // Only the value goes: "from Paris" leaves the "from" for the eyes of nobody.
        rest = `${rest.slice(0, match.index)} § ${rest.slice(match.index + match[0].length)}`;
        return found;
      }
      return undefined;
    },
  };
}

/** Text in quotes of any kind; an apostrophe within a word is none. */
export const quotedPattern =
  /"([^"]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/u;

/** The first quoted text that is left. */
export function takeQuoted(
  evidence: Evidence,
  accept: (found: string) => boolean = () => true,
): string | undefined {
  const match = quotedPattern.exec(evidence.rest());
  const found = match?.slice(1).find((group) => group !== undefined);
  if (match === null || found === undefined || found.includes('§') || !accept(found)) return undefined;
  evidence.take(new RegExp(escaped(match[0]), 'u'));
  return found;
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

const capital = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’&-]*(?:\.\p{L}+)*`;
/** One or more words with a capital, with small words such as "de" between them. */
export const namePattern = `${capital}(?: (?:(?:de|da|do|del|di|la|le|las|los|van|von|der|den|of|upon|am|y) )?${capital})*`;

const endOfPhrase = String.raw`(?=\s*(?:$|[.,;?!§)]|\b(?:and|or|in|on|at|to|from|for|with|by|about|near|of|as|using|please|today|tomorrow|tonight|now|right now|this|next|is|are|was|like|if|when|while|then|saying|that|under|over|between|until|before|after)\b))`;

/** What stands after one of these words, up to the end of the phrase: a name in capitals, else up to four words. */
export function afterWords(words: string): RegExp {
  return new RegExp(
    `\\b(?:${words})\\s+(?:the\\s+(?:city|town|country|state|region)\\s+of\\s+|the\\s+)?(${namePattern}|[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’.-]*?(?:\\s+[\\p{L}\\p{M}\\p{N}'’-]+?){0,3}?)${endOfPhrase}`,
    'u',
  );
}

/** What is left as plain text. */
export function withoutTaken(evidence: Evidence): string {
  return evidence
    .rest()
    .replace(/[\s§]+/gu, ' ')
    .trim();
}
