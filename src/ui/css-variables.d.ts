import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Custom properties that components hand to their stylesheet. */
    [name: `--${string}`]: string | number | undefined;
  }
}
