const glideMs = 240;
const mostGliding = 20_000;

/** Points on the way from one place to another. */
export interface Glide {
  from: Float32Array;
  to: Float32Array;
  shown: Float32Array;
  startedAt: number;
}

/** The way of the same points to new places; undefined where they should be there at once. */
export function glideTo(from: Float32Array, to: Float32Array): Glide | undefined {
  const isPossible = from.length === to.length && from !== to && to.length / 2 <= mostGliding;
  if (!isPossible || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
  return { from: from.slice(), to, shown: from.slice(), startedAt: performance.now() };
}

/** Where the points are now; undefined when they have arrived. */
export function placesOf({ from, to, shown, startedAt }: Glide): Float32Array | undefined {
  const passed = Math.min(1, (performance.now() - startedAt) / glideMs);
  if (passed === 1) return undefined;
  const share = 1 - (1 - passed) ** 3;
  for (let at = 0; at < to.length; at++) {
    const start = from[at] ?? 0;
    shown[at] = start + ((to[at] ?? 0) - start) * share;
  }
  return shown;
}
