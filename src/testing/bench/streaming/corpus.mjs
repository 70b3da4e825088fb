// Text as models write it, made from a seed: the same for every page, run and machine.

const CHARACTERS_A_TOKEN = 4;

/** Numbers from 0 to below 1 (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS =
  'the a gateway stream answer token model request event time first last buffer reader writer queue lane frame budget ' +
  'because where which should never always returns keeps closes opens measured linear constant latency throughput while ' +
  'after before between only every each part whole piece order index value field header body signal abort retry cache';

const CODE = {
  ts: [
    'export async function readAnswer(response: Response, signal: AbortSignal): Promise<string> {',
    '  const reader = response.body?.getReader();',
    "  if (reader === undefined) throw new TypeError('No body');",
    '  const decoder = new TextDecoder(); // one for the whole stream',
    "  let text = '';",
    '  for (;;) {',
    '    const { done, value } = await reader.read();',
    '    if (done || signal.aborted) return text + decoder.decode();',
    '    text += decoder.decode(value, { stream: true });',
    '  }',
    '}',
    '',
  ],
  python: [
    'def moving_average(values: list[float], window: int = 5) -> list[float]:',
    '    """The mean of the last `window` values."""',
    '    total, out = 0.0, []',
    '    for index, value in enumerate(values):',
    '        total += value',
    '        if index >= window:',
    '            total -= values[index - window]',
    '        out.append(total / min(index + 1, window))  # no division by zero',
    '    return out',
    '',
  ],
  sql: [
    'SELECT lane_id, count(*) AS runs, avg(first_token_ms) AS ttft',
    'FROM runs JOIN turns USING (run_id)',
    "WHERE phase = 'complete' AND sent_at > now() - interval '1 day'",
    'GROUP BY lane_id HAVING count(*) > 10',
    'ORDER BY ttft DESC LIMIT 20;',
    '',
  ],
};

const FORMULAS = [
  '$E = mc^2$',
  '$\\frac{a}{b} + \\sqrt{x_1^2 + x_2^2}$',
  '$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$',
  '\\(\\alpha \\le \\beta\\)',
];

function writer(seed) {
  const next = random(seed);
  const words = WORDS.split(' ');
  const pick = (list) => list[Math.floor(next() * list.length)];
  const between = (least, most) => least + Math.floor(next() * (most - least + 1));
  const plain = (count) => Array.from({ length: count }, () => pick(words)).join(' ');
  const styled = () => {
    const kind = next();
    if (kind < 0.3) return `**${plain(2)}**`;
    if (kind < 0.5) return `*${plain(2)}*`;
    if (kind < 0.75) return `\`${pick(words)}_${pick(words)}()\``;
    if (kind < 0.85) return `[${plain(2)}](https://example.com/${pick(words)})`;
    if (kind < 0.9) return pick(FORMULAS);
    if (kind < 0.94) return 'あいまいな日本語の文章、速い応答。';
    if (kind < 0.97) return '🚀 ⚡️';
    return `$${between(2, 90)}`;
  };
  const sentence = () => {
    const pieces = Array.from({ length: between(1, 4) }, () =>
      next() < 0.55 ? plain(between(3, 8)) : `${plain(between(2, 4))} ${styled()}`,
    );
    const text = pieces.join(', ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () => Array.from({ length: between(2, 5) }, sentence).join(' ');
  const list = () =>
    Array.from({ length: between(3, 6) }, (_, index) => {
      const marker = index % 2 === 0 ? '-' : '-';
      const nested = next() < 0.3 ? `\n  - ${sentence()}\n  - ${sentence()}` : '';
      return `${marker} ${sentence()}${nested}`;
    }).join('\n');
  const numbered = () =>
    Array.from({ length: between(3, 5) }, (_, index) => `${index + 1}. **${plain(2)}**: ${sentence()}`).join(
      '\n',
    );
  const table = () => {
    const rows = Array.from(
      { length: between(3, 7) },
      () => `| ${plain(2)} | \`${pick(words)}\` | ${between(1, 999)} |`,
    );
    return `| Name | Field | Value |\n| :--- | :---: | ---: |\n${rows.join('\n')}`;
  };
  const code = (language = pick(Object.keys(CODE)), lines = between(6, 14)) => {
    const source = CODE[language];
    const text = Array.from({ length: lines }, (_, index) => source[index % source.length]).join('\n');
    return `\`\`\`${language}\n${text}\n\`\`\``;
  };
  const quote = () => `> ${sentence()}\n> ${sentence()}`;
  const display = () => '$$\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n$$';
  const heading = () => `${'#'.repeat(between(2, 4))} ${plain(between(2, 5))}`;
  return { next, heading, paragraph, list, numbered, table, code, quote, display, sentence, plain };
}

/** An answer of about so many tokens with everything in it that models write. */
function mixed(length) {
  const write = writer(7);
  const kinds = [
    write.paragraph,
    write.paragraph,
    write.list,
    write.paragraph,
    write.code,
    write.numbered,
    write.table,
    write.paragraph,
    write.quote,
    write.code,
    write.display,
  ];
  const blocks = [];
  let total = 0;
  for (let index = 0; total < length; index += 1) {
    const block = index % 6 === 0 ? write.heading() : kinds[Math.floor(write.next() * kinds.length)]();
    blocks.push(block);
    total += block.length + 2;
  }
  return blocks.join('\n\n');
}

function repeated(length, first, make) {
  const pieces = [first];
  for (let total = first.length, index = 0; total < length; index += 1) {
    const piece = make(index);
    pieces.push(piece);
    total += piece.length;
  }
  return pieces.join('');
}

const write = writer(11);

const MAKERS = {
  mixed,
  list: (length) => repeated(length, '', () => `- ${write.sentence()}\n`),
  table: (length) =>
    repeated(
      length,
      '| Name | Field | Value |\n| :--- | :---: | ---: |\n',
      (index) => `| ${write.plain(2)} | \`x\` | ${index} |\n`,
    ),
  code: (length) => repeated(length, '```ts\n', (index) => `${CODE.ts[index % CODE.ts.length]}\n`),
  paragraph: (length) => repeated(length, '', () => `${write.sentence()} `),
};

/** The text of one answer: `kind` is mixed, list, table, code or paragraph (one giant block). */
export function textOf(kind, tokens) {
  return MAKERS[kind](tokens * CHARACTERS_A_TOKEN);
}

/** What ends every text, to see when all of it is on screen. */
export const LAST_WORDS = 'End of the recording.';

/** The deltas of a text: about four characters each, never half of a character. */
export function deltasOf(text) {
  const deltas = [];
  const next = random(3);
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + 2 + Math.floor(next() * 5));
    const code = text.charCodeAt(to - 1);
    if (code >= 0xd800 && code < 0xdc00) to += 1;
    deltas.push(text.slice(from, to));
    from = to;
  }
  return deltas;
}
