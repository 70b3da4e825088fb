import { describe, expect, it } from 'vitest';

import { svgOfMatrix } from './heat-svg.ts';

const scene = {
  side: 2,
  overview: { size: 2, values: Float32Array.of(1, 0.5, 0.5, 1) },
  range: { low: 0, high: 1 },
  tile: () => Promise.reject(new Error('No tile is needed for exact cells')),
  bands: [{ name: 'R&D', from: 0, to: 2 }],
};

describe('a matrix as SVG', () => {
  const svg = svgOfMatrix(scene, (name) => name);

  it('draws each cell in the colour of its step, and texts with themselves in none', () => {
    const paths = [...svg.matchAll(/<path fill="([^"]*)" d="([^"]*)"/g)];
    expect(paths.map((path) => [path[1], path[2]?.match(/M/g)?.length])).toEqual([
      ['--line', 2],
      ['--heat-5', 2],
    ]);
  });

  it('names the groups along both sides and says what the colours stand for', () => {
    expect(svg.match(/R&amp;D/g)).toHaveLength(2);
    expect(svg.match(/<rect x=/g)).toHaveLength(11);
    expect(svg).toContain('0.00 or less');
    expect(svg).toContain('1.00 or more');
  });
});
