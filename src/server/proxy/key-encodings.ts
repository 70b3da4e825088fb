/**
 * Lists the ways in which programs write a whole secret: plain, JSON (once, and JSON in JSON), URL encoding, HTML,
 * base64 at any offset, hexadecimal and UTF-16, but no mixtures. Hexadecimal digits are listed in one case only, since
 * the search ignores case.
 */
export function listKeyEncodings(secret: string): string[] {
  const textEncodings = [
    ...CHARACTER_ENCODERS.map((encodeCharacter) => Array.from(secret, encodeCharacter).join('')),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
  ];
  const bytes = Buffer.from(secret, 'latin1');
  const byteEncodings = [
    bytes.toString('hex'),
    ...listBase64Forms(bytes),
    Array.from(secret, (character) => `${character}\0`).join(''),
    Array.from(secret, (character) => `\0${character}`).join(''),
  ];
  return [
    ...new Set([
      ...textEncodings,
      ...textEncodings.map((text) => JSON.stringify(text).slice(1, -1)),
      ...byteEncodings,
    ]),
  ];
}

/**
 * HTML entity names of the other characters that a key may contain: all except letters, digits, `&<>"'`, `-` and `~`.
 */
const HTML_NAMES: readonly [string, string][] = [
  ['/', 'sol'],
  ['+', 'plus'],
  ['=', 'equals'],
  ['!', 'excl'],
  ['#', 'num'],
  ['$', 'dollar'],
  ['%', 'percnt'],
  ['(', 'lpar'],
  [')', 'rpar'],
  ['*', 'ast'],
  [',', 'comma'],
  ['.', 'period'],
  [':', 'colon'],
  [';', 'semi'],
  ['?', 'quest'],
  ['@', 'commat'],
  ['[', 'lsqb'],
  ['\\', 'bsol'],
  [']', 'rsqb'],
  ['^', 'Hat'],
  ['_', 'lowbar'],
  ['`', 'grave'],
  ['{', 'lcub'],
  ['|', 'verbar'],
  ['}', 'rcub'],
];

/** Encoders for one character, as used by libraries that escape text. */
const CHARACTER_ENCODERS: ((character: string) => string)[] = [
  (character) => character,
  // JSON: minimal, with `/` as in PHP, with `<>&` as in Go, with characters unsafe in .NET, and everything.
  (character) => (/["\\]/.test(character) ? `\\${character}` : character),
  (character) => (/["\\/]/.test(character) ? `\\${character}` : character),
  (character) => (/[<>&]/.test(character) ? escapeUnicode(character) : escapeJson(character)),
  (character) => (/["'&+<>`]/.test(character) ? escapeUnicode(character) : escapeJson(character)),
  (character) => (isWordCharacter(character) ? character : escapeUnicode(character)),
  (character) => escapeUnicode(character),
  // URLs: as in encodeURIComponent, as in forms, and every character.
  (character) => (/[\w.~-]/.test(character) ? character : escapePercent(character)),
  (character) => (isWordCharacter(character) ? character : escapePercent(character)),
  (character) => escapePercent(character),
  // HTML: decimal, hexadecimal, both for every character, and mixed names as in template engines.
  (character) => (isWordCharacter(character) ? character : `&#${character.charCodeAt(0)};`),
  (character) => (isWordCharacter(character) ? character : `&#x${toHex(character)};`),
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${toHex(character)};`,
  ...createHtmlEncoders(),
  // Hexadecimal escapes of JavaScript and Python strings: all except word characters, all except word characters and
  // hyphens, and every character.
  (character) => (isWordCharacter(character) ? character : escapeHex(character)),
  (character) => (/[\w-]/.test(character) ? character : escapeHex(character)),
  (character) => escapeHex(character),
];

/** Template engines agree on `&amp;`, `&lt;` and `&gt;`, but not on quotes or other unsafe characters. */
function createHtmlEncoders(): ((character: string) => string)[] {
  const listNumericEntities = (characters: string): [string, string][] =>
    Array.from(characters, (character) => [character, `&#x${toHex(character)};`]);
  const names = HTML_NAMES.map(([character, name]): [string, string] => [character, `&${name};`]);
  const commonNames = names.filter(([character]) => '/+='.includes(character));
  const namesWithoutUnderscore = names.filter(([character]) => character !== '_');
  return ['&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&apos;', '&#39;', '&#039;', '&#x27;'].flatMap((apostrophe) =>
      [
        listNumericEntities(''),
        listNumericEntities('=`'),
        listNumericEntities('/=`'),
        commonNames,
        namesWithoutUnderscore,
        names,
      ].map((extraEntities) => {
        const entities = new Map([
          ['&', '&amp;'],
          ['<', '&lt;'],
          ['>', '&gt;'],
          ['"', quote],
          ["'", apostrophe],
          ...extraEntities,
        ]);
        return (character: string) => entities.get(character) ?? character;
      }),
    ),
  );
}

function isWordCharacter(character: string): boolean {
  return /\w/.test(character);
}

function escapeJson(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

function escapeUnicode(character: string): string {
  return `\\u00${toHex(character)}`;
}

function escapePercent(character: string): string {
  return `%${toHex(character)}`;
}

function escapeHex(character: string): string {
  return `\\x${toHex(character)}`;
}

/** Returns the base64 characters that depend only on these bytes, for every offset in the encoded data. */
function listBase64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const stablePart = encoded.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + bytes.length) * 8) / 6),
    );
    return [stablePart, stablePart.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
