/**
 * Lists the ways in which programs write a whole secret: plain, in JSON (once, and JSON in JSON), addresses, HTML, base64
 * at any offset, hexadecimal and UTF-16, without mixtures of them. Hexadecimal digits are in one case, since the search
 * ignores case.
 */
export function spellingsOf(secret: string): string[] {
  const once = [
    ...CHARACTER_SPELLINGS.map((spell) => Array.from(secret, spell).join('')),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
  ];
  const bytes = Buffer.from(secret, 'latin1');
  const inBytes = [
    bytes.toString('hex'),
    ...base64Of(bytes),
    Array.from(secret, (character) => `${character}\0`).join(''),
    Array.from(secret, (character) => `\0${character}`).join(''),
  ];
  return [...new Set([...once, ...once.map((text) => JSON.stringify(text).slice(1, -1)), ...inBytes])];
}

/** What HTML has a name for, of what can be in a key beside letters, digits, `&<>"'`, `-` and `~`, which have none. */
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

/** How one character is written, by the libraries that escape it. */
const CHARACTER_SPELLINGS: ((character: string) => string)[] = [
  (character) => character,
  // JSON: the least, with `/` as PHP does, with `<>&` as Go does, with what .NET takes for unsafe, and whole.
  (character) => (/["\\]/.test(character) ? `\\${character}` : character),
  (character) => (/["\\/]/.test(character) ? `\\${character}` : character),
  (character) => (/[<>&]/.test(character) ? unicode(character) : json(character)),
  (character) => (/["'&+<>`]/.test(character) ? unicode(character) : json(character)),
  (character) => (isWord(character) ? character : unicode(character)),
  (character) => unicode(character),
  // Addresses: what encodeURIComponent leaves, what forms leave, and whole.
  (character) => (/[\w.~-]/.test(character) ? character : percent(character)),
  (character) => (isWord(character) ? character : percent(character)),
  (character) => percent(character),
  // HTML: by number, by hexadecimal number, both whole too, and by name as template engines mix them.
  (character) => (isWord(character) ? character : `&#${character.charCodeAt(0)};`),
  (character) => (isWord(character) ? character : `&#x${hex(character)};`),
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hex(character)};`,
  ...htmlSpellings(),
  // Hexadecimal escapes of JavaScript and Python strings: all but words, all but words and hyphens, and whole.
  (character) => (isWord(character) ? character : slashX(character)),
  (character) => (/[\w-]/.test(character) ? character : slashX(character)),
  (character) => slashX(character),
];

/** Engines agree on `&amp;`, `&lt;` and `&gt;`, not on quotes, nor on what else they take for unsafe. */
function htmlSpellings(): ((character: string) => string)[] {
  const numbered = (characters: string): [string, string][] =>
    Array.from(characters, (character) => [character, `&#x${hex(character)};`]);
  const names = HTML_NAMES.map(([character, name]): [string, string] => [character, `&${name};`]);
  const few = names.filter(([character]) => '/+='.includes(character));
  const butWords = names.filter(([character]) => character !== '_');
  return ['&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&apos;', '&#39;', '&#039;', '&#x27;'].flatMap((apostrophe) =>
      [numbered(''), numbered('=`'), numbered('/=`'), few, butWords, names].map((others) => {
        const named = new Map([
          ['&', '&amp;'],
          ['<', '&lt;'],
          ['>', '&gt;'],
          ['"', quote],
          ["'", apostrophe],
          ...others,
        ]);
        return (character: string) => named.get(character) ?? character;
      }),
    ),
  );
}

function isWord(character: string): boolean {
  return /\w/.test(character);
}

function json(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

function unicode(character: string): string {
  return `\\u00${hex(character)}`;
}

function percent(character: string): string {
  return `%${hex(character)}`;
}

function slashX(character: string): string {
  return `\\x${hex(character)}`;
}

/** The characters of base64 that the bytes alone decide, wherever they stand in what is encoded. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
