import { describe, expect, it } from 'vitest';

import { describeMediaRouting } from './media-routing.ts';

describe('routing of images', () => {
  it('names the lanes that receive images and those that do not, with the reason', () => {
    const lanes = [{ letter: 'A' }, { letter: 'B' }, { letter: 'C', rejectedBy: 'marked' as const }];
    expect(describeMediaRouting(lanes, 'image_url', 1)).toBe(
      'Sent to A and B. C is marked text-only, so the image will not be sent to it.',
    );
    const textOnlyLanes = [
      { letter: 'A', rejectedBy: 'listed' as const },
      { letter: 'B', rejectedBy: 'listed' as const },
    ];
    expect(describeMediaRouting(textOnlyLanes, 'image_url', 2)).toBe(
      'A and B accept text only, so the images will not be sent to them.',
    );
  });

  it('lists three or more lanes with commas', () => {
    const lanes = ['A', 'B', 'C', 'D'].map((letter) => ({ letter }));
    expect(describeMediaRouting(lanes, 'image_url', 1)).toBe('Sent to A, B, C and D.');
  });

  it('returns an empty message for a single lane that accepts images, and omits the letter of a single lane', () => {
    expect(describeMediaRouting([{ letter: 'A' }], 'image_url', 1)).toBe('');
    expect(describeMediaRouting([{ letter: 'A', rejectedBy: 'marked' }], 'image_url', 1)).toBe(
      'This model is marked text-only, so the image will not be sent to it.',
    );
  });
});

describe('routing of documents and sounds', () => {
  it.each([
    [[{ letter: 'A', isConfirmed: true }], ''],
    [[{ letter: 'A' }], 'Passed through; support varies.'],
    [
      [{ letter: 'A', rejectedBy: 'listed' as const }],
      'This model does not accept files, so the file will not be sent to it.',
    ],
    [
      [
        { letter: 'A', isConfirmed: true },
        { letter: 'B' },
        { letter: 'C' },
        { letter: 'D', rejectedBy: 'marked' as const },
        { letter: 'E', rejectedBy: 'listed' as const },
      ],
      'Sent to A. Passed through to B and C; support varies. D is marked as not accepting files, so the file will not be sent to it. E does not accept files, so the file will not be sent to it.',
    ],
  ])('says what %j does with a file', (lanes, text) => {
    expect(describeMediaRouting(lanes, 'file', 1)).toBe(text);
  });

  it('names audio', () => {
    const lanes = ['A', 'B'].map((letter) => ({ letter, rejectedBy: 'listed' as const }));
    expect(describeMediaRouting(lanes, 'input_audio', 1)).toBe(
      'A and B do not accept audio, so the audio will not be sent to them.',
    );
  });
});
