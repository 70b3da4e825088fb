import { describe, expect, it } from 'vitest';

import { svgOfMap } from './map-svg.ts';

const hex = (name: string) => name;

describe('a map as SVG', () => {
  it('holds one path a group, a mark for each point with a place, and its labels', () => {
    const svg = svgOfMap(
      {
        xy: Float32Array.of(0, 0, 1, 1, 2, 0, Number.NaN, 0),
        colors: { by: 'group', of: Uint8Array.of(0, 0, 1, 1) },
        labels: [{ text: 'R&D <"1">', group: 1, x: 1, y: 1 }],
      },
      hex,
    );
    const paths = [...svg.matchAll(/<path fill="([^"]*)" d="([^"]*)"/g)];
    expect(paths.map((path) => [path[1], path[2]?.split('M').length])).toEqual([
      ['--lane-a', 3],
      ['--lane-b', 2],
    ]);
    expect(svg).not.toContain('NaN');
    expect(svg).toContain('R&amp;D &lt;&quot;1&quot;&gt;');
  });

  it('keeps the steps of similarity', () => {
    const colors = { by: 'heat' as const, of: Uint8Array.of(0, 255) };
    const svg = svgOfMap({ xy: Float32Array.of(0, 0, 1, 1), colors }, hex);
    expect([...svg.matchAll(/<path fill="([^"]*)"/g)].map((path) => path[1])).toEqual([
      '--heat-0',
      '--heat-10',
    ]);
  });

  it('is a picture without points where there are none', () => {
    expect(svgOfMap({ xy: new Float32Array() }, hex)).toMatch(/^<svg [^>]*>\n<rect [^>]*>\n/);
  });
});
