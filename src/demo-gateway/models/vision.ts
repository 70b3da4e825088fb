/** Measures attached images and says only what it measured. */
import type { Message } from '../../gateway/wire.ts';
import type { Json } from '../../lib/json.ts';
import type { DemoModel } from '../model.ts';
import type { PixelFacts } from '../pictures/dominant-colours.ts';
import { measureImage, type ImageFacts } from '../pictures/image-facts.ts';
import { imagesOf } from './message-text.ts';
import { textPieces, valuePieces } from './pieces.ts';

export const vision: DemoModel = {
  id: 'demo/vision',
  about:
    'Measures attached images: format, size, transparency, dominant colours. It does not see what they show.',
  abilities: { vision: true, tools: false, thinking: false },
  reply: ({ messages, wantsJson }) => {
    const { urls, areEarlier } = latestImages(messages);
    const facts = urls.map(measureImage);
    return wantsJson
      ? valuePieces({ images: facts.map(factsValue) })
      : textPieces(factsText(facts, areEarlier));
  },
};

/** The images of the last message that has any, so that a question after it is about them as well. */
function latestImages(messages: readonly Message[]): { urls: string[]; areEarlier: boolean } {
  const said = messages.filter(({ role }) => role === 'user');
  const place = said.findLastIndex((message) => imagesOf(message).length > 0);
  const message = said[place];
  return { urls: message ? imagesOf(message) : [], areEarlier: place < said.length - 1 };
}

const limits = 'This is what I measured. I am a small program and do not see what a picture shows.';

function factsText(facts: readonly ImageFacts[], areEarlier: boolean): string {
  if (facts.length === 0) {
    return 'There is no image in this conversation. Attach one with the Image button, drop it on the page or paste it, and I measure its format, size, transparency and colours.';
  }
  const intro = areEarlier ? ['The last message has no image, so this is about the one before it.'] : [];
  const parts = facts.map(
    (fact, index) => `${facts.length > 1 ? `**Image ${index + 1}**\n\n` : ''}${imageText(fact)}`,
  );
  return [...intro, ...parts, limits].join('\n\n');
}

function imageText(facts: ImageFacts): string {
  if ('problem' in facts) return facts.problem;
  const { header, bytes, declaredType, pixels, pixelProblem } = facts;
  const expected = `image/${header.format.toLowerCase()}`;
  const rows: [string, string][] = [
    ['Format', [header.format, ...header.details].join(', ')],
    ['Size', sizeText(bytes)],
    [
      'Width × height',
      `${header.width.toLocaleString('en-US')} × ${header.height.toLocaleString('en-US')} pixels`,
    ],
    ['Aspect ratio', aspectRatio(header.width, header.height)],
    ['Transparency', transparency(header.canBeTransparent, pixels)],
  ];
  if (pixels)
    rows.push([
      'Dominant colours',
      pixels.colours.map(({ hex, name, share }) => `\`${hex}\` ${name} ${percent(share)}`).join(', ') ||
        'none, every pixel is transparent',
    ]);
  const table = [
    '| Measured | Value |',
    '| --- | --- |',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
  ].join('\n');
  const notes = [
    pixelProblem,
    isMislabelled(declaredType, expected)
      ? `The message calls it \`${declaredType.replaceAll('`', '')}\`, and its bytes are ${header.format}.`
      : undefined,
  ];
  return [table, ...notes.filter((note) => note !== undefined)].join('\n\n');
}

function isMislabelled(declared: string, expected: string): boolean {
  const plain = declared
    .toLowerCase()
    .replace('image/jpg', 'image/jpeg')
    .replace(/x-(?:ms-)?/u, '');
  return plain !== '' && plain !== expected;
}

function sizeText(bytes: number): string {
  const exact = `${bytes.toLocaleString('en-US')} bytes`;
  return bytes < 10_000
    ? exact
    : `${exact} (${(bytes / 1000).toLocaleString('en-US', { maximumFractionDigits: 0 })} kB)`;
}

function aspectRatio(width: number, height: number): string {
  let [larger, smaller] = [width, height];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  const decimal = (width / height).toLocaleString('en-US', { maximumFractionDigits: 2 });
  return width / larger > 100 ? decimal : `${width / larger} : ${height / larger} (${decimal})`;
}

function transparency(canBeTransparent: boolean | undefined, pixels: PixelFacts | undefined): string {
  if (pixels) {
    const { fullyTransparent: fully, partlyTransparent: partly } = pixels;
    if (fully === 0 && partly === 0)
      return canBeTransparent === true ? 'none, though the file could hold it' : 'none';
    return [
      fully > 0 ? `${percent(fully)} of the pixels fully` : '',
      partly > 0 ? `${percent(partly)} partly` : '',
    ]
      .filter((part) => part !== '')
      .join(', ');
  }
  if (canBeTransparent === undefined) return 'not measured';
  return canBeTransparent ? 'possible by its header, not measured' : 'none';
}

function percent(share: number): string {
  return share > 0 && share < 0.001
    ? 'under 0.1%'
    : `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}%`;
}

function factsValue(facts: ImageFacts): Json {
  if ('problem' in facts) return { problem: facts.problem };
  const { header, bytes, pixels, pixelProblem } = facts;
  const { format, width, height } = header;
  if (!pixels) return { format, bytes, width, height, problem: pixelProblem ?? '' };
  const { colours, fullyTransparent, partlyTransparent } = pixels;
  const rounded = (share: number) => Math.round(share * 1e4) / 1e4;
  return {
    format,
    bytes,
    width,
    height,
    transparency: { full: rounded(fullyTransparent), partial: rounded(partlyTransparent) },
    colours: colours.map(({ hex, name, share }) => ({ hex, name, share: rounded(share) })),
  };
}
