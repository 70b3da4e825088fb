/** The colours that cover most of a picture. */
import type { Pixels } from './png-pixels.ts';

interface ColourShare {
  /** #rrggbb, the mean of the pixels that count as this colour. */
  hex: string;
  name: string;
  /** Of the pixels that are not fully transparent, 0 to 1. */
  share: number;
}

export interface PixelFacts {
  colours: ColourShare[];
  /** Of all pixels, 0 to 1: alpha of 0, and alpha between. */
  fullyTransparent: number;
  partlyTransparent: number;
}

/** How many pixels are looked at; of larger pictures an even selection. */
const mostPixels = 250_000;
/** Colours closer than this (in steps of 0 to 255 over the three channels) count as one. */
const closeness = 60;
const mostColours = 5;
const leastShare = 0.02;

interface Cluster {
  red: number;
  green: number;
  blue: number;
  count: number;
}

export function measurePixels({ data }: Pixels): PixelFacts {
  const pixels = data.length / 4;
  const step = Math.max(1, Math.floor(pixels / mostPixels));
  const buckets = new Map<number, Cluster>();
  let seen = 0;
  let clear = 0;
  let partly = 0;
  for (let pixel = 0; pixel < pixels; pixel += step) {
    const [red, green, blue, alpha] = [
      data[pixel * 4] ?? 0,
      data[pixel * 4 + 1] ?? 0,
      data[pixel * 4 + 2] ?? 0,
      data[pixel * 4 + 3] ?? 0,
    ];
    seen += 1;
    if (alpha === 0) clear += 1;
    else {
      if (alpha < 255) partly += 1;
      const key = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
      const bucket = buckets.get(key) ?? { red: 0, green: 0, blue: 0, count: 0 };
      buckets.set(key, bucket);
      add(bucket, { red, green, blue, count: 1 });
    }
  }
  const visible = Math.max(1, seen - clear);
  const colours = clustersOf([...buckets.values()]).map((cluster) => ({
    ...colourOf(cluster),
    share: cluster.count / visible,
  }));
  return {
    colours: colours.filter(({ share }) => share >= leastShare).slice(0, mostColours),
    fullyTransparent: clear / Math.max(1, seen),
    partlyTransparent: partly / Math.max(1, seen),
  };
}

function add(to: Cluster, { red, green, blue, count }: Cluster): void {
  to.red += red;
  to.green += green;
  to.blue += blue;
  to.count += count;
}

/** Buckets from the largest down, each joined to the first cluster that is close. */
function clustersOf(buckets: readonly Cluster[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const bucket of buckets.toSorted((left, right) => right.count - left.count)) {
    const near = clusters.find((cluster) => distance(meanOf(cluster), meanOf(bucket)) < closeness);
    if (near) add(near, bucket);
    // Far more clusters than are shown would only take time.
    else if (clusters.length < 64) clusters.push({ ...bucket });
  }
  return clusters.toSorted((left, right) => right.count - left.count);
}

type Rgb = readonly [red: number, green: number, blue: number];

function meanOf({ red, green, blue, count }: Cluster): Rgb {
  return [red / count, green / count, blue / count];
}

function distance(left: Rgb, right: Rgb): number {
  return Math.hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]);
}

const namedColours: readonly (readonly [string, Rgb])[] = [
  ['black', [0, 0, 0]],
  ['dark grey', [64, 64, 64]],
  ['grey', [128, 128, 128]],
  ['light grey', [200, 200, 200]],
  ['white', [255, 255, 255]],
  ['red', [220, 30, 30]],
  ['dark red', [120, 10, 10]],
  ['orange', [245, 140, 20]],
  ['brown', [130, 80, 40]],
  ['beige', [230, 215, 180]],
  ['yellow', [250, 225, 40]],
  ['olive', [120, 120, 30]],
  ['light green', [150, 220, 140]],
  ['green', [40, 160, 60]],
  ['dark green', [10, 80, 30]],
  ['teal', [20, 130, 130]],
  ['cyan', [60, 220, 230]],
  ['light blue', [150, 200, 240]],
  ['blue', [40, 90, 220]],
  ['dark blue', [15, 30, 110]],
  ['purple', [120, 50, 160]],
  ['magenta', [220, 50, 200]],
  ['pink', [250, 170, 195]],
];

function colourOf(cluster: Cluster): { hex: string; name: string } {
  const mean = meanOf(cluster);
  const hex = `#${mean.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
  const [nearest = 'grey'] =
    namedColours.toSorted(([, left], [, right]) => distance(left, mean) - distance(right, mean))[0] ?? [];
  return { hex, name: nearest };
}
