// Generates text as models write it. The same seed gives the same text for every page, run and machine.

const charsPerToken = 4;

/** Ends every answer, to detect when all of it is on screen. */
export const closingSentence = 'End of the recording.';

/** Returns a generator of numbers from 0 to below 1 (mulberry32). Node 20 cannot load the one of the app as it is. */
export function createSeededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const words = (
  'the a gateway stream answer token model request event time first last buffer reader writer queue lane frame budget ' +
  'because where which should never always returns keeps closes opens measured linear constant latency throughput while ' +
  'after before between only every each part whole piece order index value field header body signal abort retry cache'
).split(' ');

const codeSamples = {
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

const formulas = [
  '$E = mc^2$',
  '$\\frac{a}{b} + \\sqrt{x_1^2 + x_2^2}$',
  '$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$',
  '\\(\\alpha \\le \\beta\\)',
];

/** Returns functions that each write one more piece of text. */
export function createWriter(seed) {
  const random = createSeededRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const drawInteger = (min, max) => min + Math.floor(random() * (max - min + 1));
  const plain = (count) => Array.from({ length: count }, () => pick(words)).join(' ');
  const styled = () => {
    const kind = random();
    if (kind < 0.3) return `**${plain(2)}**`;
    if (kind < 0.5) return `*${plain(2)}*`;
    if (kind < 0.75) return `\`${pick(words)}_${pick(words)}()\``;
    if (kind < 0.85) return `[${plain(2)}](https://example.com/${pick(words)})`;
    if (kind < 0.9) return pick(formulas);
    if (kind < 0.94) return 'あいまいな日本語の文章、速い応答。';
    if (kind < 0.97) return '🚀 ⚡️';
    return `$${drawInteger(2, 90)}`;
  };
  const sentence = () => {
    const pieces = Array.from({ length: drawInteger(1, 4) }, () =>
      random() < 0.55 ? plain(drawInteger(3, 8)) : `${plain(drawInteger(2, 4))} ${styled()}`,
    );
    const text = pieces.join(', ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () => Array.from({ length: drawInteger(2, 5) }, sentence).join(' ');
  const list = () =>
    Array.from({ length: drawInteger(3, 6) }, () => {
      const nested = random() < 0.3 ? `\n  - ${sentence()}\n  - ${sentence()}` : '';
      return `- ${sentence()}${nested}`;
    }).join('\n');
  const numberedList = () =>
    Array.from(
      { length: drawInteger(3, 5) },
      (_, index) => `${index + 1}. **${plain(2)}**: ${sentence()}`,
    ).join('\n');
  const table = () => {
    const rows = Array.from(
      { length: drawInteger(3, 7) },
      () => `| ${plain(2)} | \`${pick(words)}\` | ${drawInteger(1, 999)} |`,
    );
    return `| Name | Field | Value |\n| :--- | :---: | ---: |\n${rows.join('\n')}`;
  };
  const code = () => {
    const language = pick(Object.keys(codeSamples));
    const source = codeSamples[language];
    const lines = Array.from({ length: drawInteger(6, 14) }, (_, index) => source[index % source.length]);
    return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
  };
  const quote = () => `> ${sentence()}\n> ${sentence()}`;
  const formula = () => '$$\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n$$';
  const heading = () => `${'#'.repeat(drawInteger(2, 4))} ${plain(drawInteger(2, 5))}`;
  const block = () =>
    pick([
      paragraph,
      paragraph,
      list,
      paragraph,
      code,
      numberedList,
      table,
      paragraph,
      quote,
      code,
      formula,
    ])();
  return { plain, sentence, paragraph, heading, block };
}

/** Returns an answer of about this many tokens that contains every kind of block. */
export function createAnswer(tokens) {
  const { heading, block } = createWriter(7);
  const blocks = [];
  for (let length = 0; length < tokens * charsPerToken; length += blocks.at(-1).length + 2)
    blocks.push(blocks.length % 6 === 0 ? heading() : block());
  return blocks.join('\n\n');
}

/** Splits a text into deltas of about four characters, never inside a character. */
export function splitIntoDeltas(text) {
  const deltas = [];
  const random = createSeededRandom(3);
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + 2 + Math.floor(random() * 5));
    const code = text.charCodeAt(to - 1);
    if (code >= 0xd800 && code < 0xdc00) to += 1;
    deltas.push(text.slice(from, to));
    from = to;
  }
  return deltas;
}
