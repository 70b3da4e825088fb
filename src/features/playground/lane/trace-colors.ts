const staleAfterMs = 1_000;

/** Custom properties of an element, as text. */
export interface TraceColors {
  of: (name: string) => string;
  /** What was read is old: the theme is another one. */
  forget: () => void;
}

/**
 * Reads the colors of a trace at most once a second: asking for a style where a container query stands above makes the
 * browser lay out the page, and a trace is drawn while all else grows.
 */
export function createTraceColors(element: Element): TraceColors {
  let known = new Map<string, string>();
  let knownSinceMs = Number.NEGATIVE_INFINITY;
  return {
    of: (name) => {
      if (performance.now() - knownSinceMs > staleAfterMs) {
        known = new Map();
        knownSinceMs = performance.now();
      }
      const value = known.get(name) ?? getComputedStyle(element).getPropertyValue(name);
      known.set(name, value);
      return value;
    },
    forget: () => {
      knownSinceMs = Number.NEGATIVE_INFINITY;
    },
  };
}
